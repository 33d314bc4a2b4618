import type { SandboxContext } from '../context.ts'
import {
  checkToken,
  expiredToken,
  GraphError,
  isMissing,
  jsonBody,
  ok,
  paginate,
  pickFields,
  readParameters,
  unknownObject,
} from '../graph/graph.ts'
import { handleAppSubscriptions, verifyWebhook } from '../graph/webhook-subscriptions.ts'
import type { Json } from '../http/bodies.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { hashDigits } from '../identifiers.ts'
import {
  accountToApi,
  type Comment,
  commentToApi,
  customerToApi,
  findComment,
  findSubscription,
  listMedia,
  listStories,
  resolveAccountId,
  type Subscription,
  toAccountRef,
} from './accounts.ts'
import { getConversation, isConversationId, listConversations } from './conversations.ts'
import { socialError } from './errors.ts'
import { receiveComment } from './inbound.ts'
import { sendMessage } from './messages.ts'

type EdgeHandler = (
  context: SandboxContext,
  id: string,
  request: HttpRequest,
  token: string,
) => Promise<HttpResponse> | HttpResponse

function buildList(request: HttpRequest, items: Json[], path: string, token: string): HttpResponse {
  const page = paginate(request, items, { maxSize: 200, defaultSize: 25, token, path })
  const fields = request.query.get('fields')
  return ok({
    ...page,
    data: page.data.map(item => (fields ? pickFields(item, fields) : { id: item.id })),
  })
}

const app = { id: '1500555000000001', name: 'Sandbox app', link: 'https://apps.example/sandbox' }

/** Subscribes an account, optionally with its own webhook URL (sandbox only). */
async function subscribe(
  context: SandboxContext,
  account: string,
  request: HttpRequest,
): Promise<HttpResponse> {
  const params = readParameters(request)
  const requested = params.subscribed_fields
  const fields = Array.isArray(requested)
    ? requested.map(String)
    : String(requested ?? '')
        .split(',')
        .filter(Boolean)
  if (fields.length === 0) throw socialError(100, 'The parameter subscribed_fields is required.')
  const subscription: Subscription = { fields }
  if (params.override_callback_uri !== undefined)
    subscription.webhook = await verifyWebhook(context, params.override_callback_uri, params.verify_token)
  await context.registry.put(`socialapp/account/${account}`, subscription)
  context.callbacks.retryNow(entry => entry.channel === 'socialapp' && entry.account === account)
  return ok({ success: true })
}

function listSubscriptions(context: SandboxContext, account: string): HttpResponse {
  const subscription = findSubscription(context, account)
  return ok({ data: subscription ? [{ ...app, subscribed_fields: subscription.fields }] : [] })
}

async function unsubscribe(context: SandboxContext, account: string): Promise<HttpResponse> {
  await context.registry.put(`socialapp/account/${account}`, undefined)
  return ok({ success: true })
}

async function publicReply(context: SandboxContext, id: string, request: HttpRequest): Promise<HttpResponse> {
  const found = findComment(context, id)
  if (!found) throw unknownObject(id, 'post')
  const text = readParameters(request).message
  if (typeof text !== 'string' || text === '') throw socialError(100, 'The parameter message is required.')
  const reply = { text, mediaId: found.mediaId, parentId: found.parentId ?? found.id }
  return ok({ id: await receiveComment(context, found.account, found.account, reply) })
}

function listMediaComments(context: SandboxContext, media: string): Comment[] {
  return [...context.registry.entries<Comment>('socialapp/comment/')]
    .map(([, comment]) => comment)
    .filter(comment => comment.mediaId === media)
}

const listComments: EdgeHandler = (context, media, request, token) =>
  buildList(request, listMediaComments(context, media).map(commentToApi), `${media}/comments`, token)

function createAttachment(account: string, request: HttpRequest): HttpResponse {
  return ok({ attachment_id: hashDigits(`${account}/${JSON.stringify(jsonBody(request))}`, 15, '5') })
}

const edges: Record<string, EdgeHandler> = {
  'POST messages': (context, id, request) => sendMessage(context, id, request),
  'POST message_attachments': (_, id, request) => createAttachment(id, request),
  'GET media': (context, id, request, token) =>
    buildList(request, listMedia(context, id), `${id}/media`, token),
  'GET stories': (context, id, request, token) =>
    buildList(request, listStories(context, id), `${id}/stories`, token),
  'GET conversations': listConversations,
  'GET comments': listComments,
  'POST replies': (context, id, request) => publicReply(context, id, request),
  'GET subscribed_apps': (context, id) => listSubscriptions(context, id),
  'POST subscribed_apps': (context, id, request) => subscribe(context, id, request),
  'DELETE subscribed_apps': (context, id) => unsubscribe(context, id),
  'GET subscriptions': (context, _, request) => handleAppSubscriptions(context, request),
  'POST subscriptions': (context, _, request) => handleAppSubscriptions(context, request),
  'DELETE subscriptions': (context, _, request) => handleAppSubscriptions(context, request),
}

const personFields =
  /is_user_follow_business|is_business_follow_user|is_verified_user|profile_pic\b|follower_count/
const mediaFields = /media_type|media_product_type|permalink|media_url|caption/

/** In strict mode, profiles are available only for customers who have written. */
function getCustomer(context: SandboxContext, id: string, fields: string | null): HttpResponse {
  const profile = context.registry.get<{ name?: string; username?: string }>(`socialapp/person/${id}`)
  if (context.strict && !profile && !hasInbound(context, id)) throw socialError(230)
  return ok(pickFields(customerToApi(context, id, profile?.name, profile?.username), fields))
}

function hasInbound(context: SandboxContext, person: string): boolean {
  for (const [key] of context.registry.entries('socialapp/account/'))
    if (context.conversations.lastInboundAt('socialapp', key.slice('socialapp/account/'.length), person))
      return true
  return false
}

function getMedia(context: SandboxContext, id: string, fields: string | null): HttpResponse {
  for (const [key] of context.registry.entries('socialapp/account/')) {
    const account = key.slice('socialapp/account/'.length)
    const found = [...listMedia(context, account), ...listStories(context, account)].find(
      item => item.id === id,
    )
    if (found) return ok(pickFields(found, fields))
  }
  throw unknownObject(id)
}

async function getNode(context: SandboxContext, id: string, request: HttpRequest): Promise<HttpResponse> {
  const fields = request.query.get('fields')
  if (isConversationId(id)) return getConversation(context, id)
  const found = findComment(context, id)
  if (found) return ok(pickFields(commentToApi(found), fields))
  if (personFields.test(fields ?? '')) return getCustomer(context, id, fields)
  if (mediaFields.test(fields ?? '')) return getMedia(context, id, fields)
  return ok(pickFields(accountToApi(context, id), fields))
}

function refreshToken(request: HttpRequest, token: string): HttpResponse {
  if (request.query.get('grant_type') !== 'ig_refresh_token')
    throw socialError(100, 'Param grant_type is not valid')
  return ok({ access_token: token, token_type: 'bearer', expires_in: 60 * 86_400 })
}

async function dispatch(context: SandboxContext, request: HttpRequest): Promise<HttpResponse> {
  const [first, name, ...more] = request.path
  const token = checkToken(request)
  if (first === 'refresh_access_token') return refreshToken(request, token)
  if (first === undefined || more.length > 0) throw new GraphError(2500, 'Unknown path components')
  const id = resolveAccountId(first, token)
  if (isMissing(id)) throw unknownObject(id, request.method)
  if (name !== 'messages' && context.faults.matchRequest(toAccountRef(id))) throw expiredToken()
  if (name === undefined) {
    if (request.method === 'GET') return getNode(context, id, request)
    throw unknownObject(id, request.method)
  }
  const edge = edges[`${request.method} ${name}`]
  if (!edge) throw new GraphError(2500, `Unknown path components: /${name}`)
  return edge(context, id, request, token)
}

export async function handleSocialapp(context: SandboxContext, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await dispatch(context, request)
  } catch (error) {
    if (error instanceof GraphError) return error.toResponse()
    throw error
  }
}

/** The social provider's addresses. */

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
  world: SandboxContext,
  id: string,
  incoming: HttpRequest,
  token: string,
) => Promise<HttpResponse> | HttpResponse

function buildList(incoming: HttpRequest, items: Json[], path: string, token: string): HttpResponse {
  const listed = paginate(incoming, items, { maxSize: 200, defaultSize: 25, token, path })
  const fields = incoming.query.get('fields')
  return ok({
    ...listed,
    data: listed.data.map(item => (fields ? pickFields(item, fields) : { id: item.id })),
  })
}

const app = { id: '1500555000000001', name: 'Sandbox app', link: 'https://apps.example/sandbox' }

/** Subscribes an account; an address of its own may be given here too, as the chat provider has it. */
async function subscribe(
  world: SandboxContext,
  account: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const given = readParameters(incoming)
  const asked = given.subscribed_fields
  const fields = Array.isArray(asked)
    ? asked.map(String)
    : String(asked ?? '')
        .split(',')
        .filter(Boolean)
  if (fields.length === 0) throw socialError(100, 'The parameter subscribed_fields is required.')
  const subscription: Subscription = { fields }
  if (given.override_callback_uri !== undefined)
    subscription.webhook = await verifyWebhook(world, given.override_callback_uri, given.verify_token)
  await world.registry.put(`socialapp/account/${account}`, subscription)
  world.callbacks.retryNow(entry => entry.channel === 'socialapp' && entry.account === account)
  return ok({ success: true })
}

function listSubscriptions(world: SandboxContext, account: string): HttpResponse {
  const subscription = findSubscription(world, account)
  return ok({ data: subscription ? [{ ...app, subscribed_fields: subscription.fields }] : [] })
}

async function unsubscribe(world: SandboxContext, account: string): Promise<HttpResponse> {
  await world.registry.put(`socialapp/account/${account}`, undefined)
  return ok({ success: true })
}

async function publicReply(world: SandboxContext, id: string, incoming: HttpRequest): Promise<HttpResponse> {
  const found = findComment(world, id)
  if (!found) throw unknownObject(id, 'post')
  const text = readParameters(incoming).message
  if (typeof text !== 'string' || text === '') throw socialError(100, 'The parameter message is required.')
  const reply = { text, mediaId: found.mediaId, parentId: found.parentId ?? found.id }
  return ok({ id: await receiveComment(world, found.account, found.account, reply) })
}

function listMediaComments(world: SandboxContext, media: string): Comment[] {
  return [...world.registry.entries<Comment>('socialapp/comment/')]
    .map(([, one]) => one)
    .filter(one => one.mediaId === media)
}

const listComments: EdgeHandler = (world, media, incoming, token) =>
  buildList(incoming, listMediaComments(world, media).map(commentToApi), `${media}/comments`, token)

function createAttachment(account: string, incoming: HttpRequest): HttpResponse {
  return ok({ attachment_id: hashDigits(`${account}/${JSON.stringify(jsonBody(incoming))}`, 15, '5') })
}

const edges: Record<string, EdgeHandler> = {
  'POST messages': (world, id, incoming) => sendMessage(world, id, incoming),
  'POST message_attachments': (_, id, incoming) => createAttachment(id, incoming),
  'GET media': (world, id, incoming, token) =>
    buildList(incoming, listMedia(world, id), `${id}/media`, token),
  'GET stories': (world, id, incoming, token) =>
    buildList(incoming, listStories(world, id), `${id}/stories`, token),
  'GET conversations': listConversations,
  'GET comments': listComments,
  'POST replies': (world, id, incoming) => publicReply(world, id, incoming),
  'GET subscribed_apps': (world, id) => listSubscriptions(world, id),
  'POST subscribed_apps': (world, id, incoming) => subscribe(world, id, incoming),
  'DELETE subscribed_apps': (world, id) => unsubscribe(world, id),
  'GET subscriptions': (world, _, incoming) => handleAppSubscriptions(world, incoming),
  'POST subscriptions': (world, _, incoming) => handleAppSubscriptions(world, incoming),
  'DELETE subscriptions': (world, _, incoming) => handleAppSubscriptions(world, incoming),
}

const personFields =
  /is_user_follow_business|is_business_follow_user|is_verified_user|profile_pic\b|follower_count/
const mediaFields = /media_type|media_product_type|permalink|media_url|caption/

/** Who has not written to us does not let us see who they are. */
function getCustomer(world: SandboxContext, id: string, fields: string | null): HttpResponse {
  const known = world.registry.get<{ name?: string; username?: string }>(`socialapp/person/${id}`)
  if (world.strict && !known && !hasInbound(world, id)) throw socialError(230)
  return ok(pickFields(customerToApi(world, id, known?.name, known?.username), fields))
}

function hasInbound(world: SandboxContext, person: string): boolean {
  for (const [key] of world.registry.entries('socialapp/account/'))
    if (world.conversations.lastInboundAt('socialapp', key.slice('socialapp/account/'.length), person))
      return true
  return false
}

function getMedia(world: SandboxContext, id: string, fields: string | null): HttpResponse {
  for (const [key] of world.registry.entries('socialapp/account/')) {
    const account = key.slice('socialapp/account/'.length)
    const found = [...listMedia(world, account), ...listStories(world, account)].find(one => one.id === id)
    if (found) return ok(pickFields(found, fields))
  }
  throw unknownObject(id)
}

async function getNode(world: SandboxContext, id: string, incoming: HttpRequest): Promise<HttpResponse> {
  const fields = incoming.query.get('fields')
  if (isConversationId(id)) return getConversation(world, id)
  const found = findComment(world, id)
  if (found) return ok(pickFields(commentToApi(found), fields))
  if (personFields.test(fields ?? '')) return getCustomer(world, id, fields)
  if (mediaFields.test(fields ?? '')) return getMedia(world, id, fields)
  return ok(pickFields(accountToApi(world, id), fields))
}

function refreshToken(incoming: HttpRequest, token: string): HttpResponse {
  if (incoming.query.get('grant_type') !== 'ig_refresh_token')
    throw socialError(100, 'Param grant_type is not valid')
  return ok({ access_token: token, token_type: 'bearer', expires_in: 60 * 86_400 })
}

async function dispatch(world: SandboxContext, incoming: HttpRequest): Promise<HttpResponse> {
  const [first, name, ...more] = incoming.path
  const token = checkToken(incoming)
  if (first === 'refresh_access_token') return refreshToken(incoming, token)
  if (first === undefined || more.length > 0) throw new GraphError(2500, 'Unknown path components')
  const id = resolveAccountId(first, token)
  if (isMissing(id)) throw unknownObject(id, incoming.method)
  if (name !== 'messages' && world.faults.matchRequest(toAccountRef(id))) throw expiredToken()
  if (name === undefined) {
    if (incoming.method === 'GET') return getNode(world, id, incoming)
    throw unknownObject(id, incoming.method)
  }
  const edge = edges[`${incoming.method} ${name}`]
  if (!edge) throw new GraphError(2500, `Unknown path components: /${name}`)
  return edge(world, id, incoming, token)
}

export async function handleSocialapp(world: SandboxContext, incoming: HttpRequest): Promise<HttpResponse> {
  try {
    return await dispatch(world, incoming)
  } catch (error) {
    if (error instanceof GraphError) return error.toResponse()
    throw error
  }
}

import type { SandboxContext } from '../context.ts'
import {
  type EdgeHandler,
  graphHandler,
  jsonBody,
  ok,
  pickFields,
  readParameters,
  respondWithPage,
  unknownObject,
} from '../graph/graph.ts'
import { app, handleAppSubscriptions, verifyWebhook } from '../graph/webhook-subscriptions.ts'
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
} from './accounts.ts'
import { getConversation, isConversationId, listConversations } from './conversations.ts'
import { socialError } from './errors.ts'
import { receiveComment } from './inbound.ts'
import { sendMessage } from './messages.ts'

function buildList(request: HttpRequest, items: Json[], path: string, token: string): HttpResponse {
  const toApi = request.query.get('fields') ? (item: Json) => item : ({ id }: Json) => ({ id })
  return respondWithPage(request, items, { maxSize: 200, token, path }, toApi)
}

/** Subscribes an account, optionally with its own webhook URL (sandbox only). */
const subscribe: EdgeHandler = async (context, account, request) => {
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

const listSubscriptions: EdgeHandler = (context, account) => {
  const subscription = findSubscription(context, account)
  if (!subscription) return ok({ data: [] })
  const { fields, webhook } = subscription
  const override = webhook ? { override_callback_uri: webhook.uri } : {}
  return ok({ data: [{ ...app, subscribed_fields: fields, ...override }] })
}

const unsubscribe: EdgeHandler = async (context, account) => {
  await context.registry.put(`socialapp/account/${account}`, undefined)
  return ok({ success: true })
}

const publicReply: EdgeHandler = async (context, id, request) => {
  const found = findComment(context, id)
  if (!found) throw unknownObject(id, 'post')
  const text = readParameters(request).message
  if (typeof text !== 'string' || text === '') throw socialError(100, 'The parameter message is required.')
  const reply = { text, mediaId: found.mediaId, parentId: found.parentId ?? found.id }
  return ok({ id: await receiveComment(context, found.account, found.account, reply) })
}

const listComments: EdgeHandler = (context, media, request, token) => {
  const comments = [...context.registry.entries<Comment>('socialapp/comment/')]
    .map(([, comment]) => comment)
    .filter(comment => comment.mediaId === media)
  return buildList(request, comments.map(commentToApi), `${media}/comments`, token)
}

const createAttachment: EdgeHandler = (_context, account, request) =>
  ok({ attachment_id: hashDigits(`${account}/${JSON.stringify(jsonBody(request))}`, 15, '5') })

const edges: Record<string, EdgeHandler> = {
  'POST messages': sendMessage,
  'POST message_attachments': createAttachment,
  'GET media': (context, id, request, token) =>
    buildList(request, listMedia(context, id), `${id}/media`, token),
  'GET stories': (context, id, request, token) =>
    buildList(request, listStories(context, id), `${id}/stories`, token),
  'GET conversations': listConversations,
  'GET comments': listComments,
  'POST replies': publicReply,
  'GET subscribed_apps': listSubscriptions,
  'POST subscribed_apps': subscribe,
  'DELETE subscribed_apps': unsubscribe,
  'GET subscriptions': handleAppSubscriptions,
  'POST subscriptions': handleAppSubscriptions,
  'DELETE subscriptions': handleAppSubscriptions,
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

const getNode: EdgeHandler = (context, id, request) => {
  if (request.method !== 'GET') throw unknownObject(id, request.method)
  const fields = request.query.get('fields')
  if (isConversationId(id)) return getConversation(context, id)
  const found = findComment(context, id)
  if (found) return ok(pickFields(commentToApi(found), fields))
  if (personFields.test(fields ?? '') || hasInbound(context, id)) return getCustomer(context, id, fields)
  if (mediaFields.test(fields ?? '')) return getMedia(context, id, fields)
  return ok(pickFields(accountToApi(context, id), fields))
}

function refreshToken(request: HttpRequest, token: string): HttpResponse {
  if (request.query.get('grant_type') !== 'ig_refresh_token')
    throw socialError(100, 'Param grant_type is not valid')
  return ok({ access_token: token, token_type: 'bearer', expires_in: 60 * 86_400 })
}

export const handleSocialapp = graphHandler({
  channel: 'socialapp',
  calls: { refresh_access_token: refreshToken },
  resolveId: resolveAccountId,
  node: getNode,
  edges,
})

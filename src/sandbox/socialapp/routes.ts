/** The social provider's addresses. */
import type { Json } from '../bodies.ts'
import {
  checkToken,
  expiredToken,
  GraphError,
  isMissing,
  jsonBody,
  ok,
  page,
  parameters,
  pick,
  unknownObject,
} from '../graph.ts'
import { appSubscriptions, verifyHook } from '../hooks.ts'
import type { Answer, Incoming } from '../http.ts'
import { digitsOf } from '../identifiers.ts'
import type { World } from '../world.ts'
import {
  accountNode,
  accountOf,
  type Comment,
  commentNode,
  commentOf,
  mediaOf,
  personNode,
  refOf,
  type Subscription,
  storiesOf,
  subscriptionOf,
} from './accounts.ts'
import { conversationNode, isConversation, listConversations } from './conversations.ts'
import { socialError } from './errors.ts'
import { comment } from './inbound.ts'
import { sendMessage } from './messages.ts'

type Edge = (world: World, id: string, incoming: Incoming, token: string) => Promise<Answer> | Answer

function listOf(incoming: Incoming, items: Json[], path: string, token: string): Answer {
  const listed = page(incoming, items, { most: 200, usual: 25, token, path })
  const fields = incoming.query.get('fields')
  return ok({ ...listed, data: listed.data.map(item => (fields ? pick(item, fields) : { id: item.id })) })
}

const app = { id: '1500555000000001', name: 'Sandbox app', link: 'https://apps.example/sandbox' }

/** Subscribes an account; an address of its own may be given here too, as the chat provider has it. */
async function subscribe(world: World, account: string, incoming: Incoming): Promise<Answer> {
  const given = parameters(incoming)
  const asked = given.subscribed_fields
  const fields = Array.isArray(asked)
    ? asked.map(String)
    : String(asked ?? '')
        .split(',')
        .filter(Boolean)
  if (fields.length === 0) throw socialError(100, 'The parameter subscribed_fields is required.')
  const subscription: Subscription = { fields }
  if (given.override_callback_uri !== undefined)
    subscription.hook = await verifyHook(world, given.override_callback_uri, given.verify_token)
  await world.registry.put(`socialapp/account/${account}`, subscription)
  world.callbacks.retryNow(entry => entry.channel === 'socialapp' && entry.account === account)
  return ok({ success: true })
}

function subscriptions(world: World, account: string): Answer {
  const subscription = subscriptionOf(world, account)
  return ok({ data: subscription ? [{ ...app, subscribed_fields: subscription.fields }] : [] })
}

async function unsubscribe(world: World, account: string): Promise<Answer> {
  await world.registry.put(`socialapp/account/${account}`, undefined)
  return ok({ success: true })
}

async function publicReply(world: World, id: string, incoming: Incoming): Promise<Answer> {
  const found = commentOf(world, id)
  if (!found) throw unknownObject(id, 'post')
  const text = parameters(incoming).message
  if (typeof text !== 'string' || text === '') throw socialError(100, 'The parameter message is required.')
  const reply = { text, mediaId: found.mediaId, parentId: found.parentId ?? found.id }
  return ok({ id: await comment(world, found.account, found.account, reply) })
}

function commentsOf(world: World, media: string): Comment[] {
  return [...world.registry.entries<Comment>('socialapp/comment/')]
    .map(([, one]) => one)
    .filter(one => one.mediaId === media)
}

const comments: Edge = (world, media, incoming, token) =>
  listOf(incoming, commentsOf(world, media).map(commentNode), `${media}/comments`, token)

function attach(account: string, incoming: Incoming): Answer {
  return ok({ attachment_id: digitsOf(`${account}/${JSON.stringify(jsonBody(incoming))}`, 15, '5') })
}

const edges: Record<string, Edge> = {
  'POST messages': (world, id, incoming) => sendMessage(world, id, incoming),
  'POST message_attachments': (_, id, incoming) => attach(id, incoming),
  'GET media': (world, id, incoming, token) => listOf(incoming, mediaOf(world, id), `${id}/media`, token),
  'GET stories': (world, id, incoming, token) =>
    listOf(incoming, storiesOf(world, id), `${id}/stories`, token),
  'GET conversations': listConversations,
  'GET comments': comments,
  'POST replies': (world, id, incoming) => publicReply(world, id, incoming),
  'GET subscribed_apps': (world, id) => subscriptions(world, id),
  'POST subscribed_apps': (world, id, incoming) => subscribe(world, id, incoming),
  'DELETE subscribed_apps': (world, id) => unsubscribe(world, id),
  'GET subscriptions': (world, _, incoming) => appSubscriptions(world, incoming),
  'POST subscriptions': (world, _, incoming) => appSubscriptions(world, incoming),
  'DELETE subscriptions': (world, _, incoming) => appSubscriptions(world, incoming),
}

const personFields =
  /is_user_follow_business|is_business_follow_user|is_verified_user|profile_pic\b|follower_count/
const mediaFields = /media_type|media_product_type|permalink|media_url|caption/

/** Who has not written to us does not let us see who they are. */
function person(world: World, id: string, fields: string | null): Answer {
  const known = world.registry.get<{ name?: string; username?: string }>(`socialapp/person/${id}`)
  if (world.strict && !known && !hasWritten(world, id)) throw socialError(230)
  return ok(pick(personNode(world, id, known?.name, known?.username), fields))
}

function hasWritten(world: World, person: string): boolean {
  for (const [key] of world.registry.entries('socialapp/account/'))
    if (world.conversations.lastWritten('socialapp', key.slice('socialapp/account/'.length), person))
      return true
  return false
}

function medium(world: World, id: string, fields: string | null): Answer {
  for (const [key] of world.registry.entries('socialapp/account/')) {
    const account = key.slice('socialapp/account/'.length)
    const found = [...mediaOf(world, account), ...storiesOf(world, account)].find(one => one.id === id)
    if (found) return ok(pick(found, fields))
  }
  throw unknownObject(id)
}

async function node(world: World, id: string, incoming: Incoming): Promise<Answer> {
  const fields = incoming.query.get('fields')
  if (isConversation(id)) return conversationNode(world, id)
  const found = commentOf(world, id)
  if (found) return ok(pick(commentNode(found), fields))
  if (personFields.test(fields ?? '')) return person(world, id, fields)
  if (mediaFields.test(fields ?? '')) return medium(world, id, fields)
  return ok(pick(accountNode(world, id), fields))
}

function refreshed(incoming: Incoming, token: string): Answer {
  if (incoming.query.get('grant_type') !== 'ig_refresh_token')
    throw socialError(100, 'Param grant_type is not valid')
  return ok({ access_token: token, token_type: 'bearer', expires_in: 60 * 86_400 })
}

async function answer(world: World, incoming: Incoming): Promise<Answer> {
  const [first, name, ...more] = incoming.path
  const token = checkToken(incoming)
  if (first === 'refresh_access_token') return refreshed(incoming, token)
  if (first === undefined || more.length > 0) throw new GraphError(2500, 'Unknown path components')
  const id = accountOf(first, token)
  if (isMissing(id)) throw unknownObject(id, incoming.method)
  if (name !== 'messages' && world.faults.request(refOf(id))) throw expiredToken()
  if (name === undefined) {
    if (incoming.method === 'GET') return node(world, id, incoming)
    throw unknownObject(id, incoming.method)
  }
  const edge = edges[`${incoming.method} ${name}`]
  if (!edge) throw new GraphError(2500, `Unknown path components: /${name}`)
  return edge(world, id, incoming, token)
}

export async function socialapp(world: World, incoming: Incoming): Promise<Answer> {
  try {
    return await answer(world, incoming)
  } catch (error) {
    if (error instanceof GraphError) return error.answer()
    throw error
  }
}

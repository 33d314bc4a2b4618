/** The chat provider's addresses. */
import {
  checkToken,
  expiredToken,
  GraphError,
  isMissing,
  jsonBody,
  ok,
  page,
  pick,
  unknownObject,
} from '../graph.ts'
import { appSubscriptions } from '../hooks.ts'
import type { Answer, Incoming } from '../http.ts'
import type { World } from '../world.ts'
import { chatError } from './errors.ts'
import { deleteMedia, mediaNode, uploadMedia } from './media.ts'
import { sendMessage } from './messages.ts'
import { bind, bindListed, change, describe, numbersOf, refOf, wabaOf } from './numbers.ts'
import { configureNumber, subscribedApps } from './subscriptions.ts'
import { createTemplate, deleteTemplate, listFlows, listTemplates, templatesOf } from './templates.ts'

type Edge = (world: World, id: string, incoming: Incoming, token: string) => Promise<Answer> | Answer

interface Filter {
  field?: string
  operator?: string
  value?: string | string[]
}

/** Numbers asked for by id become numbers of this account, made up or not. */
async function askedFor(world: World, waba: string, filtering: string | null): Promise<string[] | undefined> {
  if (!filtering) return undefined
  const filters = JSON.parse(filtering) as Filter[]
  const ids = filters.filter(filter => filter.field === 'id').flatMap(filter => filter.value ?? [])
  if (ids.length === 0) return undefined
  const present = ids.map(String).filter(id => !isMissing(id))
  await Promise.all(present.map(id => bind(world, id, waba)))
  return present.filter(id => wabaOf(world, id) === waba)
}

async function listNumbers(world: World, waba: string, incoming: Incoming, token: string): Promise<Answer> {
  await bindListed(world, waba)
  const asked = await askedFor(world, waba, incoming.query.get('filtering'))
  const ids = asked ?? numbersOf(world, waba)
  const listed = page(incoming, ids, { most: 100, usual: 25, token, path: `${waba}/phone_numbers` })
  const fields = incoming.query.get('fields')
  return ok({ ...listed, data: listed.data.map(id => pick(describe(world, id), fields)) })
}

async function register(world: World, phoneId: string, incoming: Incoming): Promise<Answer> {
  const { messaging_product: product, pin } = jsonBody(incoming)
  if (product !== 'whatsapp') throw new GraphError(100, 'The parameter messaging_product is required.')
  if (!/^\d{6}$/.test(String(pin))) throw chatError(131009, 'pin must have six digits')
  if (String(pin) === '000000') throw new GraphError(133005, 'Two step verification PIN Mismatch')
  await change(world, phoneId, { deregistered: false })
  return ok({ success: true })
}

async function deregister(world: World, phoneId: string): Promise<Answer> {
  await change(world, phoneId, { deregistered: true })
  return ok({ success: true })
}

const profileOf = (phoneId: string) => ({
  messaging_product: 'whatsapp',
  about: 'This number belongs to a sandbox.',
  description: `Sandbox number ${phoneId}`,
  vertical: 'OTHER',
})

const success: Edge = () => ok({ success: true })

const edges: Record<string, Edge> = {
  'POST messages': (world, id, incoming) => sendMessage(world, id, incoming),
  'POST media': (world, id, incoming) => uploadMedia(world, id, incoming),
  'GET phone_numbers': listNumbers,
  'GET message_templates': listTemplates,
  'POST message_templates': (world, id, incoming) => createTemplate(world, id, incoming),
  'DELETE message_templates': (world, id, incoming) => deleteTemplate(world, id, incoming),
  'GET flows': (_, id, incoming, token) => listFlows(id, incoming, token),
  'GET subscribed_apps': (world, id, incoming) => subscribedApps(world, id, incoming),
  'POST subscribed_apps': (world, id, incoming) => subscribedApps(world, id, incoming),
  'DELETE subscribed_apps': (world, id, incoming) => subscribedApps(world, id, incoming),
  'GET subscriptions': (world, _, incoming) => appSubscriptions(world, incoming),
  'POST subscriptions': (world, _, incoming) => appSubscriptions(world, incoming),
  'DELETE subscriptions': (world, _, incoming) => appSubscriptions(world, incoming),
  'POST register': (world, id, incoming) => register(world, id, incoming),
  'POST deregister': (world, id) => deregister(world, id),
  'POST request_code': success,
  'POST verify_code': success,
  'GET whatsapp_business_profile': (_, id, incoming) =>
    ok({ data: [pick(profileOf(id), incoming.query.get('fields'))] }),
  'POST whatsapp_business_profile': success,
  'POST block_users': success,
  'DELETE block_users': success,
}

const accountFields =
  /timezone_id|currency|message_template_namespace|account_review_status|owner_business_info/

function knownTemplate(world: World, id: string): Record<string, unknown> | undefined {
  if (!/^7\d{15}$/.test(id)) return undefined
  const wabas = new Set(
    [...world.registry.entries<{ waba: string }>('chatapp/number/')].map(([, { waba }]) => waba),
  )
  for (const waba of wabas) {
    const found = templatesOf(world, waba).find(template => template.id === id)
    if (found) return { ...found }
  }
  return undefined
}

const accountNode = (id: string) => ({
  id,
  name: `Sandbox ${id}`,
  timezone_id: '1',
  currency: 'USD',
  message_template_namespace: `sandbox_${id}`,
  account_review_status: 'APPROVED',
})

/** GET /{id}: which kind of thing it is shows by what is known of it, else by the fields asked for. */
function node(world: World, id: string, incoming: Incoming): Answer {
  const fields = incoming.query.get('fields')
  const media = world.media.find(id)
  if (media) return mediaNode(world, media, incoming.base)
  if (/^9\d{15}$/.test(id)) throw unknownObject(id)
  const template = knownTemplate(world, id)
  if (template) return ok(pick(template, fields))
  const isAccount = world.registry.get(`chatapp/waba/${id}`) || accountFields.test(fields ?? '')
  return ok(pick(isAccount ? accountNode(id) : describe(world, id), fields))
}

async function onNode(world: World, id: string, incoming: Incoming): Promise<Answer> {
  if (incoming.method === 'GET') return node(world, id, incoming)
  const media = world.media.find(id)
  if (incoming.method === 'DELETE' && media) return deleteMedia(world, media)
  if (incoming.method === 'POST') return configureNumber(world, id, incoming)
  throw unknownObject(id, incoming.method)
}

function debugToken(incoming: Incoming): Answer {
  const token = incoming.query.get('input_token') ?? ''
  const isValid = token !== '' && !/^(expired|invalid)/.test(token)
  return ok({
    data: { is_valid: isValid, type: 'SYSTEM_USER', expires_at: 0, scopes: ['whatsapp_business_messaging'] },
  })
}

export async function chatapp(world: World, incoming: Incoming): Promise<Answer> {
  try {
    const [id, name, ...more] = incoming.path
    const token = checkToken(incoming)
    if (id === 'debug_token') return debugToken(incoming)
    if (id === undefined || more.length > 0) throw new GraphError(2500, 'Unknown path components')
    if (isMissing(id)) throw unknownObject(id, incoming.method)
    if (name !== 'messages' && world.faults.request(refOf(id))) throw expiredToken()
    if (name === undefined) return await onNode(world, id, incoming)
    const edge = edges[`${incoming.method} ${name}`]
    if (!edge) throw new GraphError(2500, `Unknown path components: /${name}`)
    return await edge(world, id, incoming, token)
  } catch (error) {
    if (error instanceof GraphError) return error.answer('whatsapp')
    throw error
  }
}

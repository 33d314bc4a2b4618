/** The chat provider's addresses. */

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
  unknownObject,
} from '../graph/graph.ts'
import { handleAppSubscriptions } from '../graph/webhook-subscriptions.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { chatError } from './errors.ts'
import { deleteMedia, mediaNode, uploadMedia } from './media.ts'
import { sendMessage } from './messages.ts'
import {
  assignDefaultNumbers,
  assignNumber,
  getWaba,
  listNumberIds,
  numberToApi,
  toAccountRef,
  updateNumber,
} from './numbers.ts'
import { configureNumber, handleSubscribedApps } from './subscriptions.ts'
import { createTemplate, deleteTemplate, listFlows, listStoredTemplates, listTemplates } from './templates.ts'

type EdgeHandler = (
  world: SandboxContext,
  id: string,
  incoming: HttpRequest,
  token: string,
) => Promise<HttpResponse> | HttpResponse

interface Filter {
  field?: string
  operator?: string
  value?: string | string[]
}

/** Numbers asked for by id become numbers of this account, made up or not. */
async function resolveRequestedNumbers(
  world: SandboxContext,
  waba: string,
  filtering: string | null,
): Promise<string[] | undefined> {
  if (!filtering) return undefined
  const filters = JSON.parse(filtering) as Filter[]
  const ids = filters.filter(filter => filter.field === 'id').flatMap(filter => filter.value ?? [])
  if (ids.length === 0) return undefined
  const present = ids.map(String).filter(id => !isMissing(id))
  await Promise.all(present.map(id => assignNumber(world, id, waba)))
  return present.filter(id => getWaba(world, id) === waba)
}

async function listNumbers(
  world: SandboxContext,
  waba: string,
  incoming: HttpRequest,
  token: string,
): Promise<HttpResponse> {
  await assignDefaultNumbers(world, waba)
  const asked = await resolveRequestedNumbers(world, waba, incoming.query.get('filtering'))
  const ids = asked ?? listNumberIds(world, waba)
  const listed = paginate(incoming, ids, {
    maxSize: 100,
    defaultSize: 25,
    token,
    path: `${waba}/phone_numbers`,
  })
  const fields = incoming.query.get('fields')
  return ok({ ...listed, data: listed.data.map(id => pickFields(numberToApi(world, id), fields)) })
}

async function register(
  world: SandboxContext,
  phoneId: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const { messaging_product: product, pin } = jsonBody(incoming)
  if (product !== 'whatsapp') throw new GraphError(100, 'The parameter messaging_product is required.')
  if (!/^\d{6}$/.test(String(pin))) throw chatError(131009, 'pin must have six digits')
  if (String(pin) === '000000') throw new GraphError(133005, 'Two step verification PIN Mismatch')
  await updateNumber(world, phoneId, { deregistered: false })
  return ok({ success: true })
}

async function deregister(world: SandboxContext, phoneId: string): Promise<HttpResponse> {
  await updateNumber(world, phoneId, { deregistered: true })
  return ok({ success: true })
}

const profileToApi = (phoneId: string) => ({
  messaging_product: 'whatsapp',
  about: 'This number belongs to a sandbox.',
  description: `Sandbox number ${phoneId}`,
  vertical: 'OTHER',
})

const success: EdgeHandler = () => ok({ success: true })

const edges: Record<string, EdgeHandler> = {
  'POST messages': (world, id, incoming) => sendMessage(world, id, incoming),
  'POST media': (world, id, incoming) => uploadMedia(world, id, incoming),
  'GET phone_numbers': listNumbers,
  'GET message_templates': listTemplates,
  'POST message_templates': (world, id, incoming) => createTemplate(world, id, incoming),
  'DELETE message_templates': (world, id, incoming) => deleteTemplate(world, id, incoming),
  'GET flows': (_, id, incoming, token) => listFlows(id, incoming, token),
  'GET subscribed_apps': (world, id, incoming) => handleSubscribedApps(world, id, incoming),
  'POST subscribed_apps': (world, id, incoming) => handleSubscribedApps(world, id, incoming),
  'DELETE subscribed_apps': (world, id, incoming) => handleSubscribedApps(world, id, incoming),
  'GET subscriptions': (world, _, incoming) => handleAppSubscriptions(world, incoming),
  'POST subscriptions': (world, _, incoming) => handleAppSubscriptions(world, incoming),
  'DELETE subscriptions': (world, _, incoming) => handleAppSubscriptions(world, incoming),
  'POST register': (world, id, incoming) => register(world, id, incoming),
  'POST deregister': (world, id) => deregister(world, id),
  'POST request_code': success,
  'POST verify_code': success,
  'GET whatsapp_business_profile': (_, id, incoming) =>
    ok({ data: [pickFields(profileToApi(id), incoming.query.get('fields'))] }),
  'POST whatsapp_business_profile': success,
  'POST block_users': success,
  'DELETE block_users': success,
}

const accountFields =
  /timezone_id|currency|message_template_namespace|account_review_status|owner_business_info/

function findTemplateById(world: SandboxContext, id: string): Record<string, unknown> | undefined {
  if (!/^7\d{15}$/.test(id)) return undefined
  const wabas = new Set(
    [...world.registry.entries<{ waba: string }>('chatapp/number/')].map(([, { waba }]) => waba),
  )
  for (const waba of wabas) {
    const found = listStoredTemplates(world, waba).find(template => template.id === id)
    if (found) return { ...found }
  }
  return undefined
}

const accountToApi = (id: string) => ({
  id,
  name: `Sandbox ${id}`,
  timezone_id: '1',
  currency: 'USD',
  message_template_namespace: `sandbox_${id}`,
  account_review_status: 'APPROVED',
})

/** GET /{id}: which kind of thing it is shows by what is known of it, else by the fields asked for. */
function getNode(world: SandboxContext, id: string, incoming: HttpRequest): HttpResponse {
  const fields = incoming.query.get('fields')
  const media = world.media.find(id)
  if (media) return mediaNode(world, media, incoming.base)
  if (/^9\d{15}$/.test(id)) throw unknownObject(id)
  const template = findTemplateById(world, id)
  if (template) return ok(pickFields(template, fields))
  const isAccount = world.registry.get(`chatapp/waba/${id}`) || accountFields.test(fields ?? '')
  return ok(pickFields(isAccount ? accountToApi(id) : numberToApi(world, id), fields))
}

async function handleNode(world: SandboxContext, id: string, incoming: HttpRequest): Promise<HttpResponse> {
  if (incoming.method === 'GET') return getNode(world, id, incoming)
  const media = world.media.find(id)
  if (incoming.method === 'DELETE' && media) return deleteMedia(world, media)
  if (incoming.method === 'POST') return configureNumber(world, id, incoming)
  throw unknownObject(id, incoming.method)
}

function debugToken(incoming: HttpRequest): HttpResponse {
  const token = incoming.query.get('input_token') ?? ''
  const isValid = token !== '' && !/^(expired|invalid)/.test(token)
  return ok({
    data: { is_valid: isValid, type: 'SYSTEM_USER', expires_at: 0, scopes: ['whatsapp_business_messaging'] },
  })
}

export async function handleChatapp(world: SandboxContext, incoming: HttpRequest): Promise<HttpResponse> {
  try {
    const [id, name, ...more] = incoming.path
    const token = checkToken(incoming)
    if (id === 'debug_token') return debugToken(incoming)
    if (id === undefined || more.length > 0) throw new GraphError(2500, 'Unknown path components')
    if (isMissing(id)) throw unknownObject(id, incoming.method)
    if (name !== 'messages' && world.faults.matchRequest(toAccountRef(id))) throw expiredToken()
    if (name === undefined) return await handleNode(world, id, incoming)
    const edge = edges[`${incoming.method} ${name}`]
    if (!edge) throw new GraphError(2500, `Unknown path components: /${name}`)
    return await edge(world, id, incoming, token)
  } catch (error) {
    if (error instanceof GraphError) return error.toResponse('whatsapp')
    throw error
  }
}

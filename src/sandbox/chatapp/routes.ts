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
  context: SandboxContext,
  id: string,
  request: HttpRequest,
  token: string,
) => Promise<HttpResponse> | HttpResponse

interface Filter {
  field?: string
  operator?: string
  value?: string | string[]
}

/** Assigns the numbers requested by id to this account and returns those it owns. */
async function resolveRequestedNumbers(
  context: SandboxContext,
  waba: string,
  filtering: string | null,
): Promise<string[] | undefined> {
  if (!filtering) return undefined
  const filters = JSON.parse(filtering) as Filter[]
  const ids = filters.filter(filter => filter.field === 'id').flatMap(filter => filter.value ?? [])
  if (ids.length === 0) return undefined
  const present = ids.map(String).filter(id => !isMissing(id))
  await Promise.all(present.map(id => assignNumber(context, id, waba)))
  return present.filter(id => getWaba(context, id) === waba)
}

async function listNumbers(
  context: SandboxContext,
  waba: string,
  request: HttpRequest,
  token: string,
): Promise<HttpResponse> {
  await assignDefaultNumbers(context, waba)
  const requested = await resolveRequestedNumbers(context, waba, request.query.get('filtering'))
  const ids = requested ?? listNumberIds(context, waba)
  const listed = paginate(request, ids, {
    maxSize: 100,
    defaultSize: 25,
    token,
    path: `${waba}/phone_numbers`,
  })
  const fields = request.query.get('fields')
  return ok({ ...listed, data: listed.data.map(id => pickFields(numberToApi(context, id), fields)) })
}

async function register(
  context: SandboxContext,
  phoneId: string,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { messaging_product: product, pin } = jsonBody(request)
  if (product !== 'whatsapp') throw new GraphError(100, 'The parameter messaging_product is required.')
  if (!/^\d{6}$/.test(String(pin))) throw chatError(131009, 'pin must have six digits')
  if (String(pin) === '000000') throw new GraphError(133005, 'Two step verification PIN Mismatch')
  await updateNumber(context, phoneId, { deregistered: false })
  return ok({ success: true })
}

async function deregister(context: SandboxContext, phoneId: string): Promise<HttpResponse> {
  await updateNumber(context, phoneId, { deregistered: true })
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
  'POST messages': (context, id, request) => sendMessage(context, id, request),
  'POST media': (context, id, request) => uploadMedia(context, id, request),
  'GET phone_numbers': listNumbers,
  'GET message_templates': listTemplates,
  'POST message_templates': (context, id, request) => createTemplate(context, id, request),
  'DELETE message_templates': (context, id, request) => deleteTemplate(context, id, request),
  'GET flows': (_, id, request, token) => listFlows(id, request, token),
  'GET subscribed_apps': (context, id, request) => handleSubscribedApps(context, id, request),
  'POST subscribed_apps': (context, id, request) => handleSubscribedApps(context, id, request),
  'DELETE subscribed_apps': (context, id, request) => handleSubscribedApps(context, id, request),
  'GET subscriptions': (context, _, request) => handleAppSubscriptions(context, request),
  'POST subscriptions': (context, _, request) => handleAppSubscriptions(context, request),
  'DELETE subscriptions': (context, _, request) => handleAppSubscriptions(context, request),
  'POST register': (context, id, request) => register(context, id, request),
  'POST deregister': (context, id) => deregister(context, id),
  'POST request_code': success,
  'POST verify_code': success,
  'GET whatsapp_business_profile': (_, id, request) =>
    ok({ data: [pickFields(profileToApi(id), request.query.get('fields'))] }),
  'POST whatsapp_business_profile': success,
  'POST block_users': success,
  'DELETE block_users': success,
}

const accountFields =
  /timezone_id|currency|message_template_namespace|account_review_status|owner_business_info/

function findTemplateById(context: SandboxContext, id: string): Record<string, unknown> | undefined {
  if (!/^7\d{15}$/.test(id)) return undefined
  const wabas = new Set(
    [...context.registry.entries<{ waba: string }>('chatapp/number/')].map(([, { waba }]) => waba),
  )
  for (const waba of wabas) {
    const template = listStoredTemplates(context, waba).find(candidate => candidate.id === id)
    if (template) return { ...template }
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

/** GET /{id}: media, template, business account or number, recognised by stored data or by the requested fields. */
function getNode(context: SandboxContext, id: string, request: HttpRequest): HttpResponse {
  const fields = request.query.get('fields')
  const media = context.media.find(id)
  if (media) return mediaNode(context, media, request.base)
  if (/^9\d{15}$/.test(id)) throw unknownObject(id)
  const template = findTemplateById(context, id)
  if (template) return ok(pickFields(template, fields))
  const isAccount = context.registry.get(`chatapp/waba/${id}`) || accountFields.test(fields ?? '')
  return ok(pickFields(isAccount ? accountToApi(id) : numberToApi(context, id), fields))
}

async function handleNode(context: SandboxContext, id: string, request: HttpRequest): Promise<HttpResponse> {
  if (request.method === 'GET') return getNode(context, id, request)
  const media = context.media.find(id)
  if (request.method === 'DELETE' && media) return deleteMedia(context, media)
  if (request.method === 'POST') return configureNumber(context, id, request)
  throw unknownObject(id, request.method)
}

function debugToken(request: HttpRequest): HttpResponse {
  const token = request.query.get('input_token') ?? ''
  const isValid = token !== '' && !/^(expired|invalid)/.test(token)
  return ok({
    data: { is_valid: isValid, type: 'SYSTEM_USER', expires_at: 0, scopes: ['whatsapp_business_messaging'] },
  })
}

export async function handleChatapp(context: SandboxContext, request: HttpRequest): Promise<HttpResponse> {
  try {
    const [id, name, ...more] = request.path
    const token = checkToken(request)
    if (id === 'debug_token') return debugToken(request)
    if (id === undefined || more.length > 0) throw new GraphError(2500, 'Unknown path components')
    if (isMissing(id)) throw unknownObject(id, request.method)
    if (name !== 'messages' && context.faults.matchRequest(toAccountRef(id))) throw expiredToken()
    if (name === undefined) return await handleNode(context, id, request)
    const edge = edges[`${request.method} ${name}`]
    if (!edge) throw new GraphError(2500, `Unknown path components: /${name}`)
    return await edge(context, id, request, token)
  } catch (error) {
    if (error instanceof GraphError) return error.toResponse('whatsapp')
    throw error
  }
}

import type { SandboxContext } from '../context.ts'
import {
  type EdgeHandler,
  GraphError,
  graphHandler,
  isMissing,
  jsonBody,
  ok,
  pickFields,
  respondWithPage,
  unknownObject,
} from '../graph/graph.ts'
import { handleAppSubscriptions } from '../graph/webhook-subscriptions.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { chatError } from './errors.ts'
import { getFlowDefinition, listFlowAssets, listFlows } from './flows.ts'
import { deleteMedia, mediaNode, uploadMedia } from './media.ts'
import { sendMessage } from './messages.ts'
import {
  assignDefaultNumbers,
  assignNumber,
  getWaba,
  listNumberIds,
  numberToApi,
  updateNumber,
} from './numbers.ts'
import { configureNumber, handleSubscribedApps } from './subscriptions.ts'
import { createTemplate, deleteTemplate, listStoredTemplates, listTemplates } from './templates.ts'

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

const listNumbers: EdgeHandler = async (context, waba, request, token) => {
  await assignDefaultNumbers(context, waba)
  const requested = await resolveRequestedNumbers(context, waba, request.query.get('filtering'))
  const ids = requested ?? listNumberIds(context, waba)
  const options = { maxSize: 100, token, path: `${waba}/phone_numbers` }
  return respondWithPage(request, ids, options, id => numberToApi(context, id))
}

const register: EdgeHandler = async (context, phoneId, request) => {
  const { messaging_product: product, pin } = jsonBody(request)
  if (product !== 'whatsapp') throw new GraphError(100, 'The parameter messaging_product is required.')
  if (!/^\d{6}$/.test(String(pin))) throw chatError(131009, 'pin must have six digits')
  if (String(pin) === '000000') throw new GraphError(133005, 'Two step verification PIN Mismatch')
  await updateNumber(context, phoneId, { deregistered: false })
  return ok({ success: true })
}

const deregister: EdgeHandler = async (context, phoneId) => {
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
  'POST messages': sendMessage,
  'POST media': uploadMedia,
  'GET phone_numbers': listNumbers,
  'GET message_templates': listTemplates,
  'POST message_templates': createTemplate,
  'DELETE message_templates': deleteTemplate,
  'GET flows': listFlows,
  'GET assets': listFlowAssets,
  'GET flow.json': getFlowDefinition,
  'GET subscribed_apps': handleSubscribedApps,
  'POST subscribed_apps': handleSubscribedApps,
  'DELETE subscribed_apps': handleSubscribedApps,
  'GET subscriptions': handleAppSubscriptions,
  'POST subscriptions': handleAppSubscriptions,
  'DELETE subscriptions': handleAppSubscriptions,
  'POST register': register,
  'POST deregister': deregister,
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

const handleNode: EdgeHandler = (context, id, request, token) => {
  if (request.method === 'GET') return getNode(context, id, request)
  const media = context.media.find(id)
  if (request.method === 'DELETE' && media) return deleteMedia(context, media)
  if (request.method === 'POST') return configureNumber(context, id, request, token)
  throw unknownObject(id, request.method)
}

function debugToken(request: HttpRequest): HttpResponse {
  const token = request.query.get('input_token') ?? ''
  const isValid = token !== '' && !/^(expired|invalid)/.test(token)
  return ok({
    data: { is_valid: isValid, type: 'SYSTEM_USER', expires_at: 0, scopes: ['whatsapp_business_messaging'] },
  })
}

export const handleChatapp = graphHandler({
  channel: 'chatapp',
  product: 'whatsapp',
  calls: { debug_token: debugToken },
  node: handleNode,
  edges,
})

/** Reads phone numbers, templates and flows of a chatapp business account. */
import {
  asRecords,
  asText,
  downloadGraphText,
  fetchAllPages,
  fetchPage,
  type GraphAccess,
  type GraphPage,
  type Json,
  parseJson,
} from '../graph.ts'
import { ProviderCallError } from '../http-client.ts'
import { classifyChatappError } from './errors.ts'

const numberFields =
  'id,display_phone_number,verified_name,code_verification_status,quality_rating,status,throughput,webhook_configuration'

const edge = (id: string, name: string): string => `${encodeURIComponent(id)}/${name}`

export function listNumbers(access: GraphAccess, wabaId: string): Promise<Json[]> {
  const query = { fields: numberFields, limit: '100' }
  return fetchAllPages(access, { path: edge(wabaId, 'phone_numbers'), query }, classifyChatappError)
}

export async function findNumbers(access: GraphAccess, wabaId: string, ids: string[]): Promise<Json[]> {
  const filtering = JSON.stringify([{ field: 'id', operator: 'IN', value: ids }])
  const query = { fields: numberFields, limit: '100', filtering }
  const call = { path: edge(wabaId, 'phone_numbers'), query }
  const listed = await fetchAllPages(access, call, classifyChatappError).catch(error => {
    // Some API versions do not support filtering.
    if (error instanceof ProviderCallError && error.failure.code === 'rejected')
      return listNumbers(access, wabaId)
    throw error
  })
  return listed.filter(number => ids.includes(String(number.id)))
}

export interface TemplateButton {
  type: string
  url?: string
}

export interface TemplatePart {
  type: string
  format?: string
  text?: string
  buttons?: TemplateButton[]
}

export interface Template {
  id: string
  name: string
  language: string
  status: string
  category: string
  parameter_format?: string
  components: (TemplatePart & Json)[]
}

const templateFields = 'id,name,language,status,category,components,parameter_format'

export function parseTemplate(node: Json): Template {
  return {
    id: asText(node.id) ?? '',
    name: asText(node.name) ?? '',
    language: asText(node.language) ?? '',
    status: asText(node.status) ?? 'UNKNOWN',
    category: asText(node.category) ?? 'UNKNOWN',
    ...(asText(node.parameter_format) ? { parameter_format: String(node.parameter_format) } : {}),
    components: asRecords(node.components).map(part => ({
      ...part,
      type: String(part.type),
      ...(Array.isArray(part.buttons) ? { buttons: asRecords(part.buttons) as never } : {}),
    })) as Template['components'],
  }
}

/** Finds a template in all languages. The provider also returns names that merely contain this one. */
export async function findTemplates(access: GraphAccess, wabaId: string, name: string): Promise<Template[]> {
  const query = { fields: templateFields, name, limit: '100' }
  const call = { path: edge(wabaId, 'message_templates'), query, timeoutMs: 5_000 }
  const nodes = await fetchAllPages(access, call, classifyChatappError)
  return nodes.map(parseTemplate).filter(template => template.name === name)
}

export interface Flow {
  id: string
  status: string
}

export async function listAllFlows(access: GraphAccess, wabaId: string): Promise<Flow[]> {
  const query = { fields: 'id,status', limit: '100' }
  const call = { path: edge(wabaId, 'flows'), query, timeoutMs: 5_000 }
  const nodes = await fetchAllPages(access, call, classifyChatappError)
  return nodes.map(node => ({ id: asText(node.id) ?? '', status: asText(node.status) ?? 'UNKNOWN' }))
}

/** Fixed page size: page tokens contain positions within a page. */
const pageSize = '100'

export function fetchTemplatePage(
  access: GraphAccess,
  wabaId: string,
  after: string | undefined,
): Promise<GraphPage> {
  const query = { fields: templateFields, limit: pageSize }
  return fetchPage(access, { path: edge(wabaId, 'message_templates'), query }, classifyChatappError, after)
}

export function fetchFlowPage(
  access: GraphAccess,
  wabaId: string,
  after: string | undefined,
): Promise<GraphPage> {
  const query = { fields: 'id,name,status,categories', limit: pageSize }
  return fetchPage(access, { path: edge(wabaId, 'flows'), query }, classifyChatappError, after)
}

const maxDefinitionBytes = 2 << 20

/** Undefined if the flow has no definition, or one that is too large to be shown. */
export async function fetchFlowDefinition(access: GraphAccess, flowId: string): Promise<Json | undefined> {
  const assets = await fetchAllPages(access, { path: edge(flowId, 'assets') }, classifyChatappError)
  const url = asText(assets.find(asset => asset.asset_type === 'FLOW_JSON')?.download_url)
  if (!url) return undefined
  const text = await downloadGraphText(access, url, maxDefinitionBytes)
  return text === undefined ? undefined : parseJson(text)
}

/** Only numbers in this status can send. */
export const isRegistered = (number: Json): boolean => number.status === 'CONNECTED'

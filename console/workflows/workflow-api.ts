/** Requests about journeys and chatbots, which have the same operations under different paths. */
import { api, call, type Schemas } from '../api/client.ts'
import { newIntent } from '../settings/common/tasks.ts'

export type Kind = 'journey' | 'chatbot'
export type Workflow = (Schemas['ListedJourney'] | Schemas['ListedChatbot']) & { position?: number }
export type Status = Workflow['status']
export type Template = Schemas['WorkflowTemplate']
export type TemplateParameter = Schemas['WorkflowTemplateParameter']
type Created = Pick<Workflow, 'id' | 'name'>

export const statuses: readonly Status[] = ['draft', 'active', 'paused']

/** The address of the editor. */
export const toAddress = (kind: Kind, id: string) => `/${kind}s/${id}` as '/journeys'

interface Filter {
  search?: string
  status?: Status
}

interface Page {
  items: Workflow[]
  nextPageToken: string | null
}

async function fetchPage(
  kind: Kind,
  filter: Filter & { pageToken?: string },
  pageSize: number,
): Promise<Page> {
  const params = { query: { pageSize, ...filter } }
  if (kind === 'journey') {
    const { journeys, nextPageToken } = await call(api.GET('/journeys', { params }))
    return { items: journeys, nextPageToken }
  }
  const { chatbots, nextPageToken } = await call(api.GET('/chatbots', { params }))
  return { items: chatbots, nextPageToken }
}

/** Reads the first pages. */
export async function fetchWorkflows(kind: Kind, filter: Filter, pages: number, pageSize = 50) {
  const items: Workflow[] = []
  let pageToken: string | null = null
  for (let page = 0; page < pages; page++) {
    const found = await fetchPage(kind, { ...filter, ...(pageToken ? { pageToken } : {}) }, pageSize)
    items.push(...found.items)
    pageToken = found.nextPageToken
    if (pageToken === null) break
  }
  return { items, hasMore: pageToken !== null }
}

const at = (id: string) => ({ path: { id } })
const posting = (id: string) => ({ params: { ...at(id), ...newIntent() } })

export function publish(kind: Kind, id: string): Promise<unknown> {
  return kind === 'journey'
    ? call(api.POST('/journeys/{id}/publish', posting(id)))
    : call(api.POST('/chatbots/{id}/publish', posting(id)))
}

export function activate(kind: Kind, id: string): Promise<unknown> {
  return kind === 'journey'
    ? call(api.POST('/journeys/{id}/activate', posting(id)))
    : call(api.POST('/chatbots/{id}/activate', posting(id)))
}

export function pause(kind: Kind, id: string): Promise<unknown> {
  return kind === 'journey'
    ? call(api.POST('/journeys/{id}/pause', posting(id)))
    : call(api.POST('/chatbots/{id}/pause', posting(id)))
}

export function remove(kind: Kind, id: string): Promise<unknown> {
  return kind === 'journey'
    ? call(api.DELETE('/journeys/{id}', { params: at(id) }))
    : call(api.DELETE('/chatbots/{id}', { params: at(id) }))
}

export function duplicate(kind: Kind, id: string): Promise<Created> {
  return kind === 'journey'
    ? call(api.POST('/journeys/{id}/duplicate', posting(id)))
    : call(api.POST('/chatbots/{id}/duplicate', posting(id)))
}

type Intent = ReturnType<typeof newIntent>

export function createEmpty(kind: Kind, name: string, params: Intent): Promise<Created> {
  return kind === 'journey'
    ? call(api.POST('/journeys', { params, body: { name } }))
    : call(api.POST('/chatbots', { params, body: { name } }))
}

export type FromTemplate = Schemas['NewFromTemplate']

export function createFromTemplate(kind: Kind, body: FromTemplate, params: Intent): Promise<Created> {
  return kind === 'journey'
    ? call(api.POST('/journeys/from-template', { params, body }))
    : call(api.POST('/chatbots/from-template', { params, body }))
}

export async function fetchTemplates(kind: Kind, locale: 'en' | 'de'): Promise<Template[]> {
  return (await call(api.GET('/workflow-templates', { params: { query: { kind, locale } } }))).templates
}

export function setOrder(chatbotIds: string[]): Promise<unknown> {
  return call(api.PUT('/chatbots/order', { body: { chatbotIds } }))
}

/** The operations of journeys and chatbots that the builder calls, under one name for both kinds. */
import { api, call, type Schemas } from '../../api/client.ts'
import { type Catalogue, type Definition, type WorkflowKind, withStart } from '../model/definition.ts'
import { arrange, placeAfter } from '../model/layout.ts'

const createKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

export interface Workflow {
  id: string
  name: string
  status: 'draft' | 'active' | 'paused'
  revision: number
  publishedVersionId: string | null
  updatedAt: string
  updatedBy: string | null
  pauseMessage: string | undefined
  definition: Definition
}

const fromJourney = ({ definition, ...journey }: Schemas['Journey']): Workflow =>
  toWorkflow(journey, definition)
const fromChatbot = ({ draft, ...chatbot }: Schemas['Chatbot']): Workflow => toWorkflow(chatbot, draft)

function toWorkflow(
  common: Omit<Schemas['Journey'], 'definition' | 'tenantId' | 'entryMode' | 'triggerConfig' | 'cooldown'>,
  definition: Definition,
): Workflow {
  const { id, name, status, revision, publishedVersionId, updatedAt, updatedBy, pauseReason } = common
  const pauseMessage = pauseReason?.message
  return { id, name, status, revision, publishedVersionId, updatedAt, updatedBy, pauseMessage, definition }
}

export async function fetchWorkflow(kind: WorkflowKind, id: string, catalogue: Catalogue): Promise<Workflow> {
  const params = { path: { id } }
  const workflow =
    kind === 'journey'
      ? fromJourney(await call(api.GET('/journeys/{id}', { params })))
      : fromChatbot(await call(api.GET('/chatbots/{id}', { params })))
  return { ...workflow, definition: await placeNodes(withStart(workflow.definition, kind), catalogue, kind) }
}

/** Nodes that were created without a position are given one, which is saved with the next change. */
async function placeNodes(
  definition: Definition,
  catalogue: Catalogue,
  kind: WorkflowKind,
): Promise<Definition> {
  if (definition.nodes.every(({ position }) => position)) return definition
  const isNew = definition.nodes.every(({ position }) => !position)
  const arranged = isNew ? await arrange(definition, catalogue, kind) : undefined
  let placed = definition
  for (const node of definition.nodes) {
    if (node.position) continue
    const position = arranged?.get(node.id) ?? placeAfter(placed, placed.nodes[0])
    placed = { ...placed, nodes: placed.nodes.map(item => (item === node ? { ...node, position } : item)) }
  }
  return placed
}

export interface Changes {
  name?: string
  definition?: Definition
}

/** Returns the revision after the change. */
export async function saveWorkflow(
  kind: WorkflowKind,
  id: string,
  revision: number,
  { name, definition }: Changes,
): Promise<Workflow> {
  const params = { path: { id }, header: { 'If-Match': `"${revision}"` } }
  const named = name === undefined ? {} : { name }
  return kind === 'journey'
    ? fromJourney(
        await call(
          api.PATCH('/journeys/{id}', { params, body: { ...named, ...(definition ? { definition } : {}) } }),
        ),
      )
    : fromChatbot(
        await call(
          api.PATCH('/chatbots/{id}', {
            params,
            body: { ...named, ...(definition ? { draft: definition } : {}) },
          }),
        ),
      )
}

export function validateWorkflow(kind: WorkflowKind, id: string, definition: Definition) {
  const params = { path: { id } }
  return kind === 'journey'
    ? call(api.POST('/journeys/{id}/validate', { params, body: { definition } }))
    : call(api.POST('/chatbots/{id}/validate', { params, body: { draft: definition } }))
}

export function publishWorkflow(kind: WorkflowKind, id: string, revision: number, note: string) {
  const header = { 'If-Match': `"${revision}"`, 'Idempotency-Key': createKey() }
  const params = { path: { id }, header }
  const body = note.trim() === '' ? {} : { note: note.trim() }
  return kind === 'journey'
    ? call(api.POST('/journeys/{id}/publish', { params, body }))
    : call(api.POST('/chatbots/{id}/publish', { params, body }))
}

export async function setActive(kind: WorkflowKind, id: string, isActive: boolean): Promise<Workflow> {
  const params = { path: { id }, header: { 'Idempotency-Key': createKey() } }
  if (kind === 'journey')
    return fromJourney(
      await call(
        isActive
          ? api.POST('/journeys/{id}/activate', { params })
          : api.POST('/journeys/{id}/pause', { params }),
      ),
    )
  return fromChatbot(
    await call(
      isActive
        ? api.POST('/chatbots/{id}/activate', { params })
        : api.POST('/chatbots/{id}/pause', { params }),
    ),
  )
}

/** Returns the definition of the published version. */
export async function fetchVersion(kind: WorkflowKind, id: string, versionId: string): Promise<Definition> {
  const { definition } =
    kind === 'journey'
      ? await call(api.GET('/journeys/versions/{versionId}', { params: { path: { versionId } } }))
      : await call(api.GET('/chatbots/{id}/versions/{versionId}', { params: { path: { id, versionId } } }))
  return definition
}

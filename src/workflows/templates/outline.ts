/** Writes a definition in a short form: nodes by their id, and edges as texts. */
import type { WorkflowDefinition } from '../schemas.ts'

type Data = Record<string, unknown>

export interface Outline {
  trigger?: Data
  entryMode?: string
  /** Further data of the start node. */
  start?: Data
  nodes: Record<string, readonly [type: string, data?: Data]>
  /** `a > b`, or `a:output > b`; the start node is `start`. */
  edges: readonly string[]
}

/** Takes nodes as `{id: [type, data]}` and edges as `a > b` or `a:output > b`. */
export function buildDefinition(nodes: Outline['nodes'], edges: readonly string[]): WorkflowDefinition {
  return {
    nodes: Object.entries(nodes).map(([id, [type, data = {}]]) => ({ id, type, data })),
    edges: edges.map((edge, i) => {
      const [from, target] = edge.split('>').map(part => part.trim()) as [string, string]
      const [source, sourceHandle] = from.split(':') as [string, string?]
      return { id: `e${i}`, source, target, ...(sourceHandle ? { sourceHandle } : {}) }
    }),
  }
}

/** Returns the definition with a start node, which runs enter every time unless the outline says otherwise. */
export function toDefinition(outline: Outline): WorkflowDefinition {
  const { trigger, entryMode = 'every_time', start: more, nodes, edges } = outline
  const start = { ...more, ...(trigger ? { triggerConfig: { conditions: {}, ...trigger } } : {}), entryMode }
  return buildDefinition({ start: ['start', start], ...nodes }, edges)
}

export const text = (body: string) => ({ type: 'text', text: { body } })

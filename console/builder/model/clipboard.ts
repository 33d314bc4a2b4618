/** Nodes in the clipboard: JSON with a marker, so that they can be pasted into another workflow, tab or workspace. */
import type { Definition, DefinitionEdge, DefinitionNode, Position } from './definition.ts'
import { maxNodes } from './definition.ts'
import { createId } from './edits.ts'

const marker = 'parley/workflow-nodes@1'

interface Clip {
  nodes: DefinitionNode[]
  edges: DefinitionEdge[]
}

/** Returns the nodes, other than the start, with the edges between them as text; undefined if there is none. */
export function copyNodes(definition: Definition, ids: ReadonlySet<string>): string | undefined {
  const nodes = definition.nodes.filter(({ id, type }) => ids.has(id) && type !== 'start')
  if (nodes.length === 0) return undefined
  const copied = new Set(nodes.map(({ id }) => id))
  const edges = definition.edges.filter(({ source, target }) => copied.has(source) && copied.has(target))
  return JSON.stringify({ type: marker, nodes, edges }, null, 2)
}

/** Returns what the text contains if it was copied from a builder. */
export function readClip(text: string): Clip | undefined {
  if (!text.includes(marker)) return undefined
  try {
    const { type, nodes, edges } = JSON.parse(text) as Clip & { type: unknown }
    const isClip = type === marker && Array.isArray(nodes) && Array.isArray(edges)
    return isClip && nodes.every(isNode) && edges.every(isEdge) ? { nodes, edges } : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isNode = (node: unknown) =>
  isObject(node) &&
  typeof (node as DefinitionNode).id === 'string' &&
  typeof (node as DefinitionNode).type === 'string' &&
  isObject((node as DefinitionNode).data)

const isEdge = (edge: unknown) =>
  isObject(edge) &&
  typeof (edge as DefinitionEdge).source === 'string' &&
  typeof (edge as DefinitionEdge).target === 'string'

const isPosition = (position: unknown): position is Position =>
  isObject(position) && Number.isFinite((position as Position).x) && Number.isFinite((position as Position).y)

export interface Pasted {
  definition: Definition
  ids: string[]
}

/** Adds the nodes with ids of their own, the upper left one at the position. */
export function pasteClip(definition: Definition, clip: Clip, at: Position): Pasted {
  const fresh = new Map(clip.nodes.map(({ id, type }) => [id, createId(type)]))
  const positions = clip.nodes.map(({ position }) => (isPosition(position) ? position : { x: 0, y: 0 }))
  const left = Math.min(...positions.map(({ x }) => x))
  const top = Math.min(...positions.map(({ y }) => y))
  const nodes = clip.nodes.slice(0, Math.max(0, maxNodes - definition.nodes.length)).map((node, i) => ({
    id: fresh.get(node.id)!,
    type: node.type,
    data: withFreshTargets(node, fresh),
    position: { x: at.x + positions[i]!.x - left, y: at.y + positions[i]!.y - top },
  }))
  const added = new Set(nodes.map(({ id }) => id))
  const edges = clip.edges.flatMap(({ source, target, sourceHandle }): DefinitionEdge[] => {
    const [from, to] = [fresh.get(source), fresh.get(target)]
    if (!from || !to || !added.has(from) || !added.has(to)) return []
    return [{ id: createId('edge'), source: from, target: to, sourceHandle: sourceHandle ?? null }]
  })
  return {
    definition: {
      ...definition,
      nodes: [...definition.nodes, ...nodes],
      edges: [...definition.edges, ...edges],
    },
    ids: nodes.map(({ id }) => id),
  }
}

/** A jump to a copied node leads to its copy. */
function withFreshTargets({ type, data }: DefinitionNode, fresh: ReadonlyMap<string, string>) {
  const to = type === 'jump' ? fresh.get(String(data.to)) : undefined
  return to === undefined ? structuredClone(data) : { ...data, to }
}

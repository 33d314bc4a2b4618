/**
 * Merges the changes of two editors by node. Different nodes are kept from both. A node that both changed differently is a
 * conflict, which the user decides; positions are not, because they have no effect on runs.
 */
import { type Definition, type DefinitionEdge, type DefinitionNode, indexDefinition } from './definition.ts'

export interface Conflict {
  nodeId: string
  /** Undefined: this side has deleted the node. */
  mine: DefinitionNode | undefined
  theirs: DefinitionNode | undefined
}

export interface Merge {
  definition: Definition
  /** Nodes that both changed; the definition has mine. */
  conflicts: Conflict[]
}

type Side = 'mine' | 'theirs'

/** Compares values regardless of the order of their members, which the service does not keep. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(key => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
  )
}

function isSameNode(a: DefinitionNode | undefined, b: DefinitionNode | undefined): boolean {
  return a === b || (!!a && !!b && a.type === b.type && isEqual(a.data, b.data))
}

const isSameEdge = (a: DefinitionEdge | undefined, b: DefinitionEdge | undefined): boolean =>
  a === b ||
  (!!a &&
    !!b &&
    a.source === b.source &&
    a.target === b.target &&
    (a.sourceHandle ?? null) === (b.sourceHandle ?? null))

/** Whether the definitions differ in nothing that is saved. */
export function isSameDefinition(a: Definition, b: Definition): boolean {
  return a === b || (isEqual(a.nodes, b.nodes) && isEqual(a.edges, b.edges))
}

/** Returns the side that changed the item, theirs if none did; `both` if they changed it differently. */
function compare<T>([was, my, their]: [T, T, T], isSame: (a: T, b: T) => boolean): Side | 'both' {
  if (isSame(was, my)) return 'theirs'
  return isSame(was, their) || isSame(my, their) ? 'mine' : 'both'
}

/** Merges; `choices` decides nodes that both changed, otherwise mine are kept. */
export function mergeDefinitions(
  base: Definition,
  mine: Definition,
  theirs: Definition,
  choices: ReadonlyMap<string, Side> = new Map(),
): Merge {
  const sides = [base, mine, theirs].map(side => indexDefinition(side).nodes)
  const [before, ours, others] = sides as [ReadonlyMap<string, DefinitionNode>, ...typeof sides]
  const conflicts: Conflict[] = []
  const nodes: DefinitionNode[] = []
  for (const id of new Set([...others!.keys(), ...ours!.keys()])) {
    const [was, my, their] = [before.get(id), ours!.get(id), others!.get(id)]
    const found = compare([was, my, their], isSameNode)
    if (found === 'both') conflicts.push({ nodeId: id, mine: my, theirs: their })
    const side = found === 'both' ? (choices.get(id) ?? 'mine') : found
    const taken = side === 'mine' ? my : their
    if (taken) nodes.push(withPosition(taken, was, my, their))
  }
  const known = new Set(nodes.map(({ id }) => id))
  const edges = mergeEdges(base, mine, theirs, { choices, known })
  for (const nodeId of edges.conflicts)
    if (!conflicts.some(conflict => conflict.nodeId === nodeId))
      conflicts.push({ nodeId, mine: ours!.get(nodeId), theirs: others!.get(nodeId) })
  const definition = {
    ...mine,
    nodes,
    edges: edges.edges.filter(({ source, target }) => known.has(source) && known.has(target)),
  }
  return { definition, conflicts }
}

/** The position that one side has changed, mine if both have. */
function withPosition(
  node: DefinitionNode,
  was: DefinitionNode | undefined,
  mine: DefinitionNode | undefined,
  theirs: DefinitionNode | undefined,
): DefinitionNode {
  const isMoved = !isEqual(was?.position, mine?.position)
  const position = (isMoved ? mine?.position : theirs?.position) ?? node.position
  return position === undefined || isEqual(position, node.position) ? node : { ...node, position }
}

/** Whether the edge was deleted with one of its nodes, which is kept. */
function isLostWithNode(edge: DefinitionEdge, side: Definition, known: ReadonlySet<string>): boolean {
  const { nodes } = indexDefinition(side)
  return [edge.source, edge.target].some(id => known.has(id) && !nodes.has(id))
}

interface EdgeRules {
  choices: ReadonlyMap<string, Side>
  /** The nodes that are kept. */
  known: ReadonlySet<string>
}

/**
 * Edges of the same output that both sides added or changed are a conflict of the node that they leave. A node that is kept
 * although one side deleted it keeps the edges that were deleted with it.
 */
function mergeEdges(
  base: Definition,
  mine: Definition,
  theirs: Definition,
  { choices, known }: EdgeRules,
): { edges: DefinitionEdge[]; conflicts: Set<string> } {
  const toMap = ({ edges }: Definition) => new Map(edges.map(edge => [edge.id, edge]))
  const [before, ours, others] = [toMap(base), toMap(mine), toMap(theirs)]
  const conflicts = new Set<string>()
  const edges = [...new Set([...others.keys(), ...ours.keys()])].flatMap(id => {
    const [was, my, their] = [before.get(id), ours.get(id), others.get(id)]
    const found = compare([was, my, their], isSameEdge)
    const source = (my ?? their)!.source
    if (found === 'both') conflicts.add(source)
    const side = found === 'both' ? (choices.get(source) ?? 'mine') : found
    const [taken, other] = side === 'mine' ? [my, their] : [their, my]
    const isRestored = !taken && isLostWithNode(other!, side === 'mine' ? mine : theirs, known)
    const edge = isRestored ? other : taken
    return edge ? [{ edge, side, isRestored }] : []
  })
  const byOutput = new Map<string, (typeof edges)[number]>()
  for (const item of edges) {
    const key = `${item.edge.source} ${item.edge.sourceHandle ?? ''}`
    const other = byOutput.get(key)
    if (!other || item.isRestored) byOutput.set(key, item)
    // Where a node was deleted, its neighbours were joined; the edges that come back replace that.
    if (!other || item.isRestored || other.isRestored) continue
    conflicts.add(item.edge.source)
    const wanted = choices.get(item.edge.source) ?? 'mine'
    if (item.side === wanted && other.side !== wanted) byOutput.set(key, item)
  }
  return { edges: [...byOutput.values()].map(({ edge }) => edge), conflicts }
}

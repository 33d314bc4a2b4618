/** Edits of a definition as pure functions. Nodes and edges that an edit does not concern stay the same objects. */
import {
  type Catalogue,
  type Data,
  type Definition,
  type DefinitionEdge,
  type DefinitionNode,
  findEdge,
  getOutputName,
  indexDefinition,
  listOutputs,
  type Output,
  type Position,
  type WorkflowKind,
} from './definition.ts'

/** Facts besides its data on which the outputs of a node depend. */
export interface Rules {
  catalogue: Catalogue
  kind: WorkflowKind
}

export function createId(prefix: string): string {
  const [random] = crypto.getRandomValues(new Uint32Array(1))
  return `${prefix}-${random!.toString(36).padStart(7, '0')}`
}

export function addNode(definition: Definition, node: DefinitionNode): Definition {
  return { ...definition, nodes: [...definition.nodes, node] }
}

/** An edge leaves each output at most once: a new one replaces the one that was there. */
export function connect(
  definition: Definition,
  from: { nodeId: string; output: string },
  target: string,
  rules: Rules,
): Definition {
  const source = indexDefinition(definition).nodes.get(from.nodeId)
  if (!source) return definition
  const known = findEdge(
    definition,
    from.nodeId,
    from.output,
    listOutputs(source, rules.catalogue, rules.kind),
  )
  if (known?.target === target) return definition
  const edge = {
    id: createId('edge'),
    source: from.nodeId,
    target,
    sourceHandle: from.output,
  }
  return { ...definition, edges: [...definition.edges.filter(item => item !== known), edge] }
}

/** Adds the node after the output. A node that followed there follows the first output of the new one. */
export function addAfter(
  definition: Definition,
  from: { nodeId: string; output: string },
  node: DefinitionNode,
  rules: Rules,
): Definition {
  const source = indexDefinition(definition).nodes.get(from.nodeId)
  const outputs = source ? listOutputs(source, rules.catalogue, rules.kind) : []
  const followed = findEdge(definition, from.nodeId, from.output, outputs)?.target
  const added = connect(addNode(definition, node), from, node.id, rules)
  const [first] = listOutputs(node, rules.catalogue, rules.kind)
  return followed !== undefined && first
    ? connect(added, { nodeId: node.id, output: first.name }, followed, rules)
    : added
}

export function removeEdges(definition: Definition, ids: ReadonlySet<string>): Definition {
  const edges = definition.edges.filter(({ id }) => !ids.has(id))
  return edges.length === definition.edges.length ? definition : { ...definition, edges }
}

/**
 * Removes nodes other than the start. Edges that led to a removed node lead to the node that followed it by its first
 * output, so that the path stays closed.
 */
export function removeNodes(definition: Definition, ids: ReadonlySet<string>, rules: Rules): Definition {
  const { nodes, leaving } = indexDefinition(definition)
  const removed = new Set([...ids].filter(id => nodes.has(id) && nodes.get(id)!.type !== 'start'))
  if (removed.size === 0) return definition
  const findFollowing = (id: string, seen = new Set<string>()): string | undefined => {
    if (!removed.has(id)) return id
    if (seen.has(id)) return undefined
    seen.add(id)
    const outputs = listOutputs(nodes.get(id)!, rules.catalogue, rules.kind)
    const next = leaving.get(id)?.find(edge => getOutputName(edge, outputs) === outputs[0]?.name)
    return next && findFollowing(next.target, seen)
  }
  const edges = definition.edges.flatMap((edge): DefinitionEdge[] => {
    if (removed.has(edge.source)) return []
    if (!removed.has(edge.target)) return [edge]
    const target = findFollowing(edge.target)
    return target === undefined || target === edge.source ? [] : [{ ...edge, target }]
  })
  return { ...definition, nodes: definition.nodes.filter(({ id }) => !removed.has(id)), edges }
}

export function moveNodes(definition: Definition, positions: ReadonlyMap<string, Position>): Definition {
  const nodes = definition.nodes.map(node => {
    const position = positions.get(node.id)
    const isSame = !position || (position.x === node.position?.x && position.y === node.position?.y)
    return isSame ? node : { ...node, position }
  })
  return nodes.every((node, i) => node === definition.nodes[i]) ? definition : { ...definition, nodes }
}

/** Replaces the data. Edges follow outputs that got another name; edges of outputs that no longer exist are removed. */
export function setData(definition: Definition, id: string, data: Data, rules: Rules): Definition {
  const node = indexDefinition(definition).nodes.get(id)
  if (!node || node.data === data) return definition
  const changed = { ...node, data }
  const before = listOutputs(node, rules.catalogue, rules.kind)
  const after = listOutputs(changed, rules.catalogue, rules.kind)
  const nodes = definition.nodes.map(item => (item === node ? changed : item))
  return { ...definition, nodes, edges: followOutputs(definition.edges, id, before, after) }
}

function followOutputs(
  edges: DefinitionEdge[],
  nodeId: string,
  before: readonly Output[],
  after: readonly Output[],
): DefinitionEdge[] {
  const names = new Set(after.map(({ name }) => name))
  const gone = before.filter(({ name }) => !names.has(name))
  if (gone.length === 0) return edges
  const isRenamed = before.length === after.length
  return edges.flatMap(edge => {
    if (edge.source !== nodeId) return [edge]
    const output = getOutputName(edge, before)
    if (names.has(output)) return [edge]
    const position = before.findIndex(({ name }) => name === output)
    const renamed = isRenamed ? after[position]?.name : undefined
    return renamed === undefined ? [] : [{ ...edge, sourceHandle: renamed }]
  })
}

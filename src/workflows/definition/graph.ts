/** The shape of a drawing: what must hold of nodes and edges whatever the nodes do. Pure. */
import { type Violation, violation } from '../../platform/errors.ts'
import type { WorkflowDefinition, WorkflowEdge } from '../schemas.ts'

/** What the shape depends on, of one node. */
export interface Vertex {
  /** In order; undefined when its type or data are not known, which is a fault of its own. */
  outputs: readonly string[] | undefined
  /** A loop through it is no danger. */
  waits: boolean
  /** Where it may go besides its edges; such a way is bounded by itself. */
  jumps: readonly string[]
}

/** The output an edge leaves by, if its node has it. */
export function findOutput(
  edge: Pick<WorkflowEdge, 'sourceHandle'>,
  outputs: readonly string[],
): string | undefined {
  const { sourceHandle } = edge
  if (sourceHandle === undefined || sourceHandle === null) return outputs[0]
  return outputs.includes(sourceHandle) ? sourceHandle : undefined
}

/** All faults of the shape; `vertices` are in the order of the nodes. */
export function graphViolations(
  definition: WorkflowDefinition,
  vertices: readonly Vertex[],
  path: string,
): Violation[] {
  const places = new Map<string, number>()
  definition.nodes.forEach((node, i) => {
    if (!places.has(node.id)) places.set(node.id, i)
  })
  const graph: Graph = { definition, vertices, indexes: places, path }
  return [
    ...startViolations(graph),
    ...duplicateIds(definition.nodes, `${path}.nodes`),
    ...duplicateIds(definition.edges, `${path}.edges`),
    ...definition.edges.flatMap((edge, i) => edgeViolations(graph, edge, `${path}.edges[${i}]`)),
    ...outputViolations(graph),
    ...unreachableNodes(graph),
    ...endlessLoops(graph),
  ]
}

interface Graph {
  definition: WorkflowDefinition
  vertices: readonly Vertex[]
  indexes: ReadonlyMap<string, number>
  path: string
}

function startViolations({ definition, path }: Graph): Violation[] {
  const starts = definition.nodes.flatMap((node, i) => (node.type === 'start' ? [i] : []))
  if (starts.length === 0) return [violation(`${path}.nodes`, 'start_missing', 'needs a start node')]
  return starts
    .slice(1)
    .map(i => violation(`${path}.nodes[${i}].type`, 'start_repeated', 'there is a start node already'))
}

function duplicateIds(things: readonly { id: string }[], path: string): Violation[] {
  const seen = new Set<string>()
  return things.flatMap(({ id }, i) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [violation(`${path}[${i}].id`, 'not_unique', `"${id}" is there already`)]
  })
}

function edgeViolations({ vertices, indexes: places }: Graph, edge: WorkflowEdge, at: string): Violation[] {
  const faults: Violation[] = []
  if (!places.has(edge.target))
    faults.push(violation(`${at}.target`, 'unknown_node', `there is no node "${edge.target}"`))
  const source = places.get(edge.source)
  if (source === undefined)
    return [violation(`${at}.source`, 'unknown_node', `there is no node "${edge.source}"`), ...faults]
  const { outputs } = vertices[source]!
  if (outputs === undefined || findOutput(edge, outputs) !== undefined) return faults
  if (outputs.length === 0)
    return [violation(`${at}.source`, 'no_output', 'nothing leaves this node'), ...faults]
  return [
    violation(`${at}.sourceHandle`, 'unknown_output', `must be one of ${outputs.join(', ')}`),
    ...faults,
  ]
}

function outputViolations({ definition, vertices, indexes: places, path }: Graph): Violation[] {
  const taken = new Set<string>()
  return definition.edges.flatMap((edge, i) => {
    const { outputs } = vertices[places.get(edge.source) ?? -1] ?? {}
    const output = outputs && findOutput(edge, outputs)
    if (output === undefined) return []
    const key = JSON.stringify([edge.source, output])
    if (!taken.has(key)) {
      taken.add(key)
      return []
    }
    const text = `an edge leaves "${edge.source}" by "${output}" already`
    return [violation(`${path}.edges[${i}]`, 'output_taken', text)]
  })
}

/** The nodes that each can go to, by place: along edges without a fault of their own. */
function next({ definition, vertices, indexes: places }: Graph): number[][] {
  const out: number[][] = definition.nodes.map(() => [])
  for (const edge of definition.edges) {
    const from = places.get(edge.source)
    const to = places.get(edge.target)
    if (from === undefined || to === undefined) continue
    const { outputs } = vertices[from]!
    if (outputs === undefined || findOutput(edge, outputs) !== undefined) out[from]!.push(to)
  }
  return out
}

function unreachableNodes(graph: Graph): Violation[] {
  const { definition, vertices, indexes: places, path } = graph
  const first = definition.nodes.findIndex(node => node.type === 'start')
  if (first < 0) return []
  const out = next(graph)
  const seen = new Set([first])
  for (const at of seen) {
    const jumps = vertices[at]!.jumps.flatMap(id => places.get(id) ?? [])
    for (const to of [...out[at]!, ...jumps]) seen.add(to)
  }
  return definition.nodes.flatMap((node, i) =>
    seen.has(i) || node.type === 'start' || places.get(node.id) !== i
      ? []
      : [violation(`${path}.nodes[${i}]`, 'unreachable', 'no way leads here from the start')],
  )
}

/** Loops whose every node goes on at once. */
function endlessLoops(graph: Graph): Violation[] {
  const { definition, vertices, path } = graph
  const out = next(graph).map((targets, i) =>
    vertices[i]!.waits ? [] : targets.filter(to => !vertices[to]!.waits),
  )
  return components(out)
    .filter(members => members.length > 1 || out[members[0]!]!.includes(members[0]!))
    .map(members => {
      const names = members.map(i => `"${definition.nodes[i]!.id}"`).join(', ')
      const text = `is in a loop that never waits: ${names}`
      return violation(`${path}.nodes[${members[0]}]`, 'loop_without_wait', text)
    })
}

/** Groups of nodes that can all reach each other, each in ascending order (Tarjan's algorithm). */
function components(out: readonly (readonly number[])[]): number[][] {
  const order = new Map<number, number>()
  const low: number[] = []
  const stack: number[] = []
  const found: number[][] = []
  const visit = (v: number) => {
    order.set(v, order.size)
    low[v] = order.get(v)!
    stack.push(v)
    for (const w of out[v]!) {
      if (!order.has(w)) visit(w)
      if (stack.includes(w)) low[v] = Math.min(low[v]!, low[w]!)
    }
    if (low[v] === order.get(v)) found.push(stack.splice(stack.indexOf(v)).sort((a, b) => a - b))
  }
  for (let v = 0; v < out.length; v++) if (!order.has(v)) visit(v)
  return found.sort((a, b) => a[0]! - b[0]!)
}

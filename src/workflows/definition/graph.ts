/** Validates the graph of a definition, independent of the types of its nodes. Pure. */
import { type Violation, violation } from '../../platform/errors.ts'
import { describeUnknownNode } from '../nodes/node-fields.ts'
import type { WorkflowDefinition, WorkflowEdge } from '../schemas.ts'

/** The properties of a node that the graph checks need. */
export interface Vertex {
  /** In order; undefined if type or data are invalid, which is reported elsewhere. */
  outputs: readonly string[] | undefined
  /** The node waits, so a loop through it is allowed. */
  waits: boolean
  /** Ids of nodes it can jump to; jumps are limited in number. */
  jumps: readonly string[]
}

/** Returns the output an edge leaves by, or undefined if the node does not have it. */
export function findOutput(
  edge: Pick<WorkflowEdge, 'sourceHandle'>,
  outputs: readonly string[],
): string | undefined {
  const { sourceHandle } = edge
  if (sourceHandle === undefined || sourceHandle === null) return outputs[0]
  return outputs.includes(sourceHandle) ? sourceHandle : undefined
}

/** Returns all violations; `vertices` are in the order of the nodes. */
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
  if (starts.length === 0) return [violation(`${path}.nodes`, 'start_missing', 'must contain a start node')]
  return starts
    .slice(1)
    .map(i => violation(`${path}.nodes[${i}].type`, 'start_repeated', 'must be the only start node'))
}

function duplicateIds(things: readonly { id: string }[], path: string): Violation[] {
  const seen = new Set<string>()
  return things.flatMap(({ id }, i) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [violation(`${path}[${i}].id`, 'duplicate', `"${id}" is already used`)]
  })
}

function edgeViolations({ vertices, indexes: places }: Graph, edge: WorkflowEdge, at: string): Violation[] {
  const violations: Violation[] = []
  if (!places.has(edge.target))
    violations.push(
      violation(`${at}.target`, 'unknown_node', describeUnknownNode(edge.target, places.keys())),
    )
  const source = places.get(edge.source)
  if (source === undefined)
    return [
      violation(`${at}.source`, 'unknown_node', describeUnknownNode(edge.source, places.keys())),
      ...violations,
    ]
  const { outputs } = vertices[source]!
  if (outputs === undefined || findOutput(edge, outputs) !== undefined) return violations
  if (outputs.length === 0)
    return [violation(`${at}.source`, 'no_output', 'is a node without outputs'), ...violations]
  return [
    violation(`${at}.sourceHandle`, 'unknown_output', `must be one of ${outputs.join(', ')}`),
    ...violations,
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
    const text = `output "${output}" of "${edge.source}" already has an edge`
    return [violation(`${path}.edges[${i}]`, 'output_taken', text)]
  })
}

/** Returns the targets of each node along valid edges, by index. */
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
      : [violation(`${path}.nodes[${i}]`, 'unreachable', 'must be reachable from the start node')],
  )
}

/** Finds loops in which no node waits. */
function endlessLoops(graph: Graph): Violation[] {
  const { definition, vertices, path } = graph
  const out = next(graph).map((targets, i) =>
    vertices[i]!.waits ? [] : targets.filter(to => !vertices[to]!.waits),
  )
  return components(out)
    .filter(members => members.length > 1 || out[members[0]!]!.includes(members[0]!))
    .map(members => {
      const names = members.map(i => `"${definition.nodes[i]!.id}"`).join(', ')
      const text = `must not be in a loop without a wait: ${names}`
      return violation(`${path}.nodes[${members[0]}]`, 'loop_without_wait', text)
    })
}

/** Returns the strongly connected components (Tarjan's algorithm), each in ascending order. */
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

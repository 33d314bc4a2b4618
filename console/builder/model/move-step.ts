/** Moves a step up or down along its path: it changes places with the step before or after it. */
import { type Definition, findEdge, indexDefinition, listOutputs } from './definition.ts'
import { connect, type Rules, removeEdges } from './edits.ts'

/** The edges around two steps that follow each other by first outputs: into the upper, between them, out of the lower. */
function findPair(definition: Definition, upperId: string, rules: Rules) {
  const { nodes, entering } = indexDefinition(definition)
  const toFirst = (id: string) => {
    const node = nodes.get(id)
    const outputs = node ? listOutputs(node, rules.catalogue, rules.kind) : []
    const [first] = outputs
    return first && { output: first.name, edge: findEdge(definition, id, first.name, outputs) }
  }
  const upper = toFirst(upperId)
  const lowerId = upper?.edge?.target
  const lower = lowerId === undefined ? undefined : toFirst(lowerId)
  const isStart = nodes.get(upperId)?.type === 'start'
  if (!upper || !lower || lowerId === undefined || isStart || lowerId === upperId) return undefined
  return { upper, lower, lowerId, into: entering.get(upperId) ?? [] }
}

/** The step that is directly before the given one by its first output, if only one edge leads there. */
function findUpper(definition: Definition, id: string, rules: Rules): string | undefined {
  const [edge, another] = indexDefinition(definition).entering.get(id) ?? []
  const isPair = edge && !another && findPair(definition, edge.source, rules)?.lowerId === id
  return isPair ? edge.source : undefined
}

export function canMove(definition: Definition, id: string, by: 'up' | 'down', rules: Rules): boolean {
  const upperId = by === 'up' ? findUpper(definition, id, rules) : id
  const pair = upperId === undefined ? undefined : findPair(definition, upperId, rules)
  return pair !== undefined && (indexDefinition(definition).entering.get(pair.lowerId)?.length ?? 0) === 1
}

export function moveStep(definition: Definition, id: string, by: 'up' | 'down', rules: Rules): Definition {
  if (!canMove(definition, id, by, rules)) return definition
  const upperId = by === 'up' ? findUpper(definition, id, rules)! : id
  const { upper, lower, lowerId, into } = findPair(definition, upperId, rules)!
  const after = lower.edge?.target
  const cleared = removeEdges(definition, new Set([upper.edge!.id, ...(lower.edge ? [lower.edge.id] : [])]))
  const entering = new Set(into.map(edge => edge.id))
  const redirected = {
    ...cleared,
    edges: cleared.edges.map(edge => (entering.has(edge.id) ? { ...edge, target: lowerId } : edge)),
  }
  const swapped = connect(redirected, { nodeId: lowerId, output: lower.output }, upperId, rules)
  return after === undefined || after === upperId
    ? swapped
    : connect(swapped, { nodeId: upperId, output: upper.output }, after, rules)
}

/** Generates random valid definitions, and mutations that make them invalid. */
import fc, { type Arbitrary } from 'fast-check'
import type { Definition, DefinitionNode } from '../nodes/node-type.ts'
import { findNodeType } from '../nodes/registry.ts'

const content = fc.constantFrom(
  { type: 'text', text: { body: 'Hello' } },
  { type: 'text', text: { body: 'Hello {{contact.name | default: "you"}}' } },
)
const duration = fc.oneof(
  fc.integer({ min: 1, max: 3_600 }).map(seconds => ({ seconds })),
  fc.integer({ min: 1, max: 10 }).map(days => ({ days })),
)
const expression = fc.constantFrom(
  'true',
  'false',
  'size(variables) > 1',
  '"n" in variables && event.data.n == 1.0',
)

/** Data by node type, without references to resources of a workspace. */
export const baseNodes: Record<string, Arbitrary<Record<string, unknown>>> = {
  sendMessage: fc.record({ content }),
  ask: fc.record(
    {
      content,
      variable: fc.constantFrom('a', 'b'),
      validate: fc.constantFrom('text', 'number'),
      retries: fc.nat(2),
      timeout: duration,
    },
    { requiredKeys: ['content', 'variable', 'timeout'] },
  ),
  menu: fc
    .uniqueArray(fc.constantFrom('red', 'green', 'blue', 'grey'), { minLength: 1 })
    .chain(ids =>
      fc.record({ content, options: fc.constant(ids.map(id => ({ id, title: id }))), timeout: duration }),
    ),
  delay: fc.record({ for: duration }),
  timeWindow: fc.constant({ from: '09:00', to: '18:00' }),
  waitFor: fc.record({
    cases: fc
      .uniqueArray(fc.constantFrom('paid', 'left'), { minLength: 1 })
      .map(names => names.map(event => ({ event }))),
    timeout: duration,
  }),
  branch: fc.record({ cases: fc.array(expression, { minLength: 1, maxLength: 3 }) }),
  split: fc.record({ weights: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 3 }) }),
  setVariable: fc.record({ name: fc.constant('n'), value: fc.constantFrom<unknown>(1, 'x', { deep: [1] }) }),
  note: fc.constant({ text: 'here' }),
  setOptOut: fc.record({ channel: fc.constant('sms'), optedOut: fc.boolean() }),
  emitEvent: fc.constant({ name: 'happened' }),
  closeConversation: fc.constant({}),
  goal: fc.constant({ name: 'won' }),
  end: fc.constant({}),
}

export interface DefinitionOptions {
  /** Data by node type; default: `baseNodes`. */
  nodes?: typeof baseNodes
  minNodes?: number
  maxNodes?: number
  /** How many edges to try to add to the tree of nodes. */
  minMoreEdges?: number
  maxMoreEdges?: number
}

const drawnNode = (nodes: typeof baseNodes): Arbitrary<Omit<DefinitionNode, 'id'>> =>
  fc.constantFrom(...Object.keys(nodes)).chain(type => nodes[type]!.map(data => ({ type, data })))

/** Outputs in a journey: `fallback` of the start node exists only in chatbots. */
export function getOutputs({ type, data }: Omit<DefinitionNode, 'id'>): string[] {
  return findNodeType(type)!
    .outputs(data as never)
    .map(output => output.name)
    .filter(name => type !== 'start' || name !== 'fallback')
}

export function waits({ type, data }: Omit<DefinitionNode, 'id'>): boolean {
  const { waits: answer } = findNodeType(type)!
  return typeof answer === 'function' ? answer(data as never) : (answer ?? false)
}

/** Returns whether one node can reach another without a wait. */
export function reachesWithoutWait({ nodes, edges }: Definition, from: string, to: string): boolean {
  const quick = new Set(nodes.filter(node => !waits(node)).map(node => node.id))
  if (!quick.has(from) || !quick.has(to)) return false
  const seen = new Set([from])
  for (const at of seen) {
    if (at === to) return true
    for (const edge of edges) if (edge.source === at && quick.has(edge.target)) seen.add(edge.target)
  }
  return false
}

/** Connects each node to an output of an earlier one, then adds edges that form no loop without a wait. */
export function validDefinition(options: DefinitionOptions = {}): Arbitrary<Definition> {
  const {
    nodes: drawable = baseNodes,
    minNodes = 0,
    maxNodes = 12,
    minMoreEdges = 0,
    maxMoreEdges = 8,
  } = options
  const start = { id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }
  const shape = fc.record({
    nodes: fc.array(drawnNode(drawable), { minLength: minNodes, maxLength: maxNodes }),
    picks: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    more: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: minMoreEdges, maxLength: maxMoreEdges }),
  })
  return shape.map(({ nodes, picks, more }) => {
    const definition: Definition = { nodes: [start], edges: [] }
    const free = () =>
      definition.nodes.flatMap(node =>
        getOutputs(node)
          .filter(
            name => !definition.edges.some(edge => edge.source === node.id && edge.sourceHandle === name),
          )
          .map(name => ({ source: node.id, sourceHandle: name })),
      )
    const connect = (pick: number, target: string) => {
      const open = free()
      const chosen = open[pick % Math.max(open.length, 1)]
      if (!chosen || reachesWithoutWait(definition, target, chosen.source)) return false
      definition.edges.push({ id: `e${definition.edges.length}`, ...chosen, target })
      return true
    }
    nodes.forEach((node, i) => {
      const id = `n${i}`
      if (connect(picks[i]!, id)) definition.nodes.push({ id, ...node })
    })
    for (const [pick, at] of more) connect(pick, definition.nodes[at % definition.nodes.length]!.id)
    return definition
  })
}

type Mutation = (definition: Definition, pick: number) => Definition | undefined

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(list.length, 1)]
const withNode = (definition: Definition, node: DefinitionNode): Definition => ({
  ...definition,
  nodes: [...definition.nodes, node],
})
const withEdge = (definition: Definition, edge: Partial<Definition['edges'][number]>): Definition => ({
  ...definition,
  edges: [...definition.edges, { id: 'new', source: 's', target: 's', ...edge }],
})

/** By the code of the violation that each causes. */
export const mutations: Record<string, Mutation> = {
  start_missing: definition => ({
    nodes: definition.nodes.filter(node => node.type !== 'start'),
    edges: definition.edges.filter(edge => edge.source !== 's' && edge.target !== 's'),
  }),
  start_repeated: definition => withNode(definition, { id: 't', type: 'start', data: {} }),
  duplicate: (definition, pick) => withNode(definition, at(definition.nodes, pick)!),
  unknown_node: definition => withEdge(definition, { target: 'nowhere' }),
  unknown_output: (definition, pick) => {
    const source = at(
      definition.nodes.filter(node => getOutputs(node).length > 0),
      pick,
    )!
    return withEdge(definition, { source: source.id, sourceHandle: 'no such output' })
  },
  output_taken: (definition, pick) => {
    const edge = at(definition.edges, pick)
    return edge && withEdge(definition, { ...edge, id: 'again' })
  },
  unreachable: definition => withNode(definition, { id: 'island', type: 'note', data: { text: 'x' } }),
  loop_without_wait: definition => {
    const loop = (id: string) => ({ id, type: 'note', data: { text: 'x' } })
    const both = withNode(withNode(definition, loop('l1')), loop('l2'))
    return withEdge(withEdge(both, { id: 'a', source: 'l1', target: 'l2' }), {
      id: 'b',
      source: 'l2',
      target: 'l1',
    })
  },
  unknown_type: (definition, pick) => changed(definition, pick, node => ({ ...node, type: 'teleport' })),
  unknown_property: (definition, pick) =>
    changed(definition, pick, node => ({ ...node, data: { ...node.data, colour: 1 } })),
}

function changed(definition: Definition, pick: number, change: (node: DefinitionNode) => DefinitionNode) {
  const target = at(
    definition.nodes.filter(node => node.type !== 'start'),
    pick,
  )
  return (
    target && { ...definition, nodes: definition.nodes.map(node => (node === target ? change(node) : node)) }
  )
}

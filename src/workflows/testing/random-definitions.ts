/** Random drawings that can be published, and what makes each of them one that cannot. */
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
  '"n" in variables && variables.n == 1.0',
)

/** By type; none of them refers to anything of a workspace. */
const datas: Record<string, Arbitrary<Record<string, unknown>>> = {
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
  types?: readonly string[]
  most?: number
}

const drawnNode = (types: readonly string[]): Arbitrary<Omit<DefinitionNode, 'id'>> =>
  fc.constantFrom(...types).chain(type => datas[type]!.map(data => ({ type, data })))

export function getOutputs({ type, data }: Omit<DefinitionNode, 'id'>): string[] {
  return findNodeType(type)!
    .outputs(data as never)
    .map(output => output.name)
}

export function waits({ type, data }: Omit<DefinitionNode, 'id'>): boolean {
  const { waits: answer } = findNodeType(type)!
  return typeof answer === 'function' ? answer(data as never) : (answer ?? false)
}

/** Whether going on at once can lead from one node to another. */
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

/** Each node hangs on an output of an earlier one; then edges are added wherever that makes no endless loop. */
export function validDefinition(options: DefinitionOptions = {}): Arbitrary<Definition> {
  const { types = Object.keys(datas), most = 12 } = options
  const start = { id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }
  const shape = fc.record({
    nodes: fc.array(drawnNode(types), { maxLength: most }),
    picks: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    more: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
  })
  return shape.map(({ nodes, picks, more }) => {
    const drawn: Definition = { nodes: [start], edges: [] }
    const free = () =>
      drawn.nodes.flatMap(node =>
        getOutputs(node)
          .filter(name => !drawn.edges.some(edge => edge.source === node.id && edge.sourceHandle === name))
          .map(name => ({ source: node.id, sourceHandle: name })),
      )
    const connect = (pick: number, target: string) => {
      const open = free()
      const chosen = open[pick % Math.max(open.length, 1)]
      if (!chosen || reachesWithoutWait(drawn, target, chosen.source)) return false
      drawn.edges.push({ id: `e${drawn.edges.length}`, ...chosen, target })
      return true
    }
    nodes.forEach((node, i) => {
      const id = `n${i}`
      if (connect(picks[i]!, id)) drawn.nodes.push({ id, ...node })
    })
    for (const [pick, at] of more) connect(pick, drawn.nodes[at % drawn.nodes.length]!.id)
    return drawn
  })
}

type Mutation = (drawn: Definition, pick: number) => Definition | undefined

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(list.length, 1)]
const withNode = (drawn: Definition, node: DefinitionNode): Definition => ({
  ...drawn,
  nodes: [...drawn.nodes, node],
})
const withEdge = (drawn: Definition, edge: Partial<Definition['edges'][number]>): Definition => ({
  ...drawn,
  edges: [...drawn.edges, { id: 'new', source: 's', target: 's', ...edge }],
})

/** By the code of the fault that each must bring about. */
export const mutations: Record<string, Mutation> = {
  start_missing: drawn => ({
    nodes: drawn.nodes.filter(node => node.type !== 'start'),
    edges: drawn.edges.filter(edge => edge.source !== 's' && edge.target !== 's'),
  }),
  start_repeated: drawn => withNode(drawn, { id: 't', type: 'start', data: {} }),
  not_unique: (drawn, pick) => withNode(drawn, at(drawn.nodes, pick)!),
  unknown_node: drawn => withEdge(drawn, { target: 'nowhere' }),
  unknown_output: (drawn, pick) => {
    const source = at(
      drawn.nodes.filter(node => getOutputs(node).length > 0),
      pick,
    )!
    return withEdge(drawn, { source: source.id, sourceHandle: 'no such output' })
  },
  output_taken: (drawn, pick) => {
    const edge = at(drawn.edges, pick)
    return edge && withEdge(drawn, { ...edge, id: 'again' })
  },
  unreachable: drawn => withNode(drawn, { id: 'island', type: 'note', data: { text: 'x' } }),
  loop_without_wait: drawn => {
    const loop = (id: string) => ({ id, type: 'note', data: { text: 'x' } })
    const both = withNode(withNode(drawn, loop('l1')), loop('l2'))
    return withEdge(withEdge(both, { id: 'a', source: 'l1', target: 'l2' }), {
      id: 'b',
      source: 'l2',
      target: 'l1',
    })
  },
  unknown_type: (drawn, pick) => changed(drawn, pick, node => ({ ...node, type: 'teleport' })),
  unknown_field: (drawn, pick) =>
    changed(drawn, pick, node => ({ ...node, data: { ...node.data, colour: 1 } })),
}

function changed(drawn: Definition, pick: number, change: (node: DefinitionNode) => DefinitionNode) {
  const target = at(
    drawn.nodes.filter(node => node.type !== 'start'),
    pick,
  )
  return target && { ...drawn, nodes: drawn.nodes.map(node => (node === target ? change(node) : node)) }
}

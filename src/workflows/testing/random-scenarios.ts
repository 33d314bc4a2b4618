/**
 * Generates random workflows with what happens to their runs: answers, files, pressed buttons, events, changes of the
 * contact, silence, failed deliveries and responses of HTTP requests. Ids of a workspace are written as `<TAG>`, `<FIELD>`
 * and `<URL>`, which `bind` replaces, so that a seed gives the same scenario in every workspace.
 */
import fc, { type Arbitrary } from 'fast-check'
import type { Definition } from '../nodes/node-type.ts'
import { baseNodes, validDefinition } from './random-definitions.ts'

/** Whole hours; see `listInputTimes`. */
const hours = fc.integer({ min: 1, max: 30 }).map(count => ({ hours: count }))
const content = fc.constantFrom(
  { type: 'text', text: { body: 'Hello {{contact.name | default: "you"}}' } },
  { type: 'text', text: { body: 'You said {{message.text | default: "nothing"}}, {{variables.a}}' } },
  { type: 'text', text: { body: 'In {{contact.customFields.City}}: {{variables.response.body.n}}' } },
)
const hasTag = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: ['<TAG>'] }] }
const condition = fc.constantFrom<unknown>(
  hasTag,
  'variables.a == "yes"',
  'variables.n == 1.0',
  'message.text == "red"',
  'contact.customFields.City == "Madrid"',
  'event.name == "begin"',
)
const eventName = fc.constantFrom('paid', 'left', 'happened', 'contact.updated', 'message.received')
const awaited = fc.oneof(
  eventName.map(event => ({ event })),
  fc.constant({ event: 'paid', match: { n: '1' } }),
  condition.map(value => ({ condition: value })),
)
const menuIds = ['red', 'green', 'blue', 'grey']

/** The nodes of `random-definitions` and those that refer to a workspace, with waits of whole hours. */
const nodes: Record<string, Arbitrary<Record<string, unknown>>> = {
  ...baseNodes,
  sendMessage: fc.record({ content }),
  ask: fc.record(
    {
      content,
      variable: fc.constantFrom('a', 'b'),
      validate: fc.constantFrom('text', 'number', 'email', 'date', 'phone', 'media'),
      retries: fc.nat(2),
      retryContent: content,
      timeout: hours,
    },
    { requiredKeys: ['content', 'variable'] },
  ),
  menu: fc.uniqueArray(fc.constantFrom(...menuIds), { minLength: 1 }).chain(ids =>
    fc.record(
      {
        content,
        options: fc.constant(ids.map(id => ({ id, title: id, keywords: [`${id}dish`] }))),
        variable: fc.constant('a'),
        timeout: hours,
      },
      { requiredKeys: ['content', 'options'] },
    ),
  ),
  delay: hours.map(duration => ({ for: duration })),
  waitFor: fc.record(
    { cases: fc.array(awaited, { minLength: 1, maxLength: 3 }), timeout: hours, saveAs: fc.constant('b') },
    { requiredKeys: ['cases', 'timeout'] },
  ),
  branch: fc.record({ cases: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
  setOptOut: fc.record({ channel: fc.constant('chatapp'), optedOut: fc.boolean() }),
  emitEvent: fc.constantFrom({ name: 'happened' }, { name: 'paid', data: { n: 1 } }),
  addTag: fc.constant({ tagId: '<TAG>' }),
  removeTag: fc.constant({ tagId: '<TAG>' }),
  setField: fc.constantFrom(
    { fieldId: '<FIELD>', value: 'Madrid' },
    { fieldId: '<FIELD>', value: '{{variables.a}}' },
  ),
  http: fc.constantFrom('200', '404', '500', 'timeout').map(outcome => ({
    method: 'GET',
    url: `<URL>/${outcome}`,
    timeoutSeconds: outcome === 'timeout' ? 1 : 30,
    saveAs: 'response',
  })),
}

export interface ScenarioInput {
  afterSeconds: number
  message?: string
  replyId?: string
  media?: true
  event?: { name: string; key?: string; data?: Record<string, unknown> }
  tagIds?: readonly string[]
  customFields?: Record<string, string>
  optOuts?: readonly string[]
  /** The message quotes the latest message that the customer got. */
  quotes?: boolean
}

const answer = fc.constantFrom(
  'yes',
  'red',
  'reddish',
  '1',
  '2',
  '1,500.50',
  'ann@example.com',
  '31 May 2026',
  'STOP',
  'START',
  '+14155550123',
  'what?',
)
const action: Arbitrary<Omit<ScenarioInput, 'afterSeconds'>> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ message: answer, quotes: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constantFrom(...menuIds).map(replyId => ({ replyId, message: replyId })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<ScenarioInput['message']>(undefined, 'red')
      .map(message => (message === undefined ? { media: true as const } : { media: true as const, message })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      event: fc.record({ name: fc.constantFrom('paid', 'left', 'other'), data: fc.record({ n: fc.nat(2) }) }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ tagIds: ['<TAG>'] }) },
  { weight: 1, arbitrary: fc.constantFrom('Madrid', 'Rome').map(City => ({ customFields: { City } })) },
  { weight: 1, arbitrary: fc.constant({ optOuts: ['chatapp'] }) },
)

const hour = 3_600
const inputSpacing = 240

/**
 * Timers end whole hours after an input, and each input comes four minutes further into the hour than the one before: no
 * input coincides with a timer, however long the machine takes for a step.
 */
const inputs = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 5, 26), action), { minLength: 3, maxLength: 10 })
  .map(list => list.map(([after, what]) => ({ afterSeconds: after * hour + inputSpacing, ...what })))

export interface Scenario {
  kind: 'journey' | 'chatbot'
  definition: Definition
  inputs: ScenarioInput[]
  facts: Pick<ScenarioInput, 'tagIds' | 'customFields' | 'optOuts'>
  /** Starts the run; a chatbot always starts with a message. */
  entry: { message?: string; event?: { name: string; data?: Record<string, unknown> } }
  /** Messages of `sendMessage` fail. */
  unreachable: boolean
}

const exitWhen = fc.array(
  fc.oneof(
    fc.constant({ event: 'left' }),
    fc.constant({ event: 'paid', goal: 'paid' }),
    fc.constant({ condition: 'contact.customFields.City == "Rome"' }),
    fc.constant({ condition: 'variables.a == "1"', goal: 'one' }),
  ),
  { minLength: 1, maxLength: 2 },
)

const starts = {
  journey: [
    { trigger: { type: 'manual' }, entry: {} },
    { trigger: { type: 'event', name: 'begin' }, entry: { event: { name: 'begin', data: { n: 1 } } } },
    { trigger: { type: 'message_received' }, entry: { message: 'Hello' } },
    { trigger: { type: 'conversation_started' }, entry: { message: 'red' } },
  ],
  chatbot: [
    {
      trigger: { type: 'message_received', match: 'keyword', values: ['hello'] },
      entry: { message: 'Hello' },
    },
    { trigger: { type: 'conversation_started' }, entry: { message: 'yes' } },
  ],
}

const chatbotNodes = { ...nodes, handoff: fc.constant({}) }

export const scenario: Arbitrary<Scenario> = fc
  .constantFrom('journey' as const, 'chatbot' as const)
  .chain(kind => {
    const facts = fc.record(
      {
        tagIds: fc.constant(['<TAG>']),
        customFields: fc.constant({ City: 'Paris' }),
        optOuts: fc.constantFrom<string[]>([], [], [], [], ['chatapp']),
      },
      { requiredKeys: [] },
    )
    return fc
      .record({
        kind: fc.constant(kind),
        start: fc.constantFrom(...starts[kind]),
        exits: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: exitWhen }),
        drawn: validDefinition({
          nodes: kind === 'chatbot' ? chatbotNodes : nodes,
          minNodes: 4,
          maxNodes: 12,
          minMoreEdges: 10,
          maxMoreEdges: 30,
        }),
        inputs,
        facts,
        unreachable: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
      })
      .map(({ start, exits, drawn, ...rest }) => ({
        ...rest,
        entry: start.entry,
        definition: withStart(drawn, {
          triggerConfig: { conditions: {}, ...start.trigger },
          entryMode: 'once_active',
          ...(exits.length > 0 ? { exitWhen: exits } : {}),
        }),
      }))
  })

/** Sets the data of the start node, and first the variables that nodes read: publishing needs them on every path. */
function withStart({ nodes, edges }: Definition, data: Record<string, unknown>): Definition {
  const variables = ['a', 'n', 'response'].map((name, i) => ({
    id: `v${i}`,
    type: 'setVariable',
    data: { name, value: name === 'n' ? 1 : '' },
  }))
  const last = variables.at(-1)!.id
  return {
    nodes: [...nodes.map(node => (node.type === 'start' ? { ...node, data } : node)), ...variables],
    edges: [
      ...['s', 'v0', 'v1'].map((source, i) => ({ id: `v${i}`, source, target: `v${i}` })),
      ...edges.map(edge => (edge.source === 's' ? { ...edge, source: last } : edge)),
    ],
  }
}

/** Replaces the names of ids by the ids of a workspace. */
export function bind<T>(value: T, ids: Record<string, string>): T {
  const text = JSON.stringify(value).replaceAll(/<([A-Z]+)>/g, (_, name: string) => ids[name]!)
  return JSON.parse(text) as T
}

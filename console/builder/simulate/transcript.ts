/** Builds the transcript of a simulation, as the customer sees it, and the steps of each turn. */
import type { Content } from '../../inbox/thread/messages/content.tsx'
import {
  type Catalogue,
  type Definition,
  type DefinitionNode,
  findEdge,
  findNode,
  listOutputs,
  type WorkflowKind,
} from '../model/definition.ts'
import type { Highlight } from '../panel-props.ts'
import { describeNode } from '../state/names.ts'
import type { Simulation } from './cases.ts'
import { listInputTimes, type Session, type SimulationInput } from './session.ts'
import { texts } from './texts.ts'

export type PathStep = Simulation['path'][number]
export type Effect = Simulation['effects'][number]

export interface Choice {
  id: string
  title: string
}

export type Entry = { key: string; at: number } & (
  | { type: 'sent'; nodeId: string; content: Content; choices: Choice[]; refused: string | undefined }
  | { type: 'received'; text: string }
  | { type: 'event'; name: string }
  | { type: 'effect'; effect: Effect }
  | { type: 'passed'; ms: number }
)

interface SendInput {
  content: Content
  options?: Choice[]
}

/** Returns the buttons and rows that the customer can press. */
function listChoices({ content, options }: SendInput): Choice[] {
  if (options && options.length > 0) return options
  if (content.type !== 'rich') return []
  const actions = (content.rich.actions ?? []) as {
    type: string
    id?: string
    title?: string
    sections?: { rows: Choice[] }[]
  }[]
  return actions.flatMap(action => {
    if (action.type === 'reply' && action.id) return [{ id: action.id, title: action.title ?? action.id }]
    return action.type === 'list' ? (action.sections ?? []).flatMap(({ rows }) => rows) : []
  })
}

function toEntry(effect: Effect, index: number): Entry {
  const at = Date.parse(effect.at)
  const key = `effect-${index}`
  if (effect.effect !== 'send') return { key, at, type: 'effect', effect }
  const [message] = effect.input as [SendInput]
  return {
    key,
    at,
    type: 'sent',
    nodeId: effect.nodeId,
    content: message.content,
    choices: listChoices(message),
    refused: getRefusal(effect),
  }
}

function toReceived({ message, replyId, media, event }: SimulationInput, at: number, key: string): Entry[] {
  if (event) return [{ key, at, type: 'event', name: event.name }]
  const text = message ?? replyId ?? (media ? '📎' : undefined)
  return text === undefined
    ? []
    : [{ key, at, type: 'received', text: media ? `📎 ${message ?? ''}`.trim() : text }]
}

/** Shorter waits are not worth a line. */
const minGapMs = 60_000

export function buildTranscript({ setup, inputs }: Session, simulation: Simulation): Entry[] {
  const startedAt = Date.parse(simulation.startedAt)
  const times = listInputTimes(inputs, simulation.startedAt)
  const first: SimulationInput =
    setup.start === 'message' ? { message: setup.message } : { event: { name: setup.eventName } }
  const entries = [
    ...(setup.start === 'trigger' ? [] : toReceived(first, startedAt, 'first')),
    ...inputs.flatMap((input, i) => toReceived(input, times[i]!, `input-${i}`)),
    ...simulation.effects.map(toEntry),
  ].sort((a, b) => a.at - b.at)
  let before = startedAt
  return entries.flatMap(entry => {
    const ms = entry.at - before
    before = entry.at
    return ms < minGapMs
      ? [entry]
      : [{ key: `${entry.key}-gap`, at: entry.at, type: 'passed', ms } as Entry, entry]
  })
}

/** Returns the choices of the question that the run waits for. */
export function findOpenChoices(entries: readonly Entry[], { waitingFor }: Simulation): string | undefined {
  if (!waitingFor?.message) return undefined
  const last = entries.findLast(entry => entry.type === 'sent')
  return last?.type === 'sent' && last.nodeId === waitingFor.nodeId && last.choices.length > 0
    ? last.key
    : undefined
}

/** Returns the nodes and edges of the path, for the canvas. */
export function toHighlight(
  path: readonly PathStep[],
  { definition, catalogue, kind }: { definition: Definition; catalogue: Catalogue; kind: WorkflowKind },
  current?: string,
): Highlight {
  const edgeIds = path.flatMap(({ nodeId, output }) => {
    const node = findNode(definition, nodeId)
    if (!node || output === null) return []
    const edge = findEdge(definition, nodeId, output, listOutputs(node, catalogue, kind))
    return edge ? [edge.id] : []
  })
  const nodeIds = [...path.map(({ nodeId }) => nodeId), ...(current ? [current] : [])]
  return {
    nodeIds: [...new Set(nodeIds)],
    edgeIds: [...new Set(edgeIds)],
    ...(current ? { current } : {}),
  }
}

/** Returns the steps with the effects of each: effects are recorded in the order of the steps. */
export function joinEffects(
  path: readonly PathStep[],
  effects: readonly Effect[],
): { step: PathStep; effects: Effect[] }[] {
  let next = 0
  return path.map(step => {
    const from = next
    while (effects[next]?.nodeId === step.nodeId && effects[next]?.at === step.at) next++
    return { step, effects: effects.slice(from, next) }
  })
}

/** Returns the text of a message as the customer sees it, not as the node has it. */
function findSentText({ effect, input }: Effect): string | undefined {
  if (effect !== 'send') return undefined
  const [{ content }] = input as [SendInput]
  return content.type === 'text' ? content.text.body : undefined
}

/** Returns the node with the values that the effect had, where its settings have placeholders. */
function withValues(node: DefinitionNode, { effect, input }: Effect): DefinitionNode {
  const used = effect === 'setField' ? { value: input[1] } : effect === 'note' ? { text: input[0] } : {}
  return { ...node, data: { ...node.data, ...used } }
}

/** Returns why the message was not sent. */
export const getRefusal = ({ effect, result }: Effect): string | undefined =>
  effect === 'send' ? (result as { refused?: string } | null)?.refused : undefined

function nameEffect(item: Effect): string {
  const { effect, input } = item
  if (getRefusal(item)) return texts().effects.notSent!
  const name = effect !== 'setOptOut' ? effect : input[1] ? 'optOut' : 'optIn'
  return texts().effects[name] ?? name
}

/** Says what the effect does, with what its node names: the tag, the field, the user. */
export function describeEffect(item: Effect, definition: Definition): string {
  const node = findNode(definition, item.nodeId)
  const detail = findSentText(item) ?? (node && describeNode(withValues(node, item)))
  return [nameEffect(item), detail].filter(Boolean).join(': ')
}

type Variables = Readonly<Record<string, unknown>>

export function listChanged(before: Variables, after: Variables): [string, unknown][] {
  return Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  )
}

export const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns whether the settings of the node name the variable as the one that it sets. */
const isSetBy = (name: string, node: DefinitionNode | undefined) =>
  node !== undefined &&
  [node.data.variable, node.data.saveAs, node.type === 'setVariable' && node.data.name].includes(name)

/**
 * Returns lines for the nodes on the canvas: the effects of each, and the variables that it has set. The service returns
 * variables after each turn, not after each step.
 */
export function listNotes(
  simulations: readonly Simulation[],
  definition: Definition,
): Map<string, readonly string[]> {
  const last = simulations.at(-1)!
  const notes = new Map<string, readonly string[]>()
  const add = (nodeId: string, line: string) => notes.set(nodeId, [...(notes.get(nodeId) ?? []), line])
  for (const { step, effects } of joinEffects(last.path, last.effects))
    for (const effect of effects) add(step.nodeId, describeEffect(effect, definition))
  for (const [turn, { path, variables }] of simulations.entries()) {
    const before = simulations[turn - 1]
    const steps = path.slice(before?.path.length ?? 0)
    for (const [name, value] of listChanged(before?.variables ?? {}, variables)) {
      const setter = steps.findLast(({ nodeId }) => isSetBy(name, findNode(definition, nodeId)))
      if (setter) add(setter.nodeId, `${name} = ${toText(value)}`)
    }
  }
  return notes
}

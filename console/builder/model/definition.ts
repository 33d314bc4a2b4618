/** The definition of a workflow as the builder reads it: nodes, edges, the outputs of a node and its line of summary. */
import type { Schemas } from '../../api/client.ts'

export type Definition = Schemas['WorkflowDefinition']
export type DefinitionNode = Schemas['WorkflowNode']
export type DefinitionEdge = Schemas['WorkflowEdge']
export type Catalogue = Schemas['WorkflowCatalogue']
export type NodeType = Catalogue['nodes'][number]
export type WorkflowKind = 'journey' | 'chatbot'
export type Position = NonNullable<DefinitionNode['position']>

export type Data = Record<string, unknown>

export const maxNodes = 500

export interface Output {
  name: string
  /** The title of an option or the event of a case; undefined if the name of the output is enough. */
  title?: string | undefined
}

/** Nodes by id, and edges by the node that they leave or enter. */
export interface DefinitionIndex {
  nodes: ReadonlyMap<string, DefinitionNode>
  leaving: ReadonlyMap<string, readonly DefinitionEdge[]>
  entering: ReadonlyMap<string, readonly DefinitionEdge[]>
}

function groupEdges(edges: readonly DefinitionEdge[], end: 'source' | 'target') {
  const groups = new Map<string, DefinitionEdge[]>()
  for (const edge of edges) {
    const group = groups.get(edge[end])
    if (group) group.push(edge)
    else groups.set(edge[end], [edge])
  }
  return groups
}

const indexes = new WeakMap<Definition, DefinitionIndex>()

/** Returns the index of the definition, built once. */
export function indexDefinition(definition: Definition): DefinitionIndex {
  const known = indexes.get(definition)
  if (known) return known
  const index = {
    nodes: new Map(definition.nodes.map(node => [node.id, node])),
    leaving: groupEdges(definition.edges, 'source'),
    entering: groupEdges(definition.edges, 'target'),
  }
  indexes.set(definition, index)
  return index
}

export function findNode(definition: Definition, id: string): DefinitionNode | undefined {
  return indexDefinition(definition).nodes.get(id)
}

/** Returns undefined for other kinds of nodes, and for a jump to a node that was deleted. */
export const findJumpTarget = ({ type, data }: DefinitionNode, definition: Definition) =>
  type === 'jump' ? findNode(definition, toText(data.to)) : undefined

export function findStart(definition: Definition): DefinitionNode | undefined {
  return definition.nodes.find(({ type }) => type === 'start')
}

const defaultTriggers: Record<WorkflowKind, Data> = {
  journey: {},
  chatbot: { triggerConfig: { type: 'conversation_started' } },
}

/**
 * Adds the start to a definition without one, which is saved with the next change. It has the same id in every browser, so
 * that two users who open an empty workflow do not add two.
 */
export function withStart(definition: Definition, kind: WorkflowKind): Definition {
  if (findStart(definition)) return definition
  const start = { id: 'start', type: 'start', data: defaultTriggers[kind] }
  return { ...definition, nodes: [start, ...definition.nodes] }
}

export const findNodeType = (catalogue: Catalogue, type: string): NodeType | undefined =>
  catalogue.nodes.find(node => node.type === type)

/** Whether the node must be set up: kinds such as `end` have no required settings. */
export const needsSettings = (catalogue: Catalogue, type: string): boolean =>
  ((findNodeType(catalogue, type)?.data.required as string[] | undefined) ?? []).length > 0

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The output of a case is named by its id, or by its index. */
const toCaseName = (one: unknown, position: number) =>
  isObject(one) && typeof one.id === 'string' && one.id !== '' ? one.id : String(position)

const byData: Record<string, (data: Data) => Output[]> = {
  menu: ({ options }) => [
    ...toList(options).map((option, position) => ({
      name: toCaseName(option, position),
      title: isObject(option) ? toText(option.title) || undefined : undefined,
    })),
    { name: 'other' },
    { name: 'timeout' },
  ],
  waitFor: ({ cases }) => [
    ...toList(cases).map((one, position) => ({
      name: toCaseName(one, position),
      title: isObject(one) && !one.id ? toText(one.event) || undefined : undefined,
    })),
    { name: 'timeout' },
  ],
  branch: ({ cases }) => [
    ...toList(cases).map((one, position) => ({ name: toCaseName(one, position) })),
    { name: 'else' },
  ],
  split: ({ weights }) => Object.keys((weights as object | undefined) ?? {}).map(name => ({ name })),
}

const fixed = new WeakMap<Catalogue, Map<string, Output[]>>()

function listFixed(catalogue: Catalogue, type: string): Output[] {
  let known = fixed.get(catalogue)
  if (!known) {
    known = new Map(
      catalogue.nodes.map(node => [node.type, node.outputs.map(({ name }): Output => ({ name }))]),
    )
    fixed.set(catalogue, known)
  }
  return known.get(type) ?? [{ name: 'next' }]
}

/** Returns the outputs of the node. Those of cases, options and weights follow its data. */
export function listOutputs(node: DefinitionNode, catalogue: Catalogue, kind: WorkflowKind): Output[] {
  const own = byData[node.type]
  if (own) return own(node.data)
  const outputs = listFixed(catalogue, node.type)
  return node.type === 'start' && kind === 'journey'
    ? outputs.filter(({ name }) => name !== 'fallback')
    : outputs
}

/** Returns the title of an option, or the event of a case, that the output is named by its id. */
export const findOutputTitle = ({ type, data }: DefinitionNode, output: string): string | undefined =>
  byData[type]?.(data).find(({ name }) => name === output)?.title

/** Returns the output by which the edge leaves: the named one, otherwise the first of its node. */
export function getOutputName(edge: DefinitionEdge, outputs: readonly Output[]): string {
  return edge.sourceHandle ?? outputs[0]?.name ?? 'next'
}

/** Returns the edge that leaves the node by the output. */
export function findEdge(
  definition: Definition,
  nodeId: string,
  output: string,
  outputs: readonly Output[],
): DefinitionEdge | undefined {
  return indexDefinition(definition)
    .leaving.get(nodeId)
    ?.find(edge => getOutputName(edge, outputs) === output)
}

/** Returns the text that a message begins with, or the name of its template. */
export function summarizeContent(content: unknown): string {
  if (!isObject(content)) return ''
  const { type, text, template, media, rich } = content as Record<string, Data | undefined>
  if (String(type) === 'text') return toText(text?.body)
  if (String(type) === 'template') return toText(template?.name)
  if (String(type) === 'media') return toText(media?.caption)
  return toText((rich?.body as Data | undefined)?.text)
}

/** Names of resources by their ids, for summaries. */
export type NameOf = (id: string) => string | undefined

interface SummaryTexts {
  duration: (duration: Data) => string
  trigger: (type: string) => string
  cases: (count: number) => string
  /** The name of a channel or strategy. */
  value: (value: string) => string
  nobody: string
}

type Summarize = (data: Data, nameOf: NameOf, texts: SummaryTexts) => string

const named = (id: unknown, nameOf: NameOf) => {
  const text = toText(id)
  return nameOf(text) ?? text
}

const summaries: Record<string, Summarize> = {
  start: ({ triggerConfig }, nameOf, texts) => {
    if (!isObject(triggerConfig)) return ''
    const { type, name, segmentId, fieldId, tagIds } = triggerConfig
    const subject = toText(name) || named(segmentId ?? fieldId ?? toList(tagIds)[0], nameOf)
    return [texts.trigger(toText(type)), subject].filter(Boolean).join(': ')
  },
  sendMessage: ({ content }) => summarizeContent(content),
  ask: ({ content }) => summarizeContent(content),
  menu: ({ content }) => summarizeContent(content),
  delay: ({ for: duration, until, field }, nameOf, texts) =>
    isObject(duration) ? texts.duration(duration) : toText(until) || named(field, nameOf),
  timeWindow: ({ from, to }) => (from || to ? `${toText(from)} – ${toText(to)}` : ''),
  waitFor: ({ cases }, _nameOf, texts) =>
    toList(cases)
      .map(one => (isObject(one) ? toText(one.event) : ''))
      .filter(Boolean)
      .join(', ') || texts.cases(toList(cases).length),
  branch: ({ cases }, _nameOf, texts) => texts.cases(toList(cases).length),
  split: ({ weights }) => Object.values((weights as object | undefined) ?? {}).join(' : '),
  addTag: ({ tagId }, nameOf) => named(tagId, nameOf),
  removeTag: ({ tagId }, nameOf) => named(tagId, nameOf),
  setField: ({ fieldId, value }, nameOf) =>
    [named(fieldId, nameOf), toText(value)].filter(Boolean).join(' = '),
  setVariable: ({ name, value, expression }) =>
    [toText(name), toText(expression) || (value === undefined ? '' : toJsonText(value))]
      .filter(Boolean)
      .join(' = '),
  setOptOut: ({ channel }, _nameOf, texts) => texts.value(toText(channel)),
  assign: ({ userId, teamId, strategy }, nameOf, texts) =>
    named(userId ?? teamId, nameOf) || texts.value(toText(strategy)) || texts.nobody,
  handoff: ({ teamId }, nameOf) => named(teamId, nameOf),
  note: ({ text }) => toText(text),
  http: ({ method, url }) => [toText(method), toText(url)].filter(Boolean).join(' '),
  emitEvent: ({ name }) => toText(name),
  callWorkflow: ({ journeyId }, nameOf) => named(journeyId, nameOf),
  jump: ({ to }) => toText(to),
  goal: ({ name }) => toText(name),
}

const toJsonText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns one line that says what the node does, from its data; empty if there is nothing to say yet. */
export function summarizeNode(node: DefinitionNode, nameOf: NameOf, texts: SummaryTexts): string {
  const summary = summaries[node.type]?.(node.data, nameOf, texts) ?? ''
  return summary.replace(/\s+/g, ' ').trim().slice(0, 200)
}

/**
 * The definition of a workflow. Trigger and entry mode are stored only in its start node: a journey's `triggerConfig` and
 * `entryMode` are written to and read from there.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { invalid, type Violation, violation } from '../../platform/errors.ts'
import { explainViolations } from '../../platform/http/input/violations.ts'
import { Cooldown } from '../nodes/node-fields.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import {
  type DefinitionInput,
  TriggerConfig,
  type WorkflowDefinition,
  type WorkflowNode,
} from '../schemas.ts'
import { type EntryMode, entryModes } from '../triggers/trigger-type.ts'

export const emptyDefinition: WorkflowDefinition = { nodes: [], edges: [] }

export const maxDefinitionBytes = 256 * 1024

/** A chatbot has its definition in `draft`. */
export function getDefinitionPath(kind: WorkflowKind): 'definition' | 'draft' {
  return kind === 'chatbot' ? 'draft' : 'definition'
}

export interface Start {
  node: WorkflowNode | undefined
  /** Index among the nodes, or -1. */
  index: number
  triggerConfig: TriggerConfig | undefined
  entryMode: EntryMode
  cooldown: Static<typeof Cooldown> | undefined
}

export function getStart(definition: WorkflowDefinition): Start {
  const index = definition.nodes.findIndex(node => node.type === 'start')
  const node = definition.nodes[index]
  return {
    node,
    index,
    triggerConfig: node?.data.triggerConfig as TriggerConfig | undefined,
    entryMode: (node?.data.entryMode as EntryMode | undefined) ?? 'once',
    cooldown: node?.data.cooldown as Static<typeof Cooldown> | undefined,
  }
}

/** Returns trigger and entry mode with their defaults: a chatbot replies to every message, every time. */
export function getEntryConfig(
  kind: WorkflowKind,
  definition: WorkflowDefinition,
): { triggerConfig: TriggerConfig | undefined; entryMode: EntryMode } {
  const { node, triggerConfig, entryMode } = getStart(definition)
  if (kind === 'journey') return { triggerConfig, entryMode }
  return {
    triggerConfig: triggerConfig ?? { type: 'message_received', match: 'any', conditions: {} },
    entryMode: node?.data.entryMode === undefined ? 'every_time' : entryMode,
  }
}

/** Gives each edge without an id one that no other edge has. */
export function toDefinition(input: DefinitionInput): WorkflowDefinition {
  const taken = new Set(input.edges.map(edge => edge.id))
  const edges = input.edges.map(({ id, ...edge }) => {
    if (id !== undefined) return { id, ...edge }
    const newId = findFreeId(`${edge.source}:${edge.sourceHandle ?? ''}-${edge.target}`.slice(0, 90), taken)
    taken.add(newId)
    return { id: newId, ...edge }
  })
  return { ...input, edges }
}

function findFreeId(wanted: string, taken: ReadonlySet<string | undefined>): string {
  let id = wanted
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`
  return id
}

/** 400 unless the draft is within the size limit and its start node, if any, is valid. */
export function checkDraft(definition: WorkflowDefinition, path: string): void {
  const violations = draftViolations(definition, path)
  if (violations.length > 0) invalid(...violations)
}

/** Returns why the definition cannot be stored, not even as a draft. */
export function draftViolations(definition: WorkflowDefinition, path: string): Violation[] {
  const violations = definition.nodes.flatMap((node, i) =>
    node.type === 'start' ? startViolations(node, `${path}.nodes[${i}].data`) : [],
  )
  if (Buffer.byteLength(JSON.stringify(definition)) > maxDefinitionBytes)
    violations.push(violation(path, 'too_large', `must be at most ${maxDefinitionBytes} bytes`))
  return violations
}

function startViolations({ data }: WorkflowNode, path: string): Violation[] {
  const violations: Violation[] = []
  if (data.triggerConfig !== undefined)
    violations.push(...explainViolations(TriggerConfig, data.triggerConfig, `${path}.triggerConfig`))
  if (data.entryMode !== undefined && !entryModes.includes(data.entryMode as EntryMode))
    violations.push(
      violation(`${path}.entryMode`, 'invalid_value', `must be one of ${entryModes.join(', ')}`),
    )
  if (data.cooldown !== undefined)
    violations.push(...explainViolations(Cooldown, data.cooldown, `${path}.cooldown`))
  return violations
}

/** Properties of a request that belong into the start node. */
export interface StartOverrides {
  triggerConfig?: TriggerConfig
  entryMode?: EntryMode
  cooldown?: Static<typeof Cooldown>
}

/** Writes the overrides into the start node, which is created if there is none. */
export function applyOverrides(definition: WorkflowDefinition, beside: StartOverrides): WorkflowDefinition {
  const given = Object.fromEntries(Object.entries(beside).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) return definition
  const { index } = getStart(definition)
  if (index < 0) return { ...definition, nodes: [...definition.nodes, buildStart(definition, given)] }
  const nodes = definition.nodes.map((node, i) =>
    i === index ? { ...node, data: { ...node.data, ...given } } : node,
  )
  return { ...definition, nodes }
}

function buildStart({ nodes }: WorkflowDefinition, data: Record<string, unknown>): WorkflowNode {
  const id = findFreeId('start', new Set(nodes.map(node => node.id)))
  return { id, type: 'start', data }
}

/** 400 if the start node in the same request has different values. */
export function checkOverrides(definition: WorkflowDefinition, beside: StartOverrides, path: string): void {
  const { node, index } = getStart(definition)
  const faults = (['triggerConfig', 'entryMode', 'cooldown'] as const).flatMap(name => {
    const inside = node?.data[name]
    const same = inside === undefined || beside[name] === undefined || isDeepStrictEqual(inside, beside[name])
    return same
      ? []
      : [violation(name, 'conflict', `differs from ${path}.nodes[${index}].data.${name} in the same request`)]
  })
  if (faults.length > 0) invalid(...faults)
}

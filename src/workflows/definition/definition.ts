/**
 * The drawing of a workflow. Its start node is the only store of trigger and entry mode: what is given beside the
 * definition is written into it, and what is shown beside it is read from there.
 */
import { isDeepStrictEqual } from 'node:util'
import { invalid, type Violation, violation } from '../../platform/errors.ts'
import { explainViolations } from '../../platform/http/validate.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import { TriggerConfig, type WorkflowDefinition, type WorkflowNode } from '../schemas.ts'
import { type EntryMode, entryModes } from '../triggers/trigger-type.ts'

export const emptyDefinition: WorkflowDefinition = { nodes: [], edges: [] }

/** Of the text it is stored as. */
export const maxDefinitionBytes = 256 * 1024

export interface Start {
  node: WorkflowNode | undefined
  /** Its place among the nodes, or -1. */
  index: number
  triggerConfig: TriggerConfig | undefined
  entryMode: EntryMode
}

export function getStart(definition: WorkflowDefinition): Start {
  const index = definition.nodes.findIndex(node => node.type === 'start')
  const node = definition.nodes[index]
  return {
    node,
    index,
    triggerConfig: node?.data.triggerConfig as TriggerConfig | undefined,
    entryMode: (node?.data.entryMode as EntryMode | undefined) ?? 'once',
  }
}

/** A bot whose start says nothing answers whatever the customer writes, anew each time it is asked. */
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

/** What a draft must be, unfinished as it may be: small enough, and with a start node that can be read. */
export function checkDraft(definition: WorkflowDefinition, path: string): void {
  const faults = definition.nodes.flatMap((node, i) =>
    node.type === 'start' ? startViolations(node, `${path}.nodes[${i}].data`) : [],
  )
  if (Buffer.byteLength(JSON.stringify(definition)) > maxDefinitionBytes)
    faults.push(violation(path, 'too_large', `must take at most ${maxDefinitionBytes} bytes`))
  if (faults.length > 0) invalid(...faults)
}

function startViolations({ data }: WorkflowNode, path: string): Violation[] {
  const faults: Violation[] = []
  if (data.triggerConfig !== undefined)
    faults.push(...explainViolations(TriggerConfig, data.triggerConfig, `${path}.triggerConfig`))
  if (data.entryMode !== undefined && !entryModes.includes(data.entryMode as EntryMode))
    faults.push(violation(`${path}.entryMode`, 'invalid_value', `must be one of ${entryModes.join(', ')}`))
  return faults
}

export interface StartOverrides {
  triggerConfig?: TriggerConfig
  entryMode?: EntryMode
}

/** The definition with what was given beside it in its start node, which is made when there is none. */
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
  const taken = new Set(nodes.map(node => node.id))
  let id = 'start'
  for (let n = 2; taken.has(id); n++) id = `start-${n}`
  return { id, type: 'start', data }
}

/** 400 when a request says two different things about the same. */
export function checkOverrides(definition: WorkflowDefinition, beside: StartOverrides, path: string): void {
  const { node, index } = getStart(definition)
  const faults = (['triggerConfig', 'entryMode'] as const).flatMap(name => {
    const inside = node?.data[name]
    const same = inside === undefined || beside[name] === undefined || isDeepStrictEqual(inside, beside[name])
    return same
      ? []
      : [violation(name, 'conflict', `differs from ${path}.nodes[${index}].data.${name} in the same request`)]
  })
  if (faults.length > 0) invalid(...faults)
}

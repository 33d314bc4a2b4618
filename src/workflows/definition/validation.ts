/** Whether a drawing can be published. Every fault is found, and named by its path. */
import type { Deps } from '../../platform/deps.ts'
import { invalid, type Violation, violation } from '../../platform/errors.ts'
import { explainViolations } from '../../platform/http/validate.ts'
import type { AnyNodeType, WorkflowKind } from '../nodes/node-type.ts'
import { findNodeType } from '../nodes/registry.ts'
import { TriggerConfig, type WorkflowDefinition, type WorkflowNode } from '../schemas.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import { triggerConfigViolations, triggerReferences } from '../triggers/registry.ts'
import { getStart } from './definition.ts'
import { graphViolations, type Vertex } from './graph.ts'
import { type LocatedReference, referenceViolations } from './references.ts'

const path = 'definition'
const maxViolations = 50

/** A node with all that is known of it. */
interface CheckedNode {
  node: WorkflowNode
  at: string
  /** Undefined when its type is unknown. */
  kind: AnyNodeType | undefined
  /** Of its data. */
  faults: Violation[]
}

function checkNodes(workflow: WorkflowKind, definition: WorkflowDefinition): CheckedNode[] {
  return definition.nodes.map((node, i) => {
    const at = `${path}.nodes[${i}]`
    const kind = findNodeType(node.type)
    if (!kind)
      return { node, at, kind, faults: [violation(`${at}.type`, 'unknown_type', 'is not a type of node')] }
    if (!kind.kinds.includes(workflow))
      return { node, at, kind, faults: [violation(`${at}.type`, 'misplaced', `is not for a ${workflow}`)] }
    const faults = explainViolations(kind.data, node.data, `${at}.data`)
    return { node, at, kind, faults: faults.length > 0 ? faults : nodeViolations(kind, node, definition, at) }
  })
}

function nodeViolations(
  kind: AnyNodeType,
  node: WorkflowNode,
  definition: WorkflowDefinition,
  at: string,
): Violation[] {
  const found = kind.violations?.(node.data as never, definition) ?? []
  return found.map(fault => ({ ...fault, field: `${at}.data.${fault.field}` }))
}

function toVertex({ node, kind, faults }: CheckedNode): Vertex {
  if (!kind || faults.length > 0) return { outputs: undefined, waits: true, jumps: [] }
  const waits = typeof kind.waits === 'function' ? kind.waits(node.data as never) : (kind.waits ?? false)
  const outputs = kind.outputs(node.data as never).map(output => output.name)
  const jumps = (kind.references?.(node.data as never) ?? []).filter(one => one.kind === 'node')
  return { outputs, waits, jumps: jumps.map(one => one.id) }
}

/** A bot may leave its trigger out; see `entryOf`. */
function triggerViolations(workflow: WorkflowKind, definition: WorkflowDefinition): Violation[] {
  const { index, triggerConfig } = getStart(definition)
  if (index < 0) return []
  const at = `${path}.nodes[${index}].data.triggerConfig`
  if (triggerConfig === undefined)
    return workflow === 'chatbot' ? [] : [violation(at, 'required', 'is required')]
  if (explainViolations(TriggerConfig, triggerConfig, at).length > 0) return [] // said of the start node already
  return triggerConfigViolations(triggerConfig, workflow).map(fault => ({
    ...fault,
    field: `${at}.${fault.field}`,
  }))
}

interface CheckResult {
  faults: Violation[]
  references: LocatedReference[]
}

function checkDefinition(workflow: WorkflowKind, definition: WorkflowDefinition): CheckResult {
  const known = checkNodes(workflow, definition)
  const ofTrigger = triggerViolations(workflow, definition)
  const faults = [
    ...graphViolations(definition, known.map(toVertex), path),
    ...known.flatMap(one => one.faults),
    ...ofTrigger,
  ]
  const references = known.flatMap(({ node, at, kind, faults: own }) =>
    kind && own.length === 0
      ? (kind.references?.(node.data as never) ?? []).map(reference => ({
          reference,
          at: `${at}.data`,
          data: node.data,
        }))
      : [],
  )
  return { faults, references: [...references, ...(ofTrigger.length > 0 ? [] : startReferences(definition))] }
}

function startReferences(definition: WorkflowDefinition): LocatedReference[] {
  const { index, triggerConfig } = getStart(definition)
  if (triggerConfig === undefined) return []
  const at = `${path}.nodes[${index}].data.triggerConfig`
  return triggerReferences(triggerConfig).map(reference => ({ reference, at, data: triggerConfig }))
}

/** What it speaks of, with the paths. */
export function collectReferences(
  workflow: WorkflowKind,
  definition: WorkflowDefinition,
): LocatedReference[] {
  return checkDefinition(workflow, definition).references
}

/** What can be said without asking anybody. */
export function definitionViolations(workflow: WorkflowKind, definition: WorkflowDefinition): Violation[] {
  return checkDefinition(workflow, definition).faults
}

/** The files that its messages carry. */
export function collectMediaIds(workflow: WorkflowKind, definition: WorkflowDefinition): string[] {
  return collectReferences(workflow, definition).flatMap(({ reference: { kind, id } }) =>
    kind === 'media' ? [id] : [],
  )
}

/** 400 with every fault. */
export async function checkPublishable(
  deps: Deps,
  { kind, tenantId, definition }: WorkflowRow,
): Promise<void> {
  const { faults, references } = checkDefinition(kind, definition)
  const all = [...faults, ...(await referenceViolations(deps, tenantId, references))]
  if (all.length > 0) invalid(...all.slice(0, maxViolations))
}

/** Whether a drawing can be published. Every fault is found, and named by its path. */
import type { Deps } from '../platform/deps.ts'
import { invalid, type Violation, violation } from '../platform/errors.ts'
import { explain } from '../platform/http/validate.ts'
import { startOf } from './definition.ts'
import { graphFaults, type Vertex } from './graph.ts'
import { nodeKindOf } from './nodes/all.ts'
import type { AnyNodeKind, WorkflowKind } from './nodes/kind.ts'
import { type Located, referenceFaults } from './references.ts'
import { TriggerConfig, type WorkflowDefinition, type WorkflowNode } from './schemas.ts'
import type { WorkflowRow } from './store/workflows.ts'
import { triggerConfigFaults, triggerReferences } from './triggers/all.ts'

const path = 'definition'
const mostFaults = 50

/** A node with all that is known of it. */
interface Known {
  node: WorkflowNode
  at: string
  /** Undefined when its type is unknown. */
  kind: AnyNodeKind | undefined
  /** Of its data. */
  faults: Violation[]
}

function knownNodes(workflow: WorkflowKind, definition: WorkflowDefinition): Known[] {
  return definition.nodes.map((node, i) => {
    const at = `${path}.nodes[${i}]`
    const kind = nodeKindOf(node.type)
    if (!kind)
      return { node, at, kind, faults: [violation(`${at}.type`, 'unknown_type', 'is not a type of node')] }
    if (!kind.kinds.includes(workflow))
      return { node, at, kind, faults: [violation(`${at}.type`, 'misplaced', `is not for a ${workflow}`)] }
    const faults = explain(kind.data, node.data, `${at}.data`)
    return { node, at, kind, faults: faults.length > 0 ? faults : ownFaults(kind, node, definition, at) }
  })
}

function ownFaults(
  kind: AnyNodeKind,
  node: WorkflowNode,
  definition: WorkflowDefinition,
  at: string,
): Violation[] {
  const found = kind.faults?.(node.data as never, definition) ?? []
  return found.map(fault => ({ ...fault, field: `${at}.data.${fault.field}` }))
}

function vertexOf({ node, kind, faults }: Known): Vertex {
  if (!kind || faults.length > 0) return { outputs: undefined, waits: true, jumps: [] }
  const waits = typeof kind.waits === 'function' ? kind.waits(node.data as never) : (kind.waits ?? false)
  const outputs = kind.outputs(node.data as never).map(output => output.name)
  const jumps = (kind.references?.(node.data as never) ?? []).filter(one => one.kind === 'node')
  return { outputs, waits, jumps: jumps.map(one => one.id) }
}

/** A bot may leave its trigger out; see `entryOf`. */
function triggerFaults(workflow: WorkflowKind, definition: WorkflowDefinition): Violation[] {
  const { index, triggerConfig } = startOf(definition)
  if (index < 0) return []
  const at = `${path}.nodes[${index}].data.triggerConfig`
  if (triggerConfig === undefined)
    return workflow === 'chatbot' ? [] : [violation(at, 'required', 'is required')]
  if (explain(TriggerConfig, triggerConfig, at).length > 0) return [] // said of the start node already
  return triggerConfigFaults(triggerConfig, workflow).map(fault => ({
    ...fault,
    field: `${at}.${fault.field}`,
  }))
}

interface Looked {
  faults: Violation[]
  references: Located[]
}

function look(workflow: WorkflowKind, definition: WorkflowDefinition): Looked {
  const known = knownNodes(workflow, definition)
  const ofTrigger = triggerFaults(workflow, definition)
  const faults = [
    ...graphFaults(definition, known.map(vertexOf), path),
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
  return { faults, references: [...references, ...(ofTrigger.length > 0 ? [] : ofStart(definition))] }
}

function ofStart(definition: WorkflowDefinition): Located[] {
  const { index, triggerConfig } = startOf(definition)
  if (triggerConfig === undefined) return []
  const at = `${path}.nodes[${index}].data.triggerConfig`
  return triggerReferences(triggerConfig).map(reference => ({ reference, at, data: triggerConfig }))
}

/** What it speaks of, with the paths. */
export function referencesOf(workflow: WorkflowKind, definition: WorkflowDefinition): Located[] {
  return look(workflow, definition).references
}

/** What can be said without asking anybody. */
export function definitionFaults(workflow: WorkflowKind, definition: WorkflowDefinition): Violation[] {
  return look(workflow, definition).faults
}

/** The files that its messages carry. */
export function mediaOf(workflow: WorkflowKind, definition: WorkflowDefinition): string[] {
  return referencesOf(workflow, definition).flatMap(({ reference: { kind, id } }) =>
    kind === 'media' ? [id] : [],
  )
}

/** 400 with every fault. */
export async function checkPublishable(
  deps: Deps,
  { kind, tenantId, definition }: WorkflowRow,
): Promise<void> {
  const { faults, references } = look(kind, definition)
  const all = [...faults, ...(await referenceFaults(deps, tenantId, references))]
  if (all.length > 0) invalid(...all.slice(0, mostFaults))
}

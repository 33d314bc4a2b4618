/** Validates a definition before publishing. All violations are returned together, with their paths. */
import { getFieldDefinitions } from '../../contacts/tags-and-fields/custom-fields.ts'
import { describeUnknown } from '../../platform/closest.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, type Violation, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { explainViolations } from '../../platform/http/input/violations.ts'
import { yieldEvery } from '../../platform/yield.ts'
import type { AnyNodeType, LocatedReference, WorkflowKind } from '../nodes/node-type.ts'
import { findNodeType, nodeTypes } from '../nodes/registry.ts'
import { TriggerConfig, type WorkflowDefinition, type WorkflowNode } from '../schemas.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import { triggerConfigViolations, triggerReferences } from '../triggers/registry.ts'
import { getDefinitionPath, getStart } from './definition.ts'
import { graphViolations, type Vertex } from './graph.ts'
import { type CampaignExists, referenceViolations } from './references.ts'
import { checkRights } from './rights.ts'
import { type ValidNode, valueViolations } from './value-checks.ts'

export const maxViolations = 50

export type CheckedWorkflow = Pick<WorkflowRow, 'kind' | 'tenantId' | 'definition'>

interface CheckedNode {
  node: WorkflowNode
  at: string
  /** Undefined if the type is unknown. */
  nodeType: AnyNodeType | undefined
  violations: Violation[]
}

function checkNodes(workflow: WorkflowKind, definition: WorkflowDefinition): CheckedNode[] {
  return definition.nodes.map((node, i) => {
    const at = `${getDefinitionPath(workflow)}.nodes[${i}]`
    const nodeType = findNodeType(node.type)
    return { node, at, nodeType, violations: checkNode(workflow, definition, node, at) }
  })
}

function listNodeNames(workflow: WorkflowKind): string[] {
  return nodeTypes.filter(({ kinds }) => kinds.includes(workflow)).map(({ type }) => type)
}

function checkNode(
  workflow: WorkflowKind,
  definition: WorkflowDefinition,
  node: WorkflowNode,
  at: string,
): Violation[] {
  const nodeType = findNodeType(node.type)
  if (!nodeType)
    return [
      violation(`${at}.type`, 'unknown_type', describeUnknown('node', node.type, listNodeNames(workflow))),
    ]
  if (!nodeType.kinds.includes(workflow)) {
    const names = listNodeNames(workflow).join(', ')
    return [violation(`${at}.type`, 'misplaced', `is not allowed in a ${workflow}; use one of ${names}`)]
  }
  const violations = explainViolations(nodeType.data, node.data, `${at}.data`)
  if (violations.length > 0) return violations
  const own = nodeType.violations?.(node.data as never, definition) ?? []
  return own.map(found => ({ ...found, field: `${at}.data.${found.field}` }))
}

function toVertex(workflow: WorkflowKind, { node, nodeType, violations }: CheckedNode): Vertex {
  if (!nodeType || violations.length > 0) return { outputs: undefined, waits: true, jumps: [] }
  const { waits = false } = nodeType
  const outputs = nodeType
    .outputs(node.data as never)
    .map(output => output.name)
    .filter(name => workflow === 'chatbot' || node.type !== 'start' || name !== 'fallback')
  const jumps = (nodeType.references?.(node.data as never) ?? []).filter(({ kind }) => kind === 'node')
  return {
    outputs,
    waits: typeof waits === 'function' ? waits(node.data as never) : waits,
    jumps: jumps.map(({ id }) => id),
  }
}

/** The trigger is optional in a chatbot; see `getEntryConfig`. */
function triggerViolations(workflow: WorkflowKind, definition: WorkflowDefinition): Violation[] {
  const { index, node, triggerConfig } = getStart(definition)
  if (index < 0) return []
  if (workflow === 'journey' && node?.data.defaultReply !== undefined) {
    const field = `${getDefinitionPath(workflow)}.nodes[${index}].data.defaultReply`
    return [violation(field, 'not_allowed', 'is allowed only in a chatbot')]
  }
  const at = `${getDefinitionPath(workflow)}.nodes[${index}].data.triggerConfig`
  if (triggerConfig === undefined)
    return workflow === 'chatbot' ? [] : [violation(at, 'required', 'is required')]
  // The start node reports these.
  if (explainViolations(TriggerConfig, triggerConfig, at).length > 0) return []
  return triggerConfigViolations(triggerConfig, workflow).map(found => ({
    ...found,
    field: `${at}.${found.field}`,
  }))
}

interface CheckResult {
  violations: Violation[]
  validNodes: ValidNode[]
  references: LocatedReference[]
}

function checkDefinition(workflow: WorkflowKind, definition: WorkflowDefinition): CheckResult {
  const nodes = checkNodes(workflow, definition)
  const ofTrigger = triggerViolations(workflow, definition)
  const validNodes = nodes.flatMap(({ node, at, nodeType, violations }) =>
    nodeType && violations.length === 0 ? [{ node, at, nodeType }] : [],
  )
  const references = validNodes.flatMap(({ node, at, nodeType }) =>
    (nodeType.references?.(node.data as never) ?? []).map(reference => ({
      reference,
      at: `${at}.data`,
      data: node.data,
    })),
  )
  return {
    validNodes,
    violations: [
      ...graphViolations(
        definition,
        nodes.map(node => toVertex(workflow, node)),
        getDefinitionPath(workflow),
      ),
      ...nodes.flatMap(({ violations }) => violations),
      ...ofTrigger,
    ],
    references: [...references, ...(ofTrigger.length > 0 ? [] : startReferences(workflow, definition))],
  }
}

function startReferences(workflow: WorkflowKind, definition: WorkflowDefinition): LocatedReference[] {
  const { index, triggerConfig } = getStart(definition)
  if (triggerConfig === undefined) return []
  const at = `${getDefinitionPath(workflow)}.nodes[${index}].data.triggerConfig`
  return triggerReferences(triggerConfig).map(reference => ({ reference, at, data: triggerConfig }))
}

export function collectReferences(
  workflow: WorkflowKind,
  definition: WorkflowDefinition,
): LocatedReference[] {
  return checkDefinition(workflow, definition).references
}

/** Returns the violations that can be found without database access. */
export function definitionViolations(workflow: WorkflowKind, definition: WorkflowDefinition): Violation[] {
  return checkDefinition(workflow, definition).violations
}

export function collectMediaIds(workflow: WorkflowKind, definition: WorkflowDefinition): string[] {
  return collectReferences(workflow, definition).flatMap(({ reference: { kind, id } }) =>
    kind === 'media' ? [id] : [],
  )
}

/** Fills the caches of expressions and patterns, and gives way after each node: compiling them takes time. */
async function compileNodes(workflow: WorkflowKind, definition: WorkflowDefinition): Promise<void> {
  const giveWay = yieldEvery()
  for (const node of definition.nodes) {
    checkNode(workflow, definition, node, '')
    await giveWay()
  }
}

/** Returns all violations of a definition, including references to what does not exist. */
export async function findViolations(
  deps: Deps,
  { kind, tenantId, definition }: CheckedWorkflow,
  campaignExists: CampaignExists,
): Promise<Violation[]> {
  await compileNodes(kind, definition)
  const { violations, validNodes, references } = checkDefinition(kind, definition)
  const { byId: fields } = await getFieldDefinitions(deps.db, tenantId)
  return [
    ...violations,
    ...valueViolations(definition, validNodes, [...fields.values()]),
    ...(await referenceViolations(deps, tenantId, references, campaignExists)),
  ]
}

/** 400 with all violations; 403 if nodes need more rights than the caller has. */
export async function checkPublishable(
  deps: Deps,
  workflow: CheckedWorkflow,
  campaignExists: CampaignExists,
  caller: Caller,
): Promise<void> {
  const { kind, definition } = workflow
  const violations = await findViolations(deps, workflow, campaignExists)
  if (violations.length > 0) invalid(...violations.slice(0, maxViolations))
  checkRights(kind, definition, caller)
}

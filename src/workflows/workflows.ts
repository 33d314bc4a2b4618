/**
 * What journeys and chatbots have in common: a draft that can be edited at any time, immutable versions made by
 * publishing, and a status. Runs use the version that was published when they began, so an edit never reaches them.
 */
import { isDeepStrictEqual } from 'node:util'
import { markMediaUsed } from '../conversations/media/media.ts'
import { recordAudit } from '../identity/audit.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { getEntryConfig } from './definition/definition.ts'
import { collectMediaIds } from './definition/validation.ts'
import { registerTrigger } from './engine/beginning.ts'
import { workflowProblems } from './errors.ts'
import type { WorkflowKind } from './nodes/node-type.ts'
import { ChatbotVersionId, JourneyVersionId, type WorkflowDefinition } from './schemas.ts'
import { workflowsChanged } from './signals.ts'
import { findVersion, insertVersion, type VersionRow } from './store/versions.ts'
import {
  findWorkflow,
  lockWorkflow,
  markWorkflowDeleted,
  updateWorkflow,
  type WorkflowRow,
} from './store/workflows.ts'

export async function getWorkflow(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow> {
  return (await findWorkflow(on, tenantId, kind, id)) ?? fail(workflowProblems[kind].notFound)
}

export async function getWorkflowForUpdate(
  tx: Tx,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow> {
  return (await lockWorkflow(tx, tenantId, kind, id)) ?? fail(workflowProblems[kind].notFound)
}

/** Of this workflow where one is named. */
export async function getVersion(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  versionId: string,
  workflowId?: string,
): Promise<VersionRow> {
  return (
    (await findVersion(on, tenantId, kind, versionId, workflowId)) ??
    fail(workflowProblems[kind].versionNotFound)
  )
}

export async function audit(
  tx: Tx,
  caller: Caller,
  row: Pick<WorkflowRow, 'id' | 'kind' | 'name'>,
  what: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { id, kind, name } = row
  await recordAudit(tx, caller.tenantId, caller, {
    action: `${kind}.${what}`,
    targetType: kind,
    targetId: id,
    details: { name, ...details },
  })
}

/** Makes a version of the definition that was found valid; 409 if the draft has become another meanwhile. */
export async function publishWorkflow(
  tx: Tx,
  caller: Caller,
  checked: Pick<WorkflowRow, 'kind' | 'id'> & { definition: WorkflowDefinition },
): Promise<VersionRow> {
  const { kind } = checked
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, checked.id)
  if (!isDeepStrictEqual(row.definition, checked.definition))
    fail(workflowProblems[kind].changed, 'publish it again')
  const { triggerConfig, entryMode } = getEntryConfig(kind, row.definition)
  const version = {
    id: (kind === 'journey' ? JourneyVersionId : ChatbotVersionId).create(),
    workflowId: row.id,
    definition: row.definition,
    triggerConfig: triggerConfig!,
    entryMode,
  }
  await insertVersion(tx, caller.tenantId, { ...version, createdBy: caller.id })
  // Files that only a drawing speaks of are in use from now on.
  await markMediaUsed(tx, caller.tenantId, collectMediaIds(kind, row.definition))
  if (row.status === 'active') await registerIfJourney(tx, row, version)
  await updateWorkflow(tx, caller.tenantId, row.id, { publishedVersionId: version.id })
  await audit(tx, caller, row, 'published', { versionId: version.id })
  tx.signal(workflowsChanged, caller.tenantId)
  return { ...version, createdAt: tx.now }
}

/** Bots listen to conversations that are theirs, and to nothing else. */
async function registerIfJourney(
  tx: Tx,
  { tenantId, id: workflowId, kind }: WorkflowRow,
  { id: versionId, triggerConfig: trigger }: Pick<VersionRow, 'id' | 'triggerConfig'>,
): Promise<void> {
  if (kind === 'journey') await registerTrigger(tx, { tenantId, workflowId, versionId, trigger })
}

export async function activateWorkflow(
  tx: Tx,
  caller: Caller,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  if (row.publishedVersionId === null) fail(workflowProblems[kind].notPublished, 'publish it first')
  if (row.status === 'active') fail(workflowProblems[kind].active)
  await registerIfJourney(tx, row, await getVersion(tx, caller.tenantId, kind, row.publishedVersionId))
  await updateWorkflow(tx, caller.tenantId, id, { status: 'active' })
  await audit(tx, caller, row, 'activated', { versionId: row.publishedVersionId })
  tx.signal(workflowsChanged, caller.tenantId)
  return { ...row, status: 'active', updatedAt: tx.now }
}

/** Nothing new begins; what runs goes on to its end. */
export async function pauseWorkflow(
  tx: Tx,
  caller: Caller,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  if (row.status !== 'active') fail(workflowProblems[kind].notActive)
  await updateWorkflow(tx, caller.tenantId, id, { status: 'paused' })
  await audit(tx, caller, row, 'paused')
  tx.signal(workflowsChanged, caller.tenantId)
  return { ...row, status: 'paused', updatedAt: tx.now }
}

export async function deleteWorkflow(tx: Tx, caller: Caller, kind: WorkflowKind, id: string): Promise<void> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  if (row.status === 'active') fail(workflowProblems[kind].active, 'pause it first')
  await markWorkflowDeleted(tx, caller.tenantId, id)
  await audit(tx, caller, row, 'deleted')
  tx.signal(workflowsChanged, caller.tenantId)
}

/** The draft becomes what the version says; what is published stays as it is. */
export async function restoreVersion(
  tx: Tx,
  caller: Caller,
  kind: WorkflowKind,
  id: string,
  versionId: string,
): Promise<WorkflowRow> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  const { definition } = await getVersion(tx, caller.tenantId, kind, versionId, id)
  await updateWorkflow(tx, caller.tenantId, id, { definition })
  await audit(tx, caller, row, 'restored', { versionId })
  return { ...row, definition, updatedAt: tx.now }
}

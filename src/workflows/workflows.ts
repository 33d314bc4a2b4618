/**
 * Operations that journeys and chatbots share. A workflow has a draft that can be edited at any time, immutable versions
 * created by publishing, and a status. A run keeps the version it started with, so edits never affect it.
 */
import { isDeepStrictEqual } from 'node:util'
import { markMediaUsed } from '../conversations/media/media.ts'
import { assignBot } from '../conversations/opening/bot-assignment.ts'
import { recordAudit } from '../identity/audit.ts'
import type { WorkflowChange } from '../identity/audit-actions.ts'
import { lockCaller, type RoleDeps } from '../identity/rights/reauthorize.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { fail, PreconditionFailed } from '../platform/errors.ts'
import { emitChanged } from '../platform/events/changed.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type Page, withNextPage } from '../platform/http/page.ts'
import type { IfMatch } from '../platform/http/route.ts'
import { checkBotsReachable, lockBotOrder } from './chatbots/bot-order.ts'
import { getEntryConfig } from './definition/definition.ts'
import { checkRights, collectRights } from './definition/rights.ts'
import { collectMediaIds } from './definition/validation.ts'
import { trackSegment } from './engine/enrollment/segment-entries.ts'
import { cancelRunsOfDeleted } from './engine/run/cancel-runs.ts'
import { setSchedule } from './engine/schedules/schedules.ts'
import { workflowProblems } from './errors.ts'
import { workflowsChanged } from './events.ts'
import type { WorkflowKind } from './nodes/node-type.ts'
import { checkPublisher, restoreRights } from './publisher-rights.ts'
import {
  ChatbotVersionId,
  JourneyVersionId,
  type PublishRequest,
  type WorkflowDefinition,
} from './schemas.ts'
import { emitStatusChanged } from './status-events.ts'
import { countVersions, findVersion, insertVersion, listVersions, type VersionRow } from './store/versions.ts'
import {
  countWorkflows,
  findWorkflow,
  listWorkflows,
  lockWorkflow,
  markWorkflowDeleted,
  updateWorkflow,
  type WorkflowFilter,
  type WorkflowRow,
} from './store/workflows.ts'

export { listExistingWorkflows } from './store/workflows.ts'

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

/** Returns a version of any workflow of this kind, or of `workflowId` only. */
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

interface ListPage<T> {
  rows: T[]
  nextPageToken: string | null
  totalSize: number
}

function buildPage<T extends { id: string }>(page: Page, found: T[], totalSize: number): ListPage<T> {
  const { rows, next } = page.toPage(found, ({ id }) => [id])
  return { rows, totalSize, ...withNextPage(next) }
}

export async function listWorkflowPage(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  filter: WorkflowFilter,
  page: Page,
): Promise<ListPage<WorkflowRow>> {
  const [rows, total] = await Promise.all([
    listWorkflows(on, tenantId, kind, filter, page),
    countWorkflows(on, tenantId, kind, filter),
  ])
  return buildPage(page, rows, total)
}

export async function listVersionPage(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
  page: Page,
): Promise<ListPage<VersionRow>> {
  await getWorkflow(on, tenantId, kind, id)
  const [rows, total] = await Promise.all([
    listVersions(on, tenantId, id, page),
    countVersions(on, tenantId, id),
  ])
  return buildPage(page, rows, total)
}

/** Adds a change of a workflow to the audit log and emits it to realtime clients. */
export async function recordChange(
  tx: Tx,
  caller: Caller,
  { id, kind, name }: Pick<WorkflowRow, 'id' | 'kind' | 'name'>,
  what: WorkflowChange,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, caller, `${kind}.${what}`, id, { name, ...details })
  await emitChanged(tx, caller.tenantId, { kind, id, ...(what === 'deleted' ? { revision: null } : {}) })
}

/** A workflow with the precondition of the request. */
export interface WorkflowKey {
  id: string
  ifMatch: IfMatch
}

/** 412 if the body of the request names another revision than that of the locked row. */
export function checkRevision(row: { revision: number }, expected: number | undefined): void {
  if (expected !== undefined && expected !== row.revision)
    fail(PreconditionFailed, `its revision is ${row.revision}; read it again`)
}

/**
 * Creates a version of a validated draft; 412 if it has another revision than the caller names, 409 if it has changed since
 * it was validated. Returns the version with the new revision of the workflow. The version acts with the rights of the
 * caller, who also takes over the versions whose publisher has lost rights.
 */
export async function publishWorkflow(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  validated: Pick<WorkflowRow, 'kind' | 'id'> & { definition: WorkflowDefinition },
  { ifMatch, note }: PublishRequest & { ifMatch?: IfMatch } = {},
): Promise<{ version: VersionRow; revision: number }> {
  const { tenantId } = caller
  const { kind } = validated
  const publisher = await lockCaller(deps, tx, caller)
  if (kind === 'chatbot') await lockBotOrder(tx, tenantId)
  const row = await getWorkflowForUpdate(tx, tenantId, kind, validated.id)
  ifMatch?.check(row.revision)
  if (!isDeepStrictEqual(row.definition, validated.definition))
    fail(workflowProblems[kind].changed, 'publish it again')
  checkRights(kind, row.definition, publisher)
  const { triggerConfig, entryMode } = getEntryConfig(kind, row.definition)
  const version = {
    id: (kind === 'journey' ? JourneyVersionId : ChatbotVersionId).create(),
    workflowId: row.id,
    definition: row.definition,
    triggerConfig: triggerConfig!,
    entryMode,
    createdBy: caller.id,
    note: note?.trim() || null,
  }
  await insertVersion(tx, tenantId, {
    ...version,
    ...collectRights(row.definition),
    publisherId: isOperator(caller) ? null : caller.id,
  })
  // Media that only a workflow references must not be deleted as unused.
  await markMediaUsed(tx, tenantId, collectMediaIds(kind, row.definition))
  const wasPausedByService = row.pauseReason !== null
  const isActive = row.status === 'active' || wasPausedByService
  if (isActive) await registerTrigger(tx, row, version)
  const status = wasPausedByService ? { status: 'active' as const } : {}
  const change = { publishedVersionId: version.id, ...status }
  const { revision } = await updateWorkflow(tx, tenantId, row.id, change)
  if (kind === 'chatbot' && wasPausedByService)
    await assignBot(tx, tenantId, { botId: row.id, position: row.position }, row.teamIds)
  if (kind === 'chatbot' && isActive) await checkBotsReachable(tx, caller)
  await restoreRights(deps, tx, row, publisher)
  await recordChange(tx, caller, row, 'published', { versionId: version.id })
  if (wasPausedByService) {
    await recordChange(tx, caller, row, 'activated', { versionId: version.id })
    await emitStatusChanged(tx, tenantId, [row.id])
  }
  tx.signal(workflowsChanged, tenantId)
  return { version: { ...version, createdAt: tx.now }, revision }
}

/** Versions of the operator at the command line have the rights of an owner. */
const isOperator = ({ kind, role }: Caller): boolean => kind === 'service' && role === 'owner'

/** Stores the schedule and segment members that the trigger of an active journey needs; bots need none. */
async function registerTrigger(
  tx: Tx,
  { tenantId, id: workflowId, kind }: WorkflowRow,
  { id: versionId, triggerConfig: trigger }: Pick<VersionRow, 'id' | 'triggerConfig'>,
): Promise<void> {
  if (kind !== 'journey') return
  await trackSegment(tx, tenantId, workflowId, trigger)
  await setSchedule(tx, { tenantId, workflowId, versionId, trigger })
}

/** 409 if the publisher of the published version lacks rights that its nodes need. */
export async function activateWorkflow(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow> {
  await lockCaller(deps, tx, caller)
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  if (row.publishedVersionId === null) fail(workflowProblems[kind].notPublished, 'publish it first')
  if (row.status === 'active') fail(workflowProblems[kind].active)
  await checkPublisher(deps, tx, row)
  await registerTrigger(tx, row, await getVersion(tx, caller.tenantId, kind, row.publishedVersionId))
  const changed = await updateWorkflow(tx, caller.tenantId, id, { status: 'active' })
  await restoreRights(deps, tx, row)
  await recordChange(tx, caller, row, 'activated', { versionId: row.publishedVersionId })
  await emitStatusChanged(tx, caller.tenantId, [id])
  tx.signal(workflowsChanged, caller.tenantId)
  return { ...row, status: 'active', pauseReason: null, ...changed }
}

/** Starts no new runs; runs in progress continue. */
export async function pauseWorkflow(
  tx: Tx,
  caller: Caller,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  if (row.status !== 'active') fail(workflowProblems[kind].notActive)
  const changed = await updateWorkflow(tx, caller.tenantId, id, { status: 'paused' })
  await recordChange(tx, caller, row, 'paused')
  await emitStatusChanged(tx, caller.tenantId, [id])
  tx.signal(workflowsChanged, caller.tenantId)
  return { ...row, status: 'paused', ...changed }
}

export async function deleteWorkflow(
  tx: Tx,
  caller: Caller,
  kind: WorkflowKind,
  { id, ifMatch }: WorkflowKey,
): Promise<void> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  ifMatch.check(row.revision)
  if (row.status === 'active') fail(workflowProblems[kind].active, 'pause it first')
  await markWorkflowDeleted(tx, caller.tenantId, id)
  await cancelRunsOfDeleted(tx, caller.tenantId, id)
  await recordChange(tx, caller, row, 'deleted')
  tx.signal(workflowsChanged, caller.tenantId)
}

/** Replaces the draft with a version; the published version does not change. */
export async function restoreVersion(
  tx: Tx,
  caller: Caller,
  kind: WorkflowKind,
  { id, ifMatch }: WorkflowKey,
  versionId: string,
): Promise<WorkflowRow> {
  const row = await getWorkflowForUpdate(tx, caller.tenantId, kind, id)
  ifMatch.check(row.revision)
  const { definition } = await getVersion(tx, caller.tenantId, kind, versionId, id)
  const changed = await updateWorkflow(tx, caller.tenantId, id, { definition, updatedBy: caller.id })
  await recordChange(tx, caller, row, 'restored', { versionId })
  return { ...row, definition, ...changed }
}

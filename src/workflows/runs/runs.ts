/** Runs as the API shows them, with the operations start, cancel and retry. */

import { canSeeAll, visibleTo } from '../../contacts/contact-views.ts'
import { findContact, isArchived } from '../../contacts/contacts.ts'
import { recordAudit } from '../../identity/audit.ts'
import { isUniqueViolation, type Queryable, type Tx } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, withNextPage } from '../../platform/http/page.ts'
import { filterByConditions } from '../engine/enrollment/enroll.ts'
import { filterByPublisher } from '../engine/publisher/publishers.ts'
import { cancelRuns } from '../engine/run/cancel-runs.ts'
import { endRun, enqueueResumes, startRuns } from '../engine/run/resume.ts'
import { isInProgress, type Run, type StepRow } from '../engine/run/run.ts'
import {
  EntryRefused,
  RunConflict,
  RunEnded,
  RunNotFailed,
  RunNotFound,
  workflowProblems,
} from '../errors.ts'
import { findDataViolation } from '../events.ts'
import type { Json, RunStatus, WorkflowKind } from '../nodes/node-type.ts'
import { findActiveWorkflow } from '../store/active-workflows.ts'
import { findVisibleRun, listRuns, listSteps, type RunFilter } from '../store/runs/run-lists.ts'
import { lockRun, saveRuns } from '../store/runs/runs.ts'
import { hasExisted } from '../store/workflows.ts'
import { getWorkflow } from '../workflows.ts'
import type { WorkflowRun, WorkflowRunDetail } from './run-schemas.ts'

export function runToApi(run: Run): WorkflowRun {
  return {
    id: run.id,
    tenantId: run.tenantId,
    workflowKind: run.kind,
    workflowId: run.workflowId,
    versionId: run.versionId,
    contactId: run.contactId,
    conversationId: run.conversationId,
    status: run.status,
    nodeId: run.nodeId,
    event: run.event,
    waitingFor: toWaitingFor(run),
    ...(run.heldResumes ? { held: 'publisher_rights_lost' as const } : {}),
    endReason: run.endReason,
    error: run.error,
    startedAt: run.startedAt,
    updatedAt: run.updatedAt,
    endedAt: run.endedAt,
  }
}

export function toWaitingFor({ status, wait, nodeId, waitingSince }: Run): WorkflowRun['waitingFor'] {
  if (status !== 'waiting' || !wait || !waitingSince) return null
  const { start, exits: _, enteredAt: __, ...rest } = wait
  return { nodeId, since: waitingSince, ...rest, ...(start ? { message: true } : {}) }
}

/** Lists the runs of a journey or chatbot, also of a deleted one. */
export async function listWorkflowRuns(
  on: Queryable,
  caller: Caller,
  { kind, id }: { kind: WorkflowKind; id: string },
  filter: { status?: RunStatus; contactId?: string; nodeId?: string },
  page: Page,
): Promise<RunPage> {
  if (!(await hasExisted(on, caller.tenantId, kind, id))) fail(workflowProblems[kind].notFound)
  return listAllRuns(on, caller, { ...filter, workflowId: id }, page)
}

interface RunPage {
  runs: WorkflowRun[]
  nextPageToken: string | null
}

export async function listAllRuns(
  on: Queryable,
  caller: Caller,
  filter: { status?: RunStatus; contactId?: string; workflowId?: string; nodeId?: string },
  page: Page,
): Promise<RunPage> {
  const found = await listRuns(on, caller.tenantId, { ...filter, ...visibility(caller) }, page)
  const { rows, next } = page.toPage(found, run => [run.id])
  return { runs: rows.map(runToApi), ...withNextPage(next) }
}

const visibility = (caller: Caller): Pick<RunFilter, 'visible'> =>
  canSeeAll(caller) ? {} : { visible: visibleTo(caller) }

async function getRun(on: Queryable, caller: Caller, id: string): Promise<Run> {
  return (await findVisibleRun(on, caller.tenantId, id, visibleTo(caller))) ?? fail(RunNotFound)
}

export async function getRunDetail(on: Queryable, caller: Caller, id: string): Promise<WorkflowRunDetail> {
  const run = await getRun(on, caller, id)
  const steps = await listSteps(on, caller.tenantId, id)
  return { ...runToApi(run), variables: run.variables, path: toPath(steps) }
}

export function toPath(steps: readonly StepRow[]): WorkflowRunDetail['path'] {
  return steps.map(({ n, nodeId, type, at, input, outcome, output, detail }) => ({
    n,
    nodeId,
    type,
    at,
    input,
    outcome: outcome as WorkflowRunDetail['path'][number]['outcome'],
    output,
    detail,
  }))
}

async function getRunForUpdate(tx: Tx, caller: Caller, id: string): Promise<Run> {
  await getRun(tx, caller, id)
  return (await lockRun(tx, caller.tenantId, id)) ?? fail(RunNotFound)
}

export async function cancelRun(tx: Tx, caller: Caller, id: string): Promise<WorkflowRun> {
  const run = await getRunForUpdate(tx, caller, id)
  if (!isInProgress(run)) fail(RunEnded)
  await endRun(tx, run, 'cancelled', 'cancelled')
  return runToApi(run)
}

const maxCancelled = 1_000

/** Cancels the runs in progress of a workflow, a contact or both, oldest first. */
export async function cancelManyRuns(
  tx: Tx,
  caller: Caller,
  filter: { workflowId?: string; contactId?: string },
): Promise<{ cancelled: number; hasMore: boolean }> {
  if (filter.workflowId === undefined && filter.contactId === undefined)
    invalid(violation('workflowId', 'required', 'must set workflowId, contactId or both'))
  const all = { ...filter, ...visibility(caller) }
  const cancelled = await cancelRuns(tx, caller.tenantId, all, 'cancelled', maxCancelled)
  await recordAudit(tx, caller, 'runs.cancelled', filter.workflowId ?? filter.contactId!, {
    ...filter,
    cancelled,
  })
  return { cancelled, hasMore: cancelled === maxCancelled }
}

/** Repeats the failed node as if the run had just reached it. */
export async function retryRun(tx: Tx, caller: Caller, id: string): Promise<WorkflowRun> {
  const run = await getRunForUpdate(tx, caller, id)
  if (run.status !== 'failed') fail(RunNotFailed)
  Object.assign(run, {
    status: 'running',
    revision: run.revision + 1,
    error: null,
    endReason: null,
    endedAt: null,
    updatedAt: tx.now,
  } satisfies Partial<Run>)
  try {
    await saveRuns(tx, [run], [])
  } catch (error) {
    if (isUniqueViolation(error, 'workflow_runs_once_active')) fail(RunConflict)
    throw error
  }
  await enqueueResumes(tx, [{ run, reason: 'continue' }])
  return runToApi(run)
}

/** Enrolls a contact manually, whatever the trigger is. */
export async function startRun(
  tx: Tx,
  caller: Caller,
  journeyId: string,
  input: { contactId: string; data?: Record<string, unknown> },
): Promise<WorkflowRun> {
  const { tenantId } = caller
  const tooLarge = findDataViolation(input.data, 'data')
  if (tooLarge) invalid(tooLarge)
  await getWorkflow(tx, tenantId, 'journey', journeyId)
  const contactId = await findContact(tx, caller, input.contactId)
  const active =
    (await findActiveWorkflow(tx, tenantId, 'journey', journeyId)) ?? fail(workflowProblems.journey.notActive)
  const event = { name: 'manual', key: null, data: (input.data ?? {}) as Record<string, Json> }
  const enrollment = { active, entry: { contactId, conversationId: null, event }, causationDepth: 0 }
  if ((await filterByPublisher(tx, tenantId, [enrollment])).length === 0)
    fail(EntryRefused, 'the agent who published the journey cannot see the contact')
  const allowed = await filterByConditions(tx, tenantId, [enrollment])
  if (allowed.length === 0) fail(EntryRefused, 'the contact does not match the conditions')
  const [run] = await startRuns(tx, allowed)
  if (!run && (await isArchived(tx, tenantId, contactId)))
    fail(EntryRefused, 'the contact is archived; unarchive it first')
  if (!run) fail(EntryRefused, `the entry mode ${active.entryMode} does not allow another run of the contact`)
  return runToApi(run)
}

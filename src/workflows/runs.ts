/** Runs as people look at them: what happened, what is awaited and why; and cancelling, retrying and starting them. */
import { findContact } from '../contacts/contacts.ts'
import { visibleTo } from '../contacts/visibility.ts'
import { isUniqueViolation, type Queryable, type Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Page } from '../platform/http/page.ts'
import { enter, withConditions } from './engine/entering.ts'
import { isLive, type Run } from './engine/run.ts'
import { endRun, wakeMany } from './engine/waking.ts'
import { JourneyNotActive } from './errors.ts'
import { getWorkflow } from './lifecycle.ts'
import type { Json } from './nodes/kind.ts'
import { EntryRefused, RunConflict, RunEnded, RunNotFailed, RunNotFound } from './run-errors.ts'
import type { WorkflowRun, WorkflowRunDetail } from './run-schemas.ts'
import { findActive } from './store/engine-versions.ts'
import { findVisibleRun, listRuns, listSteps, lockRun, saveRuns } from './store/runs.ts'

export function runToWire(run: Run): WorkflowRun {
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
    waitingFor: waitingFor(run),
    endReason: run.endReason,
    error: run.error,
    startedAt: run.startedAt,
    updatedAt: run.updatedAt,
    endedAt: run.endedAt,
  }
}

function waitingFor({ status, wait, nodeId, waitingSince }: Run): WorkflowRun['waitingFor'] {
  if (status !== 'waiting' || !wait || !waitingSince) return null
  const { start, ...rest } = wait
  return { nodeId, since: waitingSince, ...rest, ...(start ? { message: true } : {}) }
}

export async function listRunsOf(
  on: Queryable,
  caller: Caller,
  journeyId: string,
  filter: { status?: string; contactId?: string },
  page: Page,
): Promise<{ runs: WorkflowRun[]; nextPageToken?: string }> {
  await getWorkflow(on, caller.tenantId, 'journey', journeyId)
  const visible = visibleTo(caller)
  const found = await listRuns(on, caller.tenantId, journeyId, { ...filter, visible }, page)
  const { rows, next } = page.cut(found, run => [run.id])
  return { runs: rows.map(runToWire), ...(next ? { nextPageToken: next } : {}) }
}

async function getRun(on: Queryable, caller: Caller, id: string): Promise<Run> {
  return (await findVisibleRun(on, caller.tenantId, id, visibleTo(caller))) ?? fail(RunNotFound)
}

export async function showRun(on: Queryable, caller: Caller, id: string): Promise<WorkflowRunDetail> {
  const run = await getRun(on, caller, id)
  const lines = await listSteps(on, caller.tenantId, id)
  return { ...runToWire(run), variables: run.variables, path: pathOf(lines) }
}

export function pathOf(lines: Awaited<ReturnType<typeof listSteps>>): WorkflowRunDetail['path'] {
  return lines.map(({ n, nodeId, type, at, input, outcome, output, detail }) => ({
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

async function getForChange(tx: Tx, caller: Caller, id: string): Promise<Run> {
  await getRun(tx, caller, id)
  return (await lockRun(tx, caller.tenantId, id)) ?? fail(RunNotFound)
}

export async function cancelRun(tx: Tx, caller: Caller, id: string): Promise<WorkflowRun> {
  const run = await getForChange(tx, caller, id)
  if (!isLive(run)) fail(RunEnded)
  await endRun(tx, run, 'cancelled', 'cancelled')
  return runToWire(run)
}

/** The node at which it failed is done again, as if the run had just come to it. */
export async function retryRun(tx: Tx, caller: Caller, id: string): Promise<WorkflowRun> {
  const run = await getForChange(tx, caller, id)
  if (run.status !== 'failed') fail(RunNotFailed)
  Object.assign(run, {
    status: 'running',
    turn: run.turn + 1,
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
  await wakeMany(tx, [{ run, why: 'go' }])
  return runToWire(run)
}

/** A contact enters because somebody says so. */
export async function startRun(
  tx: Tx,
  caller: Caller,
  journeyId: string,
  input: { contactId: string; data?: Record<string, unknown> },
): Promise<WorkflowRun> {
  const { tenantId } = caller
  await getWorkflow(tx, tenantId, 'journey', journeyId)
  const contactId = await findContact(tx, caller, input.contactId)
  const active = (await findActive(tx, tenantId, 'journey', journeyId)) ?? fail(JourneyNotActive)
  const event = { name: 'manual', key: null, data: (input.data ?? {}) as Record<string, Json> }
  const asked = [{ active, entry: { contactId, conversationId: null, event }, causeDepth: 0 }]
  const allowed = await withConditions(tx, tenantId, asked)
  if (allowed.length === 0) fail(EntryRefused, 'the contact does not match the conditions')
  const [run] = await enter(tx, allowed)
  if (!run) fail(EntryRefused, `the entry mode ${active.entryMode} does not let the contact in again`)
  await wakeMany(tx, [{ run, why: 'go' }])
  return runToWire(run)
}

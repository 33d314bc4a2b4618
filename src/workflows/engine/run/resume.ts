/**
 * Resumes runs through jobs. A job carries the revision of the run it was enqueued for: of several jobs for one revision
 * the first advances the run and the others have no effect. Jobs are ordered by contact, those of chatbots by
 * conversation.
 */

import { isArchived } from '../../../contacts/contacts.ts'
import { lockConversation } from '../../../conversations/conversations.ts'
import { count } from '../../../platform/counters.ts'
import { setActor } from '../../../platform/db/actor.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import { isDatabaseUnavailable } from '../../../platform/db/unavailable.ts'
import type { Deps } from '../../../platform/deps.ts'
import { enqueue, enqueueMany } from '../../../platform/jobs/enqueue.ts'
import { type Job, job, LeaseLost, RetryLater, type Work } from '../../../platform/jobs/job.ts'
import { canStartAgain, getPlan } from '../../definition/plan.ts'
import { timerSet } from '../../events.ts'
import type { HttpRequest, Input } from '../../nodes/node-type.ts'
import { findActiveWorkflow } from '../../store/active-workflows.ts'
import { findRun, lockRun, saveRuns } from '../../store/runs/runs.ts'
import { handOff } from '../effects/conversation.ts'
import { sendHttpRequest } from '../effects/http-call.ts'
import { type Enrollment, enroll, filterByConditions, maxCausationDepth } from '../enrollment/enroll.ts'
import { filterByPublisher, getPublisher } from '../publisher/publishers.ts'
import { type AdvanceResult, advance, StepError } from './advance.ts'
import { findEndReason, findLateReason, toInput } from './resume-input.ts'
import {
  type EngineContext,
  getOrderingKey,
  type HeldResume,
  isInProgress,
  notWaiting,
  type Resume,
  type ResumeReason,
  type Run,
  type StartJourney,
} from './run.ts'

const retry = { maxAttempts: 8, initialDelayMs: 500, maxDelayMs: 60_000 }
/** The run fails at its step after this many attempts. */
const maxStepAttempts = 4

export const advanceRun = job<Resume>({
  name: 'workflows.advance_run',
  priority: 'normal',
  retry,
  handle: (deps, resume, work) => handleResume(deps, resume, work),
  onWorkersDied: (tx, resume, tenantId) => failAfterDeaths(tx, tenantId, resume),
})

/** Urgent: a customer waits for the reply. */
export const advanceBotRun = job<Resume>({
  name: 'workflows.advance_bot_run',
  priority: 'urgent',
  retry,
  handle: (deps, resume, work) => handleResume(deps, resume, work),
  onWorkersDied: (tx, resume, tenantId) => failAfterDeaths(tx, tenantId, resume),
})

function getJob(kind: Run['kind']): Job<Resume> {
  return kind === 'chatbot' ? advanceBotRun : advanceRun
}

export interface PendingResume {
  run: Pick<Run, 'tenantId' | 'id' | 'revision' | 'kind' | 'contactId' | 'conversationId'>
  reason: Resume['reason']
  causationDepth?: number
}

export async function enqueueResumes(tx: Tx, resumes: readonly PendingResume[]): Promise<void> {
  for (const kind of ['chatbot', 'journey'] as const) {
    const items = resumes
      .filter(({ run }) => run.kind === kind)
      .map(({ run, reason, causationDepth }) => ({
        tenantId: run.tenantId,
        orderingKey: getOrderingKey(run),
        payload: {
          runId: run.id,
          revision: run.revision,
          reason,
          ...(causationDepth ? { causationDepth } : {}),
        },
      }))
    await enqueueMany(tx, getJob(kind), items)
  }
}

/** Enrolls contacts and enqueues the first step of each run. Returns the runs that their entry mode allows. */
export async function startRuns(tx: Tx, enrollments: readonly Enrollment[]): Promise<Run[]> {
  const runs = await enroll(tx, enrollments)
  const resumes = runs.map(run => ({ run, reason: 'continue' as const }))
  if (runs.length > 0) await enqueueResumes(tx, resumes)
  return runs
}

/** Starts a journey from a `callWorkflow` node. */
export const startJourney: StartJourney = async (tx, caller, journeyId, data = {}) => {
  if (caller.causationDepth > maxCausationDepth) return { refused: 'cause_too_deep' }
  const active = await findActiveWorkflow(tx, caller.tenantId, 'journey', journeyId)
  if (!active) return { refused: 'journey_not_active' }
  const event = { name: 'called', key: null, data }
  const entry = { contactId: caller.contactId, conversationId: caller.conversationId, event }
  const enrollment = { active, entry, causationDepth: caller.causationDepth, parentRunId: caller.id }
  if ((await filterByPublisher(tx, caller.tenantId, [enrollment])).length === 0)
    return { refused: 'not_visible' }
  const allowed = await filterByConditions(tx, caller.tenantId, [enrollment])
  if (allowed.length === 0) return { refused: 'conditions_not_met' }
  const [run] = await startRuns(tx, allowed)
  if (run) return { runId: run.id }
  return {
    refused: (await isArchived(tx, caller.tenantId, caller.contactId)) ? 'archived' : 'entered_before',
  }
}

async function handleResume(deps: Deps, resume: Resume, work: Work): Promise<void> {
  const { tenantId } = work
  try {
    await transact(deps.db, async tx => {
      await resumeRun({ deps, tx, startJourney }, tenantId, resume)
      await work.finish(tx)
    })
  } catch (error) {
    const cause = error instanceof StepError ? error.cause : error
    if (cause instanceof RetryLater) throw cause
    if (cause instanceof LeaseLost || isDatabaseUnavailable(cause) || work.attempt < maxStepAttempts)
      throw error
    deps.log.error({ err: cause, runId: resume.runId, tenantId }, 'workflow step failed')
    await transact(deps.db, async tx => {
      await failStep(tx, tenantId, resume, error instanceof StepError ? error.nodeId : undefined)
      await work.finish(tx)
    })
  }
}

function failAfterDeaths(tx: Tx, tenantId: string, resume: Resume): Promise<void> {
  const message = 'processes died repeatedly while they ran the step; see the dead jobs, then retry the run'
  return failRun(tx, tenantId, resume, { code: 'workers_died', message })
}

/** Fails the run at the state before the step, whose transaction was rolled back. */
function failStep(tx: Tx, tenantId: string, resume: Resume, nodeId: string | undefined): Promise<void> {
  const message = 'the step failed repeatedly; see the service log, then retry the run'
  return failRun(tx, tenantId, resume, { code: 'step_failed', message, ...(nodeId ? { nodeId } : {}) })
}

async function failRun(
  tx: Tx,
  tenantId: string,
  resume: Pick<Resume, 'runId' | 'revision'>,
  error: { code: string; message: string; nodeId?: string },
): Promise<void> {
  const run = await lockRun(tx, tenantId, resume.runId)
  if (!run || !isInProgress(run) || run.revision !== resume.revision) return
  await endRun(tx, run, 'failed', error.code, { nodeId: run.nodeId, ...error })
}

export async function resumeRun(engine: EngineContext, tenantId: string, resume: Resume): Promise<void> {
  const { tx } = engine
  const run = await lockRun(tx, tenantId, resume.runId)
  if (!run || !isInProgress(run)) return
  const isCurrent = run.revision === resume.revision
  const reason = isCurrent ? resume.reason : await findLateReason(tx, run, resume.reason)
  if (!reason) return
  // One round trip: the statements are pipelined.
  const [publisher, endReason] = await Promise.all([
    getPublisher(tx, tenantId, run.versionId),
    findEndReason(tx, run),
  ])
  if (endReason) return endRun(tx, run, 'completed', endReason)
  if (publisher.hasLostRights) return holdRun(tx, run, { ...resume, reason })
  run.causationDepth = Math.max(run.causationDepth, (resume.causationDepth ?? -1) + 1)
  const input = await toInput(tx, run, reason)
  if (!input) return
  const publishers = new Map([[run.versionId, publisher]])
  const result = await advance({ ...engine, publishers }, run, input)
  await saveRuns(tx, [run], result.stepRows)
  await enqueueFollowUps(tx, run, result)
}

/**
 * Keeps the resume until the publisher has its rights again. The run of a chatbot ends instead, so that agents take the
 * customer over.
 */
async function holdRun(tx: Tx, run: Run, { reason, causationDepth }: HeldResume): Promise<void> {
  if (run.kind === 'chatbot') return endRun(tx, run, 'cancelled', 'publisher_rights_lost')
  const held = run.heldResumes ?? []
  // The run is certain to advance with such a reason: later ones would be for an earlier revision.
  if (held.some(({ reason: earlier }) => earlier === reason || earlier === 'continue' || isInput(earlier)))
    return
  run.heldResumes = [...held, { reason, ...(causationDepth === undefined ? {} : { causationDepth }) }]
  await saveRuns(tx, [run], [])
}

const isInput = (reason: ResumeReason): reason is Input => typeof reason !== 'string'

/** Enqueues the work that follows from a saved run: its next step, its HTTP request, its parent. */
export async function enqueueFollowUps(
  tx: Tx,
  run: Run,
  { http, hasMoreSteps }: Omit<AdvanceResult, 'stepRows'>,
): Promise<void> {
  if (run.wakeAt) tx.signal(timerSet, run.wakeAt)
  if (hasMoreSteps) await enqueueResumes(tx, [{ run, reason: 'continue' }])
  if (http) {
    const { id: runId, revision, steps: step, kind } = run
    const payload = { runId, revision, step, kind, orderingKey: getOrderingKey(run), request: http }
    await enqueue(tx, callHttp, { tenantId: run.tenantId, payload })
  }
  if (isInProgress(run)) return
  count(tx, 'parley_runs_total', { kind: run.kind, status: run.status })
  await notifyParent(tx, run)
  if (run.kind === 'chatbot') await releaseBotSession(tx, run)
}

/** Releases the session of an ended run to agents, unless the bot's trigger may match the customer's next message. */
async function releaseBotSession(tx: Tx, run: Run): Promise<void> {
  const mayStartAgain =
    run.status === 'completed' &&
    run.endReason !== 'fallback' &&
    canStartAgain(await getPlan(tx, run.tenantId, run.versionId))
  if (mayStartAgain) return
  const row = await lockConversation(tx, run.tenantId, run.conversationId!)
  const isOwn = row?.ownerType === 'bot' && row.ownerId === run.workflowId && row.sessionId === run.sessionId
  await setActor(tx, { type: 'bot', id: run.workflowId })
  if (isOwn && row.status === 'open') await handOff(tx, run.tenantId, row)
}

async function notifyParent(tx: Tx, run: Run): Promise<void> {
  if (run.parentRunId === null) return
  const parent = await findRun(tx, run.tenantId, run.parentRunId)
  if (!parent || parent.wait?.run !== run.id) return
  await enqueueResumes(tx, [{ run: parent, reason: { type: 'returned', status: run.status } }])
}

/** Ends a locked run at its current node. */
export async function endRun(
  tx: Tx,
  run: Run,
  status: 'completed' | 'failed' | 'cancelled',
  reason: string,
  error: Run['error'] = null,
): Promise<void> {
  Object.assign(run, {
    ...notWaiting,
    status,
    endReason: reason,
    error,
    revision: run.revision + 1,
    updatedAt: tx.now,
    endedAt: tx.now,
  } satisfies Partial<Run>)
  await saveRuns(tx, [run], [])
  await enqueueFollowUps(tx, run, {})
}

interface HttpCall {
  runId: string
  revision: number
  step: number
  kind: Run['kind']
  orderingKey: string
  request: HttpRequest
}

/** Resumes the run instead of sending its request: it is held, and sends the request once it continues. */
async function repeatLater(
  deps: Deps,
  work: Work,
  { kind, orderingKey, runId, revision }: Pick<HttpCall, 'runId' | 'revision' | 'kind' | 'orderingKey'>,
): Promise<void> {
  await transact(deps.db, async tx => {
    const payload = { runId, revision, reason: 'continue' as const }
    await enqueue(tx, getJob(kind), { tenantId: work.tenantId, orderingKey, payload })
    await work.finish(tx)
  })
}

/** At least once: if the process dies before the response is persisted, the request is repeated with the same key. */
export const callHttp = job<HttpCall>({
  name: 'workflows.call_http',
  priority: 'normal',
  retry,
  maxPerTenant: config => config.httpCallsPerWorkspace,
  handle: async (deps, { runId, revision, step, kind, orderingKey, request }, work) => {
    const { tenantId } = work
    const run = await findRun(deps.db, tenantId, runId)
    if (!run || !isInProgress(run) || run.revision !== revision || !work.holdsLease()) return
    if ((await getPublisher(deps.db, tenantId, run.versionId)).hasLostRights)
      return repeatLater(deps, work, { runId, revision, kind, orderingKey })
    const result = await sendHttpRequest(deps, { tenantId, idempotencyKey: `${runId}-${step}`, request })
    if (result.type === 'error' && result.code === 'shut_down') throw new Error(result.message)
    await transact(deps.db, async tx => {
      const reason: Input = { type: 'response', result }
      await enqueue(tx, getJob(kind), { tenantId, orderingKey, payload: { runId, revision, reason } })
      await work.finish(tx)
    })
  },
})

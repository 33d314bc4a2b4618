/**
 * Wake-ups. Each names the turn of the run it was meant for, so that of several for one turn the first moves the run
 * and the others find nothing to do. They are jobs in the lane of the contact, or of the bot's conversation: what
 * happens to one of them happens one after the other.
 */
import type { Tx } from '../../../platform/db/db.ts'
import { isConnectionLost } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import { enqueue, enqueueMany } from '../../../platform/jobs/enqueue.ts'
import { type Job, job, LeaseLost, type Work } from '../../../platform/jobs/job.ts'
import type { HttpRequest, Input } from '../../nodes/node-type.ts'
import { findActiveWorkflow } from '../../store/active-workflows.ts'
import { findRun, lockRun, saveRuns } from '../../store/runs.ts'
import { getReplyId, getText } from '../../triggers/event-data.ts'
import { sendHttpRequest } from '../effects/http-call.ts'
import type { EngineContext, StartJourney } from '../engine.ts'
import { enroll, filterByConditions, maxCausationDepth } from '../enrollment/enroll.ts'
import { findEndReason } from '../guard.ts'
import { timerSet } from '../signals.ts'
import { findTrueCase } from '../waits/conditions.ts'
import { type AdvanceResult, advance, findDeliveryStatus, StepError } from './advance.ts'
import { getOrderingKey, isInProgress, type Run } from './run.ts'
import { createScope } from './scope.ts'

export interface Resume {
  runId: string
  turn: number
  /** `go`: take the next step. `time`: its time has come. `look`: a condition may hold now. Else the input itself. */
  why: 'go' | 'time' | 'look' | Input
  /** Of the event that wakes it. */
  causationDepth?: number
}

const retry = { maxAttempts: 8, initialDelayMs: 500, maxDelayMs: 60_000 }
/** After so many tries the run is said to have failed at its step. */
const maxStepAttempts = 4

export const advanceRun = job<Resume>({
  name: 'advance_run',
  priority: 'normal',
  retry,
  handle: (deps, wakeUp, work) => handleResume(deps, wakeUp, work),
})

/** Somebody waits for the answer. */
export const advanceBotRun = job<Resume>({
  name: 'advance_bot_run',
  priority: 'urgent',
  retry,
  handle: (deps, wakeUp, work) => handleResume(deps, wakeUp, work),
})

interface HttpCall {
  runId: string
  turn: number
  step: number
  kind: Run['kind']
  lane: string
  request: HttpRequest
}

/** At least once: a process that dies before the answer is on record has it made again, with the same key. */
export const callHttp = job<HttpCall>({
  name: 'call_http',
  priority: 'normal',
  retry,
  handle: async (deps, { runId, turn, step, kind, lane, request }, work) => {
    const { tenantId } = work
    const run = await findRun(deps.db, tenantId, runId)
    if (!run || !isInProgress(run) || run.turn !== turn || !work.holdsLease()) return
    const result = await sendHttpRequest(deps, { tenantId, idempotencyKey: `${runId}-${step}`, request })
    if (result.type === 'error' && result.code === 'shut_down') throw new Error(result.message)
    await transact(deps.db, async tx => {
      const why: Input = { type: 'response', result }
      await enqueue(tx, getJob(kind), { tenantId, orderingKey: lane, payload: { runId, turn, why } })
      await work.finish(tx)
    })
  },
})

function getJob(kind: Run['kind']): Job<Resume> {
  return kind === 'chatbot' ? advanceBotRun : advanceRun
}

type ResumableRun = Pick<Run, 'tenantId' | 'id' | 'turn' | 'kind' | 'contactId' | 'conversationId'>

export async function enqueueResumes(
  tx: Tx,
  wakings: readonly { run: ResumableRun; why: Resume['why']; causationDepth?: number }[],
): Promise<void> {
  for (const kind of ['chatbot', 'journey'] as const) {
    const items = wakings
      .filter(({ run }) => run.kind === kind)
      .map(({ run, why, causationDepth }) => ({
        tenantId: run.tenantId,
        orderingKey: getOrderingKey(run),
        payload: { runId: run.id, turn: run.turn, why, ...(causationDepth ? { causationDepth } : {}) },
      }))
    await enqueueMany(tx, getJob(kind), items)
  }
}

/** A journey that another calls. */
export const startJourney: StartJourney = async (tx, caller, journeyId, data = {}) => {
  if (caller.causationDepth > maxCausationDepth) return { refused: 'cause_too_deep' }
  const active = await findActiveWorkflow(tx, caller.tenantId, 'journey', journeyId)
  if (!active) return { refused: 'journey_not_active' }
  const entry = {
    contactId: caller.contactId,
    conversationId: caller.conversationId,
    event: { name: 'called', key: null, data },
  }
  const asked = [{ active, entry, causationDepth: caller.causationDepth, parentRunId: caller.id }]
  const allowed = await filterByConditions(tx, caller.tenantId, asked)
  if (allowed.length === 0) return { refused: 'conditions_not_met' }
  const [run] = await enroll(tx, allowed)
  if (!run) return { refused: 'entered_before' }
  await enqueueResumes(tx, [{ run, why: 'go' }])
  return { runId: run.id }
}

async function handleResume(deps: Deps, wakeUp: Resume, work: Work): Promise<void> {
  const { tenantId } = work
  try {
    await transact(deps.db, async tx => {
      await resumeRun({ deps, tx, call: startJourney }, tenantId, wakeUp)
      await work.finish(tx)
    })
  } catch (error) {
    const cause = error instanceof StepError ? error.cause : error
    if (cause instanceof LeaseLost || isConnectionLost(cause) || work.attempt < maxStepAttempts) throw error
    deps.log.error({ err: cause, runId: wakeUp.runId, tenantId }, 'a step of a workflow failed')
    await transact(deps.db, async tx => {
      await failStep(tx, tenantId, wakeUp, error instanceof StepError ? error.nodeId : undefined)
      await work.finish(tx)
    })
  }
}

/** What the step did was undone with its transaction: the run stands where it stood before. */
async function failStep(tx: Tx, tenantId: string, wakeUp: Resume, nodeId: string | undefined): Promise<void> {
  const run = await lockRun(tx, tenantId, wakeUp.runId)
  if (!run || !isInProgress(run) || run.turn !== wakeUp.turn) return
  await endRun(tx, run, 'failed', 'step_failed', {
    code: 'step_failed',
    message: 'the step could not be done; the log of the service says why',
    nodeId: nodeId ?? run.nodeId,
  })
}

export async function resumeRun(engine: EngineContext, tenantId: string, wakeUp: Resume): Promise<void> {
  const { tx } = engine
  const run = await lockRun(tx, tenantId, wakeUp.runId)
  if (!run || !isInProgress(run)) return
  const why = run.turn === wakeUp.turn ? wakeUp.why : await findLateDeliveryStatus(tx, run, wakeUp.why)
  if (!why) return
  const reason = await findEndReason(tx, run)
  if (reason) return endRun(tx, run, 'completed', reason)
  run.causationDepth = Math.max(run.causationDepth, (wakeUp.causationDepth ?? -1) + 1)
  const input = await toInput(tx, run, why)
  if (input) await advanceAndSave(engine, run, input)
}

/**
 * How a message ended may be told while the run hears that it was sent, and is then meant for the turn before: nobody
 * tells it again.
 */
async function findLateDeliveryStatus(tx: Tx, run: Run, why: Resume['why']): Promise<Input | undefined> {
  if (typeof why === 'string' || why.type !== 'delivery' || run.wait?.delivery === undefined) return undefined
  const word = await findDeliveryStatus(tx, run.tenantId, run.wait.delivery)
  return word?.status === 'sent' ? undefined : word
}

async function toInput(tx: Tx, run: Run, why: Resume['why']): Promise<Input | undefined> {
  if (why === 'go') return { type: 'arrived' }
  if (why === 'time') return toTimerInput(tx, run)
  if (why !== 'look') return why
  const cases = run.wait?.cases ?? []
  const index = await findTrueCase(tx, run, createScope(tx, run, new Date(tx.now)), cases)
  return index === undefined ? undefined : { type: 'case', index, event: null }
}

/** Why it wakes now that its time has come; nothing when something else has woken it before. */
export function toTimerInput(tx: Tx, run: Run): Input | undefined {
  const heard = run.heard ?? []
  if (run.wait?.start) {
    run.message = heard.at(-1) ?? null
    return { type: 'arrived' }
  }
  if (heard.length > 0) {
    const text = heard.map(message => getText(message.content)).join('\n')
    return { type: 'message', messages: heard, text, replyId: getReplyId(heard.at(-1)!.content) }
  }
  return run.wait?.until !== undefined && run.wait.until <= tx.now ? { type: 'timeout' } : undefined
}

async function advanceAndSave(engine: EngineContext, run: Run, input: Input): Promise<void> {
  const advanced = await advance(engine, run, input)
  await saveRuns(engine.tx, [run], advanced.lines)
  await enqueueFollowUps(engine.tx, run, advanced)
}

/** What a run that was saved leads to. */
export async function enqueueFollowUps(tx: Tx, run: Run, { http, goesOn }: AdvanceResult): Promise<void> {
  if (run.wakeAt) tx.signal(timerSet, run.wakeAt)
  if (goesOn) await enqueueResumes(tx, [{ run, why: 'go' }])
  if (http) {
    const payload = {
      runId: run.id,
      turn: run.turn,
      step: run.steps,
      kind: run.kind,
      lane: getOrderingKey(run),
      request: http,
    }
    await enqueue(tx, callHttp, { tenantId: run.tenantId, payload })
  }
  if (!isInProgress(run)) await notifyParent(tx, run)
}

async function notifyParent(tx: Tx, run: Run): Promise<void> {
  if (run.parentRunId === null) return
  const parent = await findRun(tx, run.tenantId, run.parentRunId)
  if (!parent || parent.wait?.run !== run.id) return
  await enqueueResumes(tx, [{ run: parent, why: { type: 'returned', status: run.status } }])
}

/** The run is locked, and ends where it stands. */
export async function endRun(
  tx: Tx,
  run: Run,
  status: 'completed' | 'failed' | 'cancelled',
  reason: string,
  error: Run['error'] = null,
): Promise<void> {
  Object.assign(run, {
    status,
    endReason: reason,
    error,
    turn: run.turn + 1,
    wait: null,
    waitingSince: null,
    wakeAt: null,
    listens: false,
    heard: null,
    heardSince: null,
    updatedAt: tx.now,
    endedAt: tx.now,
  } satisfies Partial<Run>)
  await saveRuns(tx, [run], [])
  await enqueueFollowUps(tx, run, { lines: [] })
}

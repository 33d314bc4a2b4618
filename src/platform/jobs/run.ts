/**
 * Runs the jobs of one leased lane in order and reports how each ended. The lane stops at the first job that is to be
 * retried, so that no later job overtakes it.
 */
import type { Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { type Tracing, withSpan } from '../tracing/tracing.ts'
import type { CompletionWriter } from './completions.ts'
import { type AnyJob, AttemptFailed, backoffMs, Discard, LeaseLost, RetryLater, type Work } from './job.ts'
import type { LaneLeases, LeasedLane } from './lanes.ts'
import { markSuspect, unmarkSuspect } from './store/claim.ts'
import { type Completion, completeInTx, completeOne, type LaneStep } from './store/completions.ts'
import { insertDeadJob } from './store/dead-letters.ts'
import type { SuspectGate } from './suspects.ts'
import { extractTraceparent } from './trace-context.ts'

export type Outcome = 'done' | 'retried' | 'deferred' | 'dead' | 'discarded' | 'lost'

export interface WorkerContext {
  deps: Deps
  leases: LaneLeases
  completions: CompletionWriter
  isStopping: () => boolean
  readySinceMs: (name: string) => number
  gate: SuspectGate
  /** For how long this process has run jobs. */
  uptimeMs: () => number
  /** The lane of the suspect that runs in this process. */
  suspect?: LeasedLane | undefined
  onStart: (job: AnyJob) => void
  onEnd: (job: AnyJob, outcome: Outcome, ms: number) => void
}

interface JobRun {
  lane: LeasedLane
  entry: { id: number; payload: unknown }
  attempt: number
  /** Finished by the handler in its own transaction. */
  finished: boolean
  /** The handler learned that its lease is invalid: whatever it returns, it has not done the work. */
  leaseRefused: boolean
}

const suspectDelayMs = 100
/**
 * Any job of the process may have caused the first. The others were recorded while the suspect ran alone; one of them may
 * be a process that was killed from outside.
 */
const maxDeaths = 3
/** How long a process has run jobs before it tries a suspect for the last time: processes that end before have another cause. */
const steadyAfterMs = 3_000

const mayKill = ({ job }: LeasedLane): boolean => job.onWorkersDied !== undefined
const isSuspect = (lane: LeasedLane): boolean => mayKill(lane) && lane.deaths > 0

/** Runs the lane. A suspect is deferred while the process runs another one. */
export async function runLane(context: WorkerContext, lane: LeasedLane): Promise<void> {
  if (!mayKill(lane)) return runJobs(context, lane)
  if (!isSuspect(lane)) return context.gate.runOther(() => runJobs(context, lane))
  const waitMs = lane.deaths === maxDeaths - 1 ? steadyAfterMs - context.uptimeMs() : 0
  if (waitMs > 0) return defer(context, lane, waitMs)
  if (await context.gate.runAlone(() => runSuspect(context, lane))) return
  defer(context, lane, suspectDelayMs * (0.5 + Math.random()))
}

function defer(context: WorkerContext, lane: LeasedLane, delayMs: number): void {
  lane.step = 'defer'
  lane.delayMs = delayMs
  context.completions.report(lane)
}

async function runSuspect(context: WorkerContext, lane: LeasedLane): Promise<void> {
  context.suspect = lane
  try {
    const marked = await markSuspect(context.deps.db, lane).catch(() => false)
    if (marked) await runJobs(context, lane)
    else release(context, lane)
  } finally {
    context.suspect = undefined
    await unmarkSuspect(context.deps.db, lane).catch(() => {})
  }
}

/** A process that is asked to stop may be killed: that is no death on the job. */
export async function clearSuspect({ deps, suspect }: WorkerContext): Promise<void> {
  if (suspect) await unmarkSuspect(deps.db, suspect).catch(() => {})
}

function release(context: WorkerContext, lane: LeasedLane): void {
  lane.step = 'release'
  context.completions.report(lane)
}

async function runJobs(context: WorkerContext, lane: LeasedLane): Promise<void> {
  let step: LaneStep = 'release'
  for (const [index, entry] of lane.jobs.entries()) {
    if (context.isStopping() || !context.leases.isValid(lane)) break
    const run = { lane, entry, attempt: index === 0 ? lane.attempt : 1, finished: false, leaseRefused: false }
    step = await runJob(context, run)
    if (step !== 'keep') break
    step = 'release'
    lane.doneId = entry.id
    if (index < lane.jobs.length - 1) context.completions.report(lane)
  }
  lane.step = step
  context.completions.report(lane)
}

/** Returns 'keep' when the job is over and the next one may start. */
async function runJob(context: WorkerContext, run: JobRun): Promise<LaneStep> {
  const { job } = run.lane
  const startedAt = performance.now()
  run.lane.startedAt = startedAt
  context.onStart(job)
  const traceparent = extractTraceparent(run.entry.payload)
  const { tracing } = context.deps
  const [outcome, step] = await (tracing
    ? tracedAttempt(tracing, traceparent, context, run)
    : attempt(context, run))
  context.onEnd(job, outcome, performance.now() - startedAt)
  return step
}

function tracedAttempt(
  tracing: Tracing,
  parent: string | undefined,
  context: WorkerContext,
  run: JobRun,
): Promise<[Outcome, LaneStep]> {
  const { name, priority } = run.lane.job
  const attributes = {
    'parley.job.name': name,
    'parley.job.priority': priority,
    'parley.job.attempt': run.attempt,
  }
  return withSpan(tracing, { name: `job ${name}`, kind: 'consumer', parent, attributes }, async span => {
    const [outcome, step] = await attempt(context, run)
    span.setAttribute('parley.job.outcome', outcome)
    if (outcome === 'retried' || outcome === 'dead' || outcome === 'lost') span.fail(outcome)
    return [outcome, step]
  })
}

async function attempt(context: WorkerContext, run: JobRun): Promise<[Outcome, LaneStep]> {
  const { deps } = context
  const { job } = run.lane
  if (run.attempt > job.retry.maxAttempts)
    return moveToDeadLetters(context, run, new Error('the worker died while running the job'))
  if (isFirst(run) && isSuspect(run.lane) && run.lane.deaths >= maxDeaths)
    return moveToDeadLetters(context, run, new Error('the worker died repeatedly while running the job'))
  try {
    await job.handle(deps, run.entry.payload as never, buildWork(context, run))
    return run.leaseRefused && !run.finished ? retryLater(run, 'lost') : ['done', 'keep']
  } catch (error) {
    return handleFailure(context, run, error)
  }
}

const isFirst = ({ lane, entry }: JobRun): boolean => lane.jobs[0] === entry

function handleFailure(
  context: WorkerContext,
  run: JobRun,
  error: unknown,
): [Outcome, LaneStep] | Promise<[Outcome, LaneStep]> {
  const { lane, attempt } = run
  const fields = { job: lane.job.name, id: run.entry.id, tenantId: lane.tenantId, attempt, err: error }
  const { log } = context.deps
  if (run.finished) {
    log.error(fields, 'job failed after it had finished')
    return ['done', 'keep']
  }
  if (error instanceof Discard) {
    log.info(fields, 'job discarded')
    return ['discarded', 'keep']
  }
  if (error instanceof RetryLater) {
    lane.delayMs = error.delayMs
    return ['deferred', 'defer']
  }
  if (error instanceof LeaseLost) return retryLater(run, 'lost')
  if (!(error instanceof AttemptFailed)) log.warn(fields, 'job failed')
  return attempt < lane.job.retry.maxAttempts
    ? retryLater(run, 'retried')
    : moveToDeadLetters(context, run, error)
}

function retryLater(run: JobRun, outcome: Outcome): [Outcome, LaneStep] {
  run.lane.delayMs = backoffMs(run.lane.job.retry, run.attempt)
  return [outcome, 'retry']
}

/** Moves the job to the dead letters, so that its lane continues. */
async function moveToDeadLetters(
  context: WorkerContext,
  run: JobRun,
  error: unknown,
): Promise<[Outcome, LaneStep]> {
  const { lane, entry } = run
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  try {
    await transact(context.deps.db, async tx => {
      await finishJob(tx, context, run)
      if (isFirst(run) && lane.deaths > 0)
        await lane.job.onWorkersDied?.(tx, entry.payload as never, lane.tenantId)
      await lane.job.onDead?.(tx, entry.payload as never, lane.tenantId)
      await insertDeadJob(tx, {
        ...entry,
        name: lane.job.name,
        tenantId: lane.tenantId,
        orderingKey: lane.orderingKey,
        attempts: Math.min(run.attempt, lane.job.retry.maxAttempts),
        error: text,
      })
    })
    context.deps.log.error(
      { job: lane.job.name, id: entry.id, tenantId: lane.tenantId, err: error },
      'job moved to dead letters',
    )
    return ['dead', 'keep']
  } catch (failure) {
    context.deps.log.warn({ err: failure }, 'moving a job to dead letters failed')
    return retryLater(run, failure instanceof LeaseLost ? 'lost' : 'retried')
  }
}

const runningJobs = new WeakMap<Work, { context: WorkerContext; run: JobRun }>()

function buildWork(context: WorkerContext, run: JobRun): Work {
  const { lane, entry, attempt } = run
  const work: Work = {
    id: entry.id,
    attempt,
    tenantId: lane.tenantId,
    orderingKey: lane.orderingKey,
    holdsLease() {
      const isValid = context.leases.isValid(lane)
      if (!isValid) run.leaseRefused = true
      return isValid
    },
    isStopping: context.isStopping,
    extendLease: () => context.leases.extend(lane),
    finish: tx => finishJob(tx, context, run),
  }
  runningJobs.set(work, { context, run })
  return work
}

/**
 * Finishes several jobs in one statement. It does not wait for locks, since others lock lanes in another order: when a
 * lane is locked or lost it throws, and the caller must finish the jobs one by one.
 */
export async function finishAll(tx: Tx, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return
  if (works.length === 1) return works[0]!.finish(tx)
  const runs = works.map(work => runningJobs.get(work)!)
  const rows = await completeInTx(
    tx,
    runs.map(({ run }) => toCompletion(run)),
  )
  if (rows.length < works.length) throw new Error('a job of the batch is locked or was taken over')
  const remaining = new Map(rows.map(row => [row.id, row.remaining]))
  for (const { context, run } of runs) onFinished(tx, context, run, remaining.get(run.lane.id)!)
}

function toCompletion({ lane, entry }: JobRun): Completion {
  return { id: lane.id, token: lane.token, doneId: entry.id, step: 'keep', delayMs: 0 }
}

async function finishJob(tx: Tx, context: WorkerContext, run: JobRun): Promise<void> {
  const { lane, entry } = run
  const row = await completeOne(tx, toCompletion(run))
  if (!row) {
    context.leases.markLost(lane)
    throw new LeaseLost(`job ${entry.id}`)
  }
  onFinished(tx, context, run, row.remaining)
}

function onFinished(tx: Tx, context: WorkerContext, run: JobRun, remaining: number): void {
  const { lane } = run
  tx.afterCommit(() => {
    run.finished = true
    if (remaining === 0) context.leases.release(lane)
  })
}

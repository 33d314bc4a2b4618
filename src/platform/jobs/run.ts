/**
 * Runs the jobs of one claimed lane, one after the other, and says how each ended. The lane stops at the first that
 * is to be tried again, so that none overtakes it.
 */
import type { Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { type Tracing, withSpan } from '../tracing/tracing.ts'
import type { CompletionWriter } from './completions.ts'
import { type AnyJob, backoffMs, Discard, LeaseLost, RetryLater, type Work } from './job.ts'
import type { LaneLeases, LeasedLane } from './leases.ts'
import { type Completion, completeInTx, completeOne, type LaneStep } from './store/completions.ts'
import { insertDeadJob } from './store/dead-letters.ts'
import { extractTraceparent } from './trace-context.ts'

export type Outcome = 'done' | 'retried' | 'deferred' | 'dead' | 'discarded' | 'lost'

export interface WorkerContext {
  deps: Deps
  leases: LaneLeases
  completions: CompletionWriter
  isStopping: () => boolean
  readySinceMs: (name: string) => number
  onStart: (job: AnyJob) => void
  onEnd: (job: AnyJob, outcome: Outcome, ms: number) => void
}

interface JobRun {
  held: LeasedLane
  entry: { id: number; payload: unknown }
  attempt: number
  /** Completed by the handler, in its own transaction. */
  finished: boolean
  /** The handler was told that the lease is over: whatever it returns, it has not done the work. */
  refused: boolean
}

export async function runLane(around: WorkerContext, held: LeasedLane): Promise<void> {
  let step: LaneStep = 'release'
  for (const [index, entry] of held.jobs.entries()) {
    if (around.isStopping() || !around.leases.holdsLease(held)) break
    const run = { held, entry, attempt: index === 0 ? held.attempt : 1, finished: false, refused: false }
    step = await runJob(around, run)
    if (step !== 'keep') break
    step = 'release'
    held.doneId = entry.id
    if (index < held.jobs.length - 1) around.completions.report(held)
  }
  held.step = step
  around.completions.report(held)
}

/** 'keep' when the job is over and the next may begin. */
async function runJob(around: WorkerContext, run: JobRun): Promise<LaneStep> {
  const { job } = run.held
  const began = performance.now()
  run.held.startedAt = began
  around.onStart(job)
  const traceparent = extractTraceparent(run.entry.payload)
  const { tracing } = around.deps
  const [outcome, step] = await (tracing
    ? tracedAttempt(tracing, traceparent, around, run)
    : attempt(around, run))
  around.onEnd(job, outcome, performance.now() - began)
  return step
}

function tracedAttempt(
  tracing: Tracing,
  parent: string | undefined,
  around: WorkerContext,
  run: JobRun,
): Promise<[Outcome, LaneStep]> {
  const { name, priority } = run.held.job
  const attributes = {
    'parley.job.name': name,
    'parley.job.priority': priority,
    'parley.job.attempt': run.attempt,
  }
  return withSpan(tracing, { name: `job ${name}`, kind: 'consumer', parent, attributes }, async span => {
    const [outcome, step] = await attempt(around, run)
    span.setAttribute('parley.job.outcome', outcome)
    if (outcome === 'retried' || outcome === 'dead' || outcome === 'lost') span.fail(outcome)
    return [outcome, step]
  })
}

async function attempt(around: WorkerContext, run: JobRun): Promise<[Outcome, LaneStep]> {
  const { deps } = around
  const { job } = run.held
  if (run.attempt > job.retry.maxAttempts)
    return moveToDeadLetters(around, run, new Error('its worker died while doing it'))
  try {
    await job.handle(deps, run.entry.payload as never, buildWork(around, run))
    return run.refused && !run.finished ? retryLater(run, 'lost') : ['done', 'keep']
  } catch (error) {
    return handleFailure(around, run, error)
  }
}

function handleFailure(
  around: WorkerContext,
  run: JobRun,
  error: unknown,
): [Outcome, LaneStep] | Promise<[Outcome, LaneStep]> {
  const { held, attempt } = run
  const facts = { job: held.job.name, id: run.entry.id, tenantId: held.tenantId, attempt, err: error }
  const { log } = around.deps
  if (run.finished) {
    log.error(facts, 'a job failed after it had finished')
    return ['done', 'keep']
  }
  if (error instanceof Discard) {
    log.info(facts, 'job discarded')
    return ['discarded', 'keep']
  }
  if (error instanceof RetryLater) {
    held.delayMs = error.delayMs
    return ['deferred', 'defer']
  }
  if (error instanceof LeaseLost) return retryLater(run, 'lost')
  log.warn(facts, 'job failed')
  return attempt < held.job.retry.maxAttempts
    ? retryLater(run, 'retried')
    : moveToDeadLetters(around, run, error)
}

function retryLater(run: JobRun, outcome: Outcome): [Outcome, LaneStep] {
  run.held.delayMs = backoffMs(run.held.job.retry, run.attempt)
  return [outcome, 'retry']
}

/** Moves the job aside, so that its lane goes on. */
async function moveToDeadLetters(
  around: WorkerContext,
  run: JobRun,
  error: unknown,
): Promise<[Outcome, LaneStep]> {
  const { held, entry } = run
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  try {
    await transact(around.deps.db, async tx => {
      await finishJob(tx, around, run)
      await insertDeadJob(tx, {
        ...entry,
        name: held.job.name,
        tenantId: held.tenantId,
        orderingKey: held.orderingKey,
        attempts: Math.min(run.attempt, held.job.retry.maxAttempts),
        error: text,
      })
    })
    around.deps.log.error(
      { job: held.job.name, id: entry.id, tenantId: held.tenantId, err: error },
      'job is dead',
    )
    return ['dead', 'keep']
  } catch (problem) {
    around.deps.log.warn({ err: problem }, 'could not move a dead job aside')
    return retryLater(run, problem instanceof LeaseLost ? 'lost' : 'retried')
  }
}

const runningJobs = new WeakMap<Work, { around: WorkerContext; run: JobRun }>()

function buildWork(around: WorkerContext, run: JobRun): Work {
  const { held, entry, attempt } = run
  const work: Work = {
    id: entry.id,
    attempt,
    tenantId: held.tenantId,
    orderingKey: held.orderingKey,
    holdsLease() {
      const mine = around.leases.holdsLease(held)
      if (!mine) run.refused = true
      return mine
    },
    isStopping: around.isStopping,
    extendLease: () => around.leases.extend(held),
    finish: tx => finishJob(tx, around, run),
  }
  runningJobs.set(work, { around, run })
  return work
}

/**
 * Several at once, in one statement. It waits for nobody, as others take lanes in another order: where one is locked
 * or lost it fails, and each must be tried alone.
 */
export async function finishAll(tx: Tx, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return
  if (works.length === 1) return works[0]!.finish(tx)
  const hands = works.map(work => runningJobs.get(work)!)
  const rows = await completeInTx(
    tx,
    hands.map(({ run }) => toCompletion(run)),
  )
  if (rows.length < works.length) throw new Error('one of several jobs is locked or was taken over')
  const remaining = new Map(rows.map(row => [row.id, row.remaining]))
  for (const { around, run } of hands) onFinished(tx, around, run, remaining.get(run.held.id)!)
}

function toCompletion({ held, entry }: JobRun): Completion {
  return { id: held.id, token: held.token, doneId: entry.id, step: 'keep', delayMs: 0 }
}

async function finishJob(tx: Tx, around: WorkerContext, run: JobRun): Promise<void> {
  const { held, entry } = run
  const row = await completeOne(tx, toCompletion(run))
  if (!row) {
    if (!held.lost) around.leases.lose(held)
    throw new LeaseLost(entry.id)
  }
  onFinished(tx, around, run, row.remaining)
}

function onFinished(tx: Tx, around: WorkerContext, run: JobRun, remaining: number): void {
  const { held } = run
  tx.afterCommit(() => {
    run.finished = true
    if (remaining > 0) return
    held.lost = true
    around.leases.remove(held)
  })
}

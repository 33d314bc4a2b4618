/**
 * Runs the jobs of one claimed lane, one after the other, and says how each ended. The lane stops at the first that
 * is to be tried again, so that none overtakes it.
 */
import type { Tx } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { inSpan, type Tracing } from '../tracing/tracing.ts'
import { type AnyJob, backoff, Discard, LeaseLost, RetryLater, type Work } from './job.ts'
import type { Held, Leases } from './leases.ts'
import type { Settler } from './settle.ts'
import { insertDeadJob } from './store/dead.ts'
import { type Settlement, type Step, settleOne, settleWithin } from './store/settle.ts'
import { takeTraceparent } from './traced.ts'

export type Outcome = 'done' | 'retried' | 'deferred' | 'dead' | 'discarded' | 'lost'

export interface Surroundings {
  deps: Deps
  leases: Leases
  settler: Settler
  stopping: () => boolean
  sinceMs: (name: string) => number
  started: (job: AnyJob) => void
  ended: (job: AnyJob, outcome: Outcome, ms: number) => void
}

interface Run {
  held: Held
  entry: { id: number; payload: unknown }
  attempt: number
  /** Completed by the handler, in its own transaction. */
  finished: boolean
  /** The handler was told that the lease is over: whatever it returns, it has not done the work. */
  refused: boolean
}

export async function runLane(around: Surroundings, held: Held): Promise<void> {
  let step: Step = 'free'
  for (const [index, entry] of held.entries.entries()) {
    if (around.stopping() || !around.leases.stillMine(held)) break
    const run = { held, entry, attempt: index === 0 ? held.attempt : 1, finished: false, refused: false }
    step = await runJob(around, run)
    if (step !== 'hold') break
    step = 'free'
    held.doneId = entry.id
    if (index < held.entries.length - 1) around.settler.report(held)
  }
  held.step = step
  around.settler.report(held)
}

/** 'hold' when the job is over and the next may begin. */
async function runJob(around: Surroundings, run: Run): Promise<Step> {
  const { job } = run.held
  const began = performance.now()
  run.held.beganAt = began
  around.started(job)
  const traceparent = takeTraceparent(run.entry.payload)
  const { tracing } = around.deps
  const [outcome, step] = await (tracing
    ? tracedAttempt(tracing, traceparent, around, run)
    : attempt(around, run))
  around.ended(job, outcome, performance.now() - began)
  return step
}

function tracedAttempt(
  tracing: Tracing,
  parent: string | undefined,
  around: Surroundings,
  run: Run,
): Promise<[Outcome, Step]> {
  const { name, priority } = run.held.job
  const attributes = {
    'parley.job.name': name,
    'parley.job.priority': priority,
    'parley.job.attempt': run.attempt,
  }
  return inSpan(tracing, { name: `job ${name}`, kind: 'consumer', parent, attributes }, async span => {
    const [outcome, step] = await attempt(around, run)
    span.set('parley.job.outcome', outcome)
    if (outcome === 'retried' || outcome === 'dead' || outcome === 'lost') span.fail(outcome)
    return [outcome, step]
  })
}

async function attempt(around: Surroundings, run: Run): Promise<[Outcome, Step]> {
  const { deps } = around
  const { job } = run.held
  if (run.attempt > job.retry.attempts) return bury(around, run, new Error('its worker died while doing it'))
  try {
    await job.handle(deps, run.entry.payload as never, workOf(around, run))
    return run.refused && !run.finished ? later(run, 'lost') : ['done', 'hold']
  } catch (error) {
    return failed(around, run, error)
  }
}

function failed(around: Surroundings, run: Run, error: unknown): [Outcome, Step] | Promise<[Outcome, Step]> {
  const { held, attempt } = run
  const facts = { job: held.job.name, id: run.entry.id, tenantId: held.tenantId, attempt, err: error }
  const { log } = around.deps
  if (run.finished) {
    log.error(facts, 'a job failed after it had finished')
    return ['done', 'hold']
  }
  if (error instanceof Discard) {
    log.info(facts, 'job discarded')
    return ['discarded', 'hold']
  }
  if (error instanceof RetryLater) {
    held.delayMs = error.delayMs
    return ['deferred', 'defer']
  }
  if (error instanceof LeaseLost) return later(run, 'lost')
  log.warn(facts, 'job failed')
  return attempt < held.job.retry.attempts ? later(run, 'retried') : bury(around, run, error)
}

function later(run: Run, outcome: Outcome): [Outcome, Step] {
  run.held.delayMs = backoff(run.held.job.retry, run.attempt)
  return [outcome, 'later']
}

/** Moves the job aside, so that its lane goes on. */
async function bury(around: Surroundings, run: Run, error: unknown): Promise<[Outcome, Step]> {
  const { held, entry } = run
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  try {
    await transact(around.deps.db, async tx => {
      await finish(tx, around, run)
      await insertDeadJob(tx, {
        ...entry,
        name: held.job.name,
        tenantId: held.tenantId,
        key: held.key,
        attempts: Math.min(run.attempt, held.job.retry.attempts),
        error: text,
      })
    })
    around.deps.log.error(
      { job: held.job.name, id: entry.id, tenantId: held.tenantId, err: error },
      'job is dead',
    )
    return ['dead', 'hold']
  } catch (problem) {
    around.deps.log.warn({ err: problem }, 'could not move a dead job aside')
    return later(run, problem instanceof LeaseLost ? 'lost' : 'retried')
  }
}

const inHand = new WeakMap<Work, { around: Surroundings; run: Run }>()

function workOf(around: Surroundings, run: Run): Work {
  const { held, entry, attempt } = run
  const work: Work = {
    id: entry.id,
    attempt,
    tenantId: held.tenantId,
    key: held.key,
    stillMine() {
      const mine = around.leases.stillMine(held)
      if (!mine) run.refused = true
      return mine
    },
    stopping: around.stopping,
    extend: () => around.leases.extend(held),
    finish: tx => finish(tx, around, run),
  }
  inHand.set(work, { around, run })
  return work
}

/**
 * Several at once, in one statement. It waits for nobody, as others take lanes in another order: where one is locked
 * or lost it fails, and each must be tried alone.
 */
export async function finishAll(tx: Tx, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return
  if (works.length === 1) return works[0]!.finish(tx)
  const hands = works.map(work => inHand.get(work)!)
  const rows = await settleWithin(
    tx,
    hands.map(({ run }) => doneIn(run)),
  )
  if (rows.length < works.length) throw new Error('one of several jobs is locked or was taken over')
  const remaining = new Map(rows.map(row => [row.id, row.remaining]))
  for (const { around, run } of hands) completed(tx, around, run, remaining.get(run.held.id)!)
}

function doneIn({ held, entry }: Run): Settlement {
  return { id: held.id, token: held.token, doneId: entry.id, step: 'hold', delayMs: 0 }
}

async function finish(tx: Tx, around: Surroundings, run: Run): Promise<void> {
  const { held, entry } = run
  const row = await settleOne(tx, doneIn(run))
  if (!row) {
    if (!held.gone) around.leases.lose(held)
    throw new LeaseLost(entry.id)
  }
  completed(tx, around, run, row.remaining)
}

function completed(tx: Tx, around: Surroundings, run: Run, remaining: number): void {
  const { held } = run
  tx.afterCommit(() => {
    run.finished = true
    if (remaining > 0) return
    held.gone = true
    around.leases.drop(held)
  })
}

/**
 * Enqueues jobs in the caller's transaction: they exist if and only if it commits. Jobs of one name, tenant and ordering
 * key run one after the other in the order they were enqueued. A delayed job has a lane of its own, so it neither waits
 * for its key nor blocks it.
 */
import type { Tx } from '../db/db.ts'
import type { Job } from './job.ts'
import { type EnqueuedHint, enqueuedTopic } from './notify.ts'
import { insertJob, insertJobs, type NewJob } from './store/insert.ts'
import { withTraceparent } from './trace-context.ts'

export interface JobInput<P> {
  /** null for jobs without a tenant. */
  tenantId: string | null
  orderingKey?: string
  payload: P
  /** For a job with `background`: it must not delay other jobs of its name. */
  background?: boolean
  delayMs?: number
  runAt?: Date | string
  /** The trace of the job, when it is not that of the transaction. */
  traceparent?: string | undefined
}

export async function enqueue<P>(tx: Tx, job: Job<P>, item: JobInput<P>): Promise<void> {
  await insertJob(tx, toRow(tx, job, item))
  notifyAfterCommit(tx, job, [item])
}

/** Enqueues in one statement; items of one key keep their order. A few thousand items per call is a good size. */
export async function enqueueMany<P>(tx: Tx, job: Job<P>, items: readonly JobInput<P>[]): Promise<void> {
  if (items.length === 0) return
  await insertJobs(
    tx,
    items.map(item => toRow(tx, job, item)),
  )
  notifyAfterCommit(tx, job, items)
}

function toRow<P>(tx: Tx, job: Job<P>, item: JobInput<P>): NewJob {
  const delayed = item.runAt !== undefined || (item.delayMs ?? 0) > 0
  // A delayed job starts a trace of its own.
  const traceparent = delayed ? undefined : (item.traceparent ?? tx.traceparent)
  return {
    name: job.name,
    tenantId: item.tenantId ?? '',
    orderingKey: item.orderingKey ?? null,
    ordered: item.orderingKey !== undefined && !delayed,
    background: item.background === true && job.background,
    state: delayed ? 'scheduled' : 'ready',
    runAt: item.runAt === undefined ? null : new Date(item.runAt).toISOString(),
    delayMs: item.delayMs ?? 0,
    payload: JSON.stringify(withTraceparent(item.payload, traceparent)),
  }
}

function notifyAfterCommit<P>(tx: Tx, job: Job<P>, items: readonly JobInput<P>[]): void {
  const delayMs = items.reduce(
    (least, item) => Math.min(least, getDelayMs(tx, item)),
    Number.POSITIVE_INFINITY,
  )
  tx.signal(enqueuedTopic, { name: job.name, delayMs } satisfies EnqueuedHint)
}

/** Only a hint for timers: the database's clock decides what is due. */
function getDelayMs<P>(tx: Tx, item: JobInput<P>): number {
  const delay = item.runAt ? new Date(item.runAt).getTime() - tx.clock.now().getTime() : item.delayMs
  return Math.max(0, delay ?? 0)
}

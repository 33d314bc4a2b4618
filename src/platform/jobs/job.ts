/**
 * A job is a value: name, priority, retry policy and handler. Side effects happen at least once; `work.finish(tx)` makes
 * database effects exactly once, and `work.holdsLease()` lets a worker that was paused for longer than its lease skip an
 * external call that another worker may already have made.
 */
import type { Config } from '../config.ts'
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'

export { LeaseLost } from '../leases/leases.ts'

export const priorities = ['urgent', 'normal', 'bulk'] as const
export type Priority = (typeof priorities)[number]

export interface RetryPolicy {
  /** Claims in all, including those of processes that died. */
  maxAttempts: number
  /** Doubles with each attempt up to maxDelayMs; a random part of up to half is subtracted. */
  initialDelayMs: number
  maxDelayMs: number
}

/** The running job, as its handler sees it. */
export interface Work {
  /** The same on each attempt. */
  readonly id: number
  readonly attempt: number
  readonly tenantId: string
  readonly orderingKey: string | null
  /** Whether the lease is valid now. To be checked right before an effect outside the database. */
  holdsLease(): boolean
  /** Whether this process is shutting down: a job that has not started its effects should leave them to another. */
  isStopping(): boolean
  /** Renews the lease now; returns false when another worker has taken over. */
  extendLease(): Promise<boolean>
  /** Completes the job in the transaction of its effects. Throws LeaseLost when another worker has taken over. */
  finish(tx: Tx): Promise<void>
}

export interface Job<P> {
  readonly name: string
  readonly priority: Priority
  /** Whether it can be enqueued in the background, which has workers of its own. */
  readonly background: boolean
  readonly retry: RetryPolicy
  readonly leaseMs: number
  /** A handler that runs longer is considered hung: its lease is no longer renewed and another worker retries. */
  readonly timeoutMs: number
  /** Lanes of one tenant that a process runs concurrently; no limit without it. */
  readonly maxPerTenant?: (config: Config) => number
  /**
   * Called when the job moves to the dead letters because workers die on it. A job with this function is suspected after
   * the first death: from then on it runs without other jobs that have one, and the next death is attributed to it.
   */
  readonly onWorkersDied?: (tx: Tx, payload: P, tenantId: string) => Promise<void>
  /** Called in the transaction that moves the job to the dead letters, for whatever reason: what waits for it can end. */
  readonly onDead?: (tx: Tx, payload: P, tenantId: string) => Promise<void>
  readonly handle: (deps: Deps, payload: P, work: Work) => Promise<unknown>
}

export type JobOptions<P> = Pick<Job<P>, 'name' | 'priority' | 'handle'> &
  Partial<
    Pick<Job<P>, 'background' | 'leaseMs' | 'timeoutMs' | 'maxPerTenant' | 'onWorkersDied' | 'onDead'>
  > & {
    retry?: Partial<RetryPolicy>
  }

export type AnyJob = Job<never>

/** Short enough that the jobs of a killed process are taken over within ten seconds. */
const defaultLeaseMs = 6_000
const defaultTimeoutMs = 10 * 60_000
const defaultRetry: RetryPolicy = { maxAttempts: 10, initialDelayMs: 1_000, maxDelayMs: 15 * 60_000 }

export function job<P>(options: JobOptions<P>): Job<P> {
  return {
    background: false,
    leaseMs: defaultLeaseMs,
    timeoutMs: defaultTimeoutMs,
    ...options,
    retry: { ...defaultRetry, ...options.retry },
  }
}

export function backoffMs(retry: RetryPolicy, attempt: number): number {
  const full = Math.min(retry.maxDelayMs, retry.initialDelayMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(full * (0.5 + Math.random() / 2))
}

/** Retries the job after the delay without using up an attempt. Later jobs of the same ordering key wait too. */
export class RetryLater extends Error {
  readonly delayMs: number
  constructor(delayMs: number, reason = 'not now') {
    super(reason)
    this.delayMs = delayMs
  }
}

/** Fails the attempt like any other error, for an expected reason that the handler has logged. */
export class AttemptFailed extends Error {}

/** Drops the job without an error; its lane continues. */
export class Discard extends Error {}

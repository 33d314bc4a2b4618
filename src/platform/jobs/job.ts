/**
 * A job is a value: its name, how urgent it is, how often it is tried, and what it does. Side effects are at least
 * once; `work.finish(tx)` makes database effects exactly once, `work.stillMine()` stops a worker that was paused for
 * longer than its lease right before it would call out a second time.
 */
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'

export const priorities = ['urgent', 'normal', 'bulk'] as const
export type Priority = (typeof priorities)[number]

export interface RetryPolicy {
  /** Claims in all, those that ended with a dead process included. */
  maxAttempts: number
  /** The first pause; each further one is twice as long, up to maxMs, less up to half by chance. */
  initialDelayMs: number
  maxDelayMs: number
}

/** What a handler knows about the piece of work in its hands. */
export interface Work {
  /** The same on each attempt. */
  readonly id: number
  readonly attempt: number
  readonly tenantId: string
  readonly orderingKey: string | null
  /** Whether the lease still runs, by the monotonic clock. Ask right before an effect outside the database. */
  holdsLease(): boolean
  /** Whether this process is about to end: what has only waited so far is better left to another. */
  isStopping(): boolean
  /** Renews the lease now; false when another worker has taken over. */
  extendLease(): Promise<boolean>
  /** Completes the job in the transaction of its effects; throws LeaseLost, and so rolls back, if it was taken over. */
  finish(tx: Tx): Promise<void>
}

export interface Job<P> {
  readonly name: string
  readonly priority: Priority
  readonly retry: RetryPolicy
  readonly leaseMs: number
  /** The lease of a handler that takes longer is no longer renewed: it hangs, and another worker tries. */
  readonly timeoutMs: number
  readonly handle: (deps: Deps, payload: P, work: Work) => Promise<unknown>
}

export type JobOptions<P> = Pick<Job<P>, 'name' | 'priority' | 'handle'> &
  Partial<Pick<Job<P>, 'leaseMs' | 'timeoutMs'>> & { retry?: Partial<RetryPolicy> }

/** A job whatever its payload, for lists of them. */
export type AnyJob = Job<never>

/** Short enough that the work of a killed process is taken over within ten seconds. */
const defaultLeaseMs = 6_000
const defaultTimeoutMs = 10 * 60_000
const defaultRetry: RetryPolicy = { maxAttempts: 10, initialDelayMs: 1_000, maxDelayMs: 15 * 60_000 }

export function job<P>(options: JobOptions<P>): Job<P> {
  return {
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

/** Not now: try again after the delay, without using up an attempt. Later jobs of the same key wait with it. */
export class RetryLater extends Error {
  readonly delayMs: number
  constructor(delayMs: number, reason = 'not now') {
    super(reason)
    this.delayMs = delayMs
  }
}

/** There is nothing left to do: the job is dropped and its lane goes on. */
export class Discard extends Error {}

/** Another worker has the job; whatever this one did in its transaction must not stand. */
export class LeaseLost extends Error {
  constructor(id: number) {
    super(`job ${id} was taken over by another worker`)
  }
}

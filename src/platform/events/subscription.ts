/**
 * A durable reader of the log. It receives the events of one workspace at a time, in order, without gaps, at least once;
 * workspaces are independent, and one that fails is retried alone. With `apply`, the effects in the given transaction and
 * the offset are one commit: they happen exactly once.
 */
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { LogEvent } from './event.ts'

interface SubscriptionBase {
  /** The name of its offset; must never change. */
  name: string
  /** Event types; all when omitted. */
  types?: readonly string[]
  /** Where a new consumer starts. */
  from?: 'end' | 'beginning'
  batchSize?: number
  /**
   * Minimum time between two rounds of one process, 20 ms by default: a round costs the same for one event as for dozens.
   * An event that comes after a rest is not delayed. More where nobody waits for the effect.
   */
  paceMs?: number
  /** Workspaces processed concurrently by one process. With `apply` each uses a connection. */
  concurrency?: number
}

export interface HandlingSubscription extends SubscriptionBase {
  handle(deps: Deps, events: LogEvent[]): Promise<void>
  apply?: undefined
  hasNoEffect?: undefined
}

export interface ApplyingSubscription extends SubscriptionBase {
  apply(tx: Tx, events: LogEvent[], deps: Deps): Promise<void>
  /** Whether `apply` would change nothing. The events are then passed over, without a transaction. */
  hasNoEffect?(deps: Deps, events: readonly LogEvent[]): boolean | Promise<boolean>
  handle?: undefined
}

export type Subscription = HandlingSubscription | ApplyingSubscription

export function subscription(declaration: Subscription): Subscription {
  return declaration
}

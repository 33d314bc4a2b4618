/**
 * A reader of the log that misses nothing. It is handed the events of one workspace at a time, in order, without gaps,
 * at least once; workspaces are independent, and one that fails is tried again later by itself. With `apply`, effects
 * in the transaction it is given and the cursor are one commit: they happen exactly once.
 */
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { LogEvent } from './event.ts'

interface SubscriptionBase {
  /** The name of its cursor: it stays the same for ever. */
  name: string
  /** Only these; everything when left out. */
  types?: readonly string[]
  /** Where a name that is new to the installation begins. */
  from?: 'end' | 'beginning'
  /** Events handed over at once, at most. */
  batchSize?: number
  /** Workspaces dealt with at once by one process. Those with `apply` use a connection each. */
  concurrency?: number
}

export interface HandlingSubscription extends SubscriptionBase {
  handle(deps: Deps, events: LogEvent[]): Promise<void>
  apply?: undefined
}

export interface ApplyingSubscription extends SubscriptionBase {
  apply(tx: Tx, events: LogEvent[], deps: Deps): Promise<void>
  handle?: undefined
}

export type Subscription = HandlingSubscription | ApplyingSubscription

export function subscription(declaration: Subscription): Subscription {
  return declaration
}

/**
 * The leases this process holds on rows that any process may claim. A claim raises the row's token and gives it an
 * expiry; every later write names the token, so a worker that lost its row changes nothing. Expiry is counted on the
 * monotonic clock from before the claiming statement was sent: a process that was stopped, or whose machine's clock
 * jumped, still sees that its lease has expired. One timer renews all leases in one statement.
 */
import type { Logger } from '../log.ts'

export interface LeaseOptions<T> {
  /** Names the leases in log lines. */
  name: string
  log: Logger
  leaseMs: (item: T) => number
  /** The shortest of all leases: decides how often renewal runs. */
  minLeaseMs: number
  /** Extends these leases in one statement that checks tokens, and returns those extended. May skip locked rows. */
  renewMany: (items: readonly T[]) => Promise<Iterable<T>>
  /** Extends one lease, waiting for a locked row. False when the token is no longer valid. */
  renewOne: (item: T) => Promise<boolean>
  /** Items for which this returns false are no longer renewed and so expire: their work takes too long. */
  isRenewable?: (item: T, now: number) => boolean
  /** Called once when another process turns out to have taken over. */
  onLost: (item: T) => void
}

export interface Leases<T> {
  readonly size: number
  has(item: T): boolean
  values(): Iterable<T>
  /** Runs a claiming statement and holds what it returns. */
  claim<C extends T>(query: () => Promise<readonly C[]>): Promise<readonly C[]>
  /** Whether the lease is valid now. To be checked right before an effect outside the database. */
  isValid(item: T): boolean
  /** Renews one lease now; false when it is lost. */
  extend(item: T): Promise<boolean>
  /** Forgets a lease whose row was released or deleted. */
  release(item: T): void
  /** A write with the item's token was refused. */
  markLost(item: T): void
  close(): void
}

export class LeaseLost extends Error {
  constructor(what: string | number) {
    super(`the lease of ${what} was lost`)
  }
}

/** Part of a lease kept back for the call that `isValid` permits. */
const margin = 0.1
/** Leases with less than this part left are renewed. */
const renewBelow = 0.7
const renewalsPerLease = 5

export function openLeases<T>(options: LeaseOptions<T>): Leases<T> {
  const { name, log, leaseMs, renewMany, renewOne, isRenewable, onLost } = options
  const expiries = new Map<T, number>()
  let renewing = false

  const grant = (item: T, sentAt: number) => expiries.set(item, sentAt + leaseMs(item) * (1 - margin))

  function markLost(item: T): void {
    if (!expiries.delete(item)) return
    onLost(item)
  }

  function isDue(item: T, now: number): boolean {
    return expiries.get(item)! - now < leaseMs(item) * renewBelow && (isRenewable?.(item, now) ?? true)
  }

  async function renewDue(due: readonly T[], sentAt: number): Promise<void> {
    const renewed = new Set(await renewMany(due))
    for (const item of due) if (renewed.has(item) && expiries.has(item)) grant(item, sentAt)
    // Released meanwhile, lost, or locked for a moment: one by one, since each may have to wait for a lock.
    for (const item of due) if (!renewed.has(item) && expiries.has(item)) await extend(item)
  }

  async function renew(): Promise<void> {
    const sentAt = performance.now()
    const due = [...expiries.keys()].filter(item => isDue(item, sentAt))
    if (renewing || due.length === 0) return
    renewing = true
    await renewDue(due, sentAt).catch(error =>
      log.warn({ err: error, lease: name }, 'renewing leases failed; retrying'),
    )
    renewing = false
  }

  async function extend(item: T): Promise<boolean> {
    if (!expiries.has(item)) return false
    const sentAt = performance.now()
    const renewed = await renewOne(item)
    if (!expiries.has(item)) return false
    if (renewed) grant(item, sentAt)
    else markLost(item)
    return renewed
  }

  const timer = setInterval(() => void renew(), options.minLeaseMs / renewalsPerLease)
  timer.unref()

  return {
    get size() {
      return expiries.size
    },
    has: item => expiries.has(item),
    values: () => expiries.keys(),
    async claim(query) {
      const sentAt = performance.now()
      const items = await query()
      for (const item of items) grant(item, sentAt)
      return items
    },
    isValid: item => performance.now() < (expiries.get(item) ?? 0),
    extend,
    release: item => void expiries.delete(item),
    markLost,
    close: () => clearInterval(timer),
  }
}

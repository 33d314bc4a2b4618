/** Does the work of one subscription in this process: claims feeds with news, a few at a time, and deals with them. */
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { doorbell } from './doorbell.ts'
import type { LogEvent } from './event.ts'
import { LeaseLost, leases } from './lease.ts'
import {
  type Claim,
  claimFeeds,
  isRegistered,
  moveCursor,
  register,
  renewFeed,
  settleFeed,
} from './store/feeds.ts'
import { readLog } from './store/log.ts'
import type { Subscription } from './subscription.ts'
import { sweeps } from './sweeps.ts'

export interface FeedWorkerOptions {
  deps: Deps
  /** Claims, reads and settlements: small statements that need not be durable. */
  control: Db
  pollMs: number
  leaseMs: number
}

export interface FeedWorker {
  /** There is news, somewhere or only in these workspaces. */
  wake(tenantIds?: readonly string[]): void
  stop(): Promise<void>
}

/** Then others get their turn. */
const batchesPerClaim = 10
const longestBackoffMs = 60_000

export function startFeedWorker(subscription: Subscription, options: FeedWorkerOptions): FeedWorker {
  const { deps, control, pollMs, leaseMs } = options
  const { concurrency = 4 } = subscription
  const subscriber = { name: subscription.name, types: subscription.types ?? null }
  const log = deps.log.child({ subscriber: subscriber.name })
  const bell = doorbell()
  const held = leases(leaseMs, claim => renewFeed(control, claim, leaseMs))
  const running = new Set<Promise<void>>()
  const sweep = sweeps()
  let registered = false
  let stopped = false

  async function ensureRegistered(): Promise<void> {
    if (registered) return
    if (!(await isRegistered(deps.db, subscriber))) {
      await transact(deps.db, tx => register(tx, subscriber, subscription.from === 'beginning'))
    }
    registered = true
  }

  async function claim(): Promise<void> {
    const free = concurrency - held.size
    if (free <= 0) return
    const askedAt = performance.now()
    const claims = await claimFeeds(control, subscriber, { limit: free, leaseMs, from: sweep.next(askedAt) })
    sweep.learn(claims, claims.length === free)
    for (const claimed of claims) {
      held.hold(claimed, askedAt)
      const work = deal(claimed).finally(() => running.delete(work))
      running.add(work)
    }
  }

  async function deal(claimed: Claim): Promise<void> {
    const outcome = await dealWithFeed(claimed, subscription, options, () => held.check(claimed))
    if (outcome.error)
      log.error({ err: outcome.error, tenantId: claimed.tenantId }, 'events could not be handled')
    const wasFull = held.size === concurrency
    held.release(claimed)
    const { waitMs } = outcome
    const settlement = { ...outcome, error: outcome.error?.message.slice(0, 500) ?? null }
    const due = await settleFeed(control, claimed, settlement).catch(error => {
      log.warn({ err: error }, 'a feed could not be settled; its lease will end')
      return false
    })
    if (waitMs > 0) setTimeout(bell.ring, waitMs).unref()
    else if (due || wasFull) bell.ring()
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        await ensureRegistered()
        await claim()
      } catch (error) {
        log.warn({ err: error }, 'feeds could not be claimed; trying again')
      }
      await bell.wait(pollMs)
    }
    await Promise.all(running)
    held.stop()
  }

  const looping = loop()
  return {
    wake(tenantIds) {
      // Whoever has a feed in hand learns of its news when done with it.
      if (!tenantIds?.every(held.has)) bell.ring()
    },
    async stop() {
      stopped = true
      bell.ring()
      await looping
    },
  }
}

interface Outcome {
  seq: number
  failures: number
  error?: Error
  waitMs: number
}

async function dealWithFeed(
  claim: Claim,
  subscription: Subscription,
  options: FeedWorkerOptions,
  checkLease: () => void,
): Promise<Outcome> {
  const { batch = 100, types } = subscription
  let { seq } = claim
  // After a failure one at a time, so that those before the one that fails get through.
  let limit = claim.failures > 0 ? 1 : batch
  try {
    for (let n = 0; n < batchesPerClaim; n++) {
      const events = await readLog(options.control, claim.tenantId, { after: seq, limit, types })
      checkLease()
      if (events.length > 0) await handOver(claim, subscription, options.deps, { events, after: seq })
      seq = events.at(-1)?.seq ?? seq
      if (events.length < limit) return { seq: Math.max(seq, claim.head), failures: 0, waitMs: 0 }
      limit = Math.min(limit * 4, batch)
      if (subscription.handle) await keepProgress(claim, seq, options)
    }
    return { seq, failures: 0, waitMs: 0 }
  } catch (error) {
    if (error instanceof LeaseLost) return { seq, failures: claim.failures, waitMs: 0 }
    const failures = seq > claim.seq ? 1 : claim.failures + 1
    return { seq, failures, error: error as Error, waitMs: backoff(failures) }
  }
}

/** With `apply` the cursor has it; without, only what is written here is not handed over again after a crash. */
async function keepProgress(
  claim: Claim,
  seq: number,
  { control, leaseMs }: FeedWorkerOptions,
): Promise<void> {
  if (!(await renewFeed(control, claim, leaseMs, seq))) throw new LeaseLost('somebody else has it now')
}

async function handOver(
  claim: Claim,
  subscription: Subscription,
  deps: Deps,
  { events, after }: { events: LogEvent[]; after: number },
): Promise<void> {
  if (subscription.handle) return subscription.handle(deps, events)
  await transact(deps.db, async tx => {
    // It leaves with the first question, and keeps out whoever believes to have the feed as well.
    const moving = moveCursor(tx, claim, after, events.at(-1)!.seq)
    moving.catch(() => {}) // what comes after it fails as well
    await subscription.apply(tx, events, deps)
    if (!(await moving)) throw new LeaseLost('somebody else was faster')
  })
}

function backoff(failures: number): number {
  const delay = Math.min(longestBackoffMs, 200 * 2 ** (failures - 1))
  return Math.round(delay * (0.8 + Math.random() * 0.4))
}

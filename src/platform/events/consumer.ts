/** Does the work of one subscription in this process: claims feeds with news, a few at a time, and deals with them. */
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { wakeSignal } from '../wake-signal.ts'
import { claimWindow } from './claim-window.ts'
import type { LogEvent } from './event.ts'
import { LeaseLost, leases } from './lease.ts'
import { readLog } from './log.ts'
import {
  advanceOffset,
  type ClaimedWorkspace,
  claimWorkspaces,
  isConsumerRegistered,
  registerConsumer,
  releaseWorkspace,
  renewWorkspace,
} from './store/consumers.ts'
import type { Subscription } from './subscription.ts'

export interface ConsumerOptions {
  deps: Deps
  /** Claims, reads and settlements: small statements that need not be durable. */
  control: Db
  pollMs: number
  leaseMs: number
}

export interface Consumer {
  /** There is news, somewhere or only in these workspaces. */
  wake(tenantIds?: readonly string[]): void
  stop(): Promise<void>
}

/** Then others get their turn. */
const batchesPerClaim = 10
const maxBackoffMs = 60_000

export function startConsumer(subscription: Subscription, options: ConsumerOptions): Consumer {
  const { deps, control, pollMs, leaseMs } = options
  const { concurrency = 4 } = subscription
  const registration = { name: subscription.name, types: subscription.types ?? null }
  const log = deps.log.child({ registration: registration.name })
  const signal = wakeSignal()
  const held = leases(leaseMs, claim => renewWorkspace(control, claim, leaseMs))
  const running = new Set<Promise<void>>()
  const sweep = claimWindow()
  let registered = false
  let stopped = false

  async function ensureRegistered(): Promise<void> {
    if (registered) return
    if (!(await isConsumerRegistered(deps.db, registration))) {
      await transact(deps.db, tx => registerConsumer(tx, registration, subscription.from === 'beginning'))
    }
    registered = true
  }

  async function claim(): Promise<void> {
    const free = concurrency - held.size
    if (free <= 0) return
    const askedAt = performance.now()
    const claims = await claimWorkspaces(control, registration, {
      limit: free,
      leaseMs,
      from: sweep.next(askedAt),
    })
    sweep.update(claims, claims.length === free)
    for (const claimed of claims) {
      held.hold(claimed, askedAt)
      const work = process(claimed).finally(() => running.delete(work))
      running.add(work)
    }
  }

  async function process(claimed: ClaimedWorkspace): Promise<void> {
    const outcome = await processWorkspace(claimed, subscription, options, () => held.check(claimed))
    if (outcome.error)
      log.error({ err: outcome.error, tenantId: claimed.tenantId }, 'events could not be handled')
    const wasFull = held.size === concurrency
    held.release(claimed)
    const { retryInMs: waitMs } = outcome
    const settlement = { ...outcome, error: outcome.error?.message.slice(0, 500) ?? null }
    const due = await releaseWorkspace(control, claimed, settlement).catch(error => {
      log.warn({ err: error }, 'a feed could not be settled; its lease will end')
      return false
    })
    if (waitMs > 0) setTimeout(signal.notify, waitMs).unref()
    else if (due || wasFull) signal.notify()
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        await ensureRegistered()
        await claim()
      } catch (error) {
        log.warn({ err: error }, 'feeds could not be claimed; trying again')
      }
      await signal.wait(pollMs)
    }
    await Promise.all(running)
    held.stop()
  }

  const looping = loop()
  return {
    wake(tenantIds) {
      // Whoever has a feed in hand learns of its news when done with it.
      if (!tenantIds?.every(held.has)) signal.notify()
    },
    async stop() {
      stopped = true
      signal.notify()
      await looping
    },
  }
}

interface Outcome {
  seq: number
  failures: number
  error?: Error
  retryInMs: number
}

async function processWorkspace(
  claim: ClaimedWorkspace,
  subscription: Subscription,
  options: ConsumerOptions,
  checkLease: () => void,
): Promise<Outcome> {
  const { batchSize: batch = 100, types } = subscription
  let { seq } = claim
  // After a failure one at a time, so that those before the one that fails get through.
  let limit = claim.failures > 0 ? 1 : batch
  try {
    for (let n = 0; n < batchesPerClaim; n++) {
      const events = await readLog(options.control, claim.tenantId, { after: seq, limit, types })
      checkLease()
      if (events.length > 0) await handleBatch(claim, subscription, options.deps, { events, after: seq })
      seq = events.at(-1)?.seq ?? seq
      if (events.length < limit) return { seq: Math.max(seq, claim.latestSeq), failures: 0, retryInMs: 0 }
      limit = Math.min(limit * 4, batch)
      if (subscription.handle) await saveProgress(claim, seq, options)
    }
    return { seq, failures: 0, retryInMs: 0 }
  } catch (error) {
    if (error instanceof LeaseLost) return { seq, failures: claim.failures, retryInMs: 0 }
    const failures = seq > claim.seq ? 1 : claim.failures + 1
    return { seq, failures, error: error as Error, retryInMs: backoffMs(failures) }
  }
}

/** With `apply` the cursor has it; without, only what is written here is not handed over again after a crash. */
async function saveProgress(
  claim: ClaimedWorkspace,
  seq: number,
  { control, leaseMs }: ConsumerOptions,
): Promise<void> {
  if (!(await renewWorkspace(control, claim, leaseMs, seq))) throw new LeaseLost('somebody else has it now')
}

async function handleBatch(
  claim: ClaimedWorkspace,
  subscription: Subscription,
  deps: Deps,
  { events, after }: { events: LogEvent[]; after: number },
): Promise<void> {
  if (subscription.handle) return subscription.handle(deps, events)
  await transact(deps.db, async tx => {
    // It leaves with the first question, and keeps out whoever believes to have the feed as well.
    const moving = advanceOffset(tx, claim, after, events.at(-1)!.seq)
    moving.catch(() => {}) // what comes after it fails as well
    await subscription.apply(tx, events, deps)
    if (!(await moving)) throw new LeaseLost('somebody else was faster')
  })
}

function backoffMs(failures: number): number {
  const delay = Math.min(maxBackoffMs, 200 * 2 ** (failures - 1))
  return Math.round(delay * (0.8 + Math.random() * 0.4))
}

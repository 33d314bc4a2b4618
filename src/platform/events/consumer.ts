/** Runs one subscription in this process: leases workspaces with new events, a few at a time, and processes them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { LeaseLost, type Leases, openLeases } from '../leases/leases.ts'
import type { Logger } from '../log.ts'
import { wakeSignal } from '../wake-signal.ts'
import { claimWindow } from './claim-window.ts'
import type { LogEvent } from './event.ts'
import { ensureRegistered, getRegistration } from './registration.ts'
import type { ReadEvents } from './shared-reads.ts'
import {
  advanceOffset,
  type ClaimedWorkspace,
  claimWorkspaces,
  releaseWorkspace,
  renewWorkspace,
  renewWorkspaces,
} from './store/consumers.ts'
import type { Subscription } from './subscription.ts'

export interface ConsumerOptions {
  deps: Deps
  /** For claims, reads and releases: small statements that commit asynchronously. */
  control: Db
  readEvents: ReadEvents
  pollMs: number
  leaseMs: number
}

export interface Consumer {
  /** Looks for new events, in all workspaces or in these. */
  wake(tenantIds?: readonly string[]): void
  stop(): Promise<void>
}

/** Limits how long one workspace keeps others waiting. */
const batchesPerClaim = 10
const maxBackoffMs = 60_000
const defaultPaceMs = 20

export function startConsumer(subscription: Subscription, options: ConsumerOptions): Consumer {
  const { deps, control, pollMs, leaseMs } = options
  const { concurrency = 4, paceMs = defaultPaceMs } = subscription
  const registration = getRegistration(subscription)
  const log = deps.log.child({ consumer: registration.name })
  const signal = wakeSignal()
  const leases = openWorkspaceLeases(control, log, leaseMs)
  const inProgress = new Set<string>()
  const running = new Set<Promise<void>>()
  const window = claimWindow()
  let registered = false
  let stopped = false
  /** Whether the last claim filled all slots that were free: the next free slot is filled without waiting. */
  let mayHaveMore = false

  async function claim(): Promise<void> {
    const limit = concurrency - leases.size
    if (limit <= 0) return
    const from = window.next(performance.now())
    const claims = await leases.claim(() => claimWorkspaces(control, registration, { limit, leaseMs, from }))
    window.update(claims, claims.length === limit)
    for (const claimed of claims) {
      const work = process(claimed).finally(() => running.delete(work))
      running.add(work)
    }
    mayHaveMore = claims.length === limit
  }

  async function process(claimed: ClaimedWorkspace): Promise<void> {
    const { tenantId } = claimed
    inProgress.add(tenantId)
    const outcome = await processWorkspace(claimed, subscription, options, () => {
      if (!leases.isValid(claimed)) throw new LeaseLost(tenantId)
    })
    if (outcome.error) log.error({ err: outcome.error, tenantId }, 'processing events failed')
    inProgress.delete(tenantId)
    leases.release(claimed)
    const due = await releaseWorkspace(control, claimed, outcome).catch(error => {
      log.warn({ err: error, tenantId }, 'releasing an event lease failed; it will expire')
      return false
    })
    if (outcome.retryInMs > 0) setTimeout(signal.notify, outcome.retryInMs).unref()
    else if (due || mayHaveMore) signal.notify()
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      const startedAt = performance.now()
      try {
        if (!registered) await ensureRegistered(deps.db, subscription)
        registered = true
        await claim()
      } catch (error) {
        log.warn({ err: error }, 'claiming events failed; retrying')
      }
      await signal.wait(pollMs)
      const restMs = startedAt + paceMs - performance.now()
      if (restMs > 0 && !mayHaveMore) await sleep(restMs)
    }
    await Promise.all(running)
    leases.close()
  }

  const looping = loop()
  return {
    wake(tenantIds) {
      // Releasing a workspace returns whether it has new events.
      if (!tenantIds?.every(tenantId => inProgress.has(tenantId))) signal.notify()
    },
    async stop() {
      stopped = true
      signal.notify()
      await looping
    },
  }
}

function openWorkspaceLeases(db: Db, log: Logger, leaseMs: number): Leases<ClaimedWorkspace> {
  return openLeases<ClaimedWorkspace>({
    name: 'events',
    log,
    leaseMs: () => leaseMs,
    minLeaseMs: leaseMs,
    renewMany: claims => renewWorkspaces(db, claims, leaseMs),
    renewOne: claim => renewWorkspace(db, claim, leaseMs),
    onLost: ({ tenantId }) => log.warn({ tenantId }, 'event consumer lease lost'),
  })
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
  assertLease: () => void,
): Promise<Outcome> {
  const { batchSize = 100, types } = subscription
  let { seq } = claim
  // After a failure events are processed one at a time, so that those before the failing one get through.
  let limit = claim.failures > 0 ? 1 : batchSize
  try {
    for (let n = 0; n < batchesPerClaim; n++) {
      const range = { after: seq, limit, types, upTo: claim.latestSeq }
      const events = await options.readEvents(claim.tenantId, range)
      assertLease()
      if (events.length > 0) await handleBatch(claim, subscription, options.deps, { events, after: seq })
      seq = events.at(-1)?.seq ?? seq
      if (events.length < limit) return { seq: Math.max(seq, claim.latestSeq), failures: 0, retryInMs: 0 }
      limit = Math.min(limit * 4, batchSize)
      if (subscription.handle) await saveProgress(claim, seq, options)
    }
    return { seq, failures: 0, retryInMs: 0 }
  } catch (error) {
    if (error instanceof LeaseLost) return { seq, failures: claim.failures, retryInMs: 0 }
    const failures = seq > claim.seq ? 1 : claim.failures + 1
    return { seq, failures, error: error as Error, retryInMs: backoffMs(failures) }
  }
}

/** Records progress of a `handle` subscription, which has no offset: a crash repeats only what came after it. */
async function saveProgress(
  claim: ClaimedWorkspace,
  seq: number,
  { control, leaseMs }: ConsumerOptions,
): Promise<void> {
  if (!(await renewWorkspace(control, claim, leaseMs, seq))) throw new LeaseLost(claim.tenantId)
}

async function handleBatch(
  claim: ClaimedWorkspace,
  subscription: Subscription,
  deps: Deps,
  { events, after }: { events: LogEvent[]; after: number },
): Promise<void> {
  if (subscription.handle) return subscription.handle(deps, events)
  if (await subscription.hasNoEffect?.(deps, events)) return
  await transact(deps.db, async tx => {
    // Sent with the first statement; its row lock excludes any other worker that believes to hold the lease.
    const advancing = advanceOffset(tx, claim, after, events.at(-1)!.seq)
    advancing.catch(() => {}) // later statements fail with it
    await subscription.apply(tx, events, deps)
    if (!(await advancing)) throw new LeaseLost(claim.tenantId)
  })
}

function backoffMs(failures: number): number {
  const delay = Math.min(maxBackoffMs, 200 * 2 ** (failures - 1))
  return Math.round(delay * (0.8 + Math.random() * 0.4))
}

/**
 * Delivers, in one process: claims the lanes of workspaces with something due, takes deliveries from them as fast as
 * their receivers answer, and lets the lanes go when there is nothing left. Everything under way is marked in the
 * database before it is sent, so whatever dies, whoever comes next knows what was cut off and tries it again.
 */
import type { Clock } from '../../platform/clock.ts'
import { type ConnectionConfig, connectDb, type Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { wakeSignal } from '../../platform/wake-signal.ts'
import { type EndpointNotice, subscribeToNotices } from '../notify.ts'
import { dailyPartitionCheck } from '../partitions.ts'
import { openCalls } from './calls.ts'
import { claimDeliveries } from './claim.ts'
import { openCompletionWriter } from './completions.ts'
import { invalidateEndpoint } from './endpoint-state.ts'
import { endpointLoader } from './endpoints.ts'
import { openLeases } from './leases.ts'

export interface DelivererOptions {
  connection: ConnectionConfig
  /** How long something due may wait whose announcement was lost. */
  pollMs?: number
  /** How long a dead process keeps a workspace from the others. */
  leaseMs?: number
}

export interface Deliverer {
  /** Something may be due. */
  wake(): void
  stats(): { lanes: number; calls: number }
  /** Takes nothing more, lets calls end within the grace, and gives everything back. */
  stop(graceMs: number): Promise<void>
}

const pauseAfterErrorMs = 200

export function startDeliverer(deps: Deps, options: DelivererOptions): Deliverer {
  const { clock, log, bus } = deps
  const { pollMs = 1_000, leaseMs = 6_000 } = options
  const db = connectForDelivery(options.connection, clock, '-c synchronous_commit=off')
  const durable = connectForDelivery(options.connection, clock)
  const bell = wakeSignal()
  const settler = openCompletionWriter({ db: durable, log, ensurePartitions: dailyPartitionCheck(deps) })
  const holding = openLeases({ deps, db, completions: settler, leaseMs })
  const calls = openCalls({ deps, completions: settler, onChange: bell.notify })
  const taking = { db, clock, lanes: holding.lanes, calls, readReceivers: endpointLoader(deps) }
  let stopped = false
  let claimable = true

  async function round(): Promise<void> {
    if (claimable) {
      claimable = false
      claimable = (await holding.claim()) || claimable
    }
    await claimDeliveries(taking)
    await holding.saveHealth()
    await holding.releaseIdle()
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      await round().catch(error => {
        log.warn({ err: error }, 'could not deliver webhooks; trying again')
        claimable = true
        return new Promise(resolve => setTimeout(resolve, pauseAfterErrorMs))
      })
      await bell.wait(pollMs)
    }
  }

  function hear({ tenantId, endpointChanged: changed }: EndpointNotice): void {
    const lane = holding.lanes.get(tenantId)
    if (lane) lane.mayHaveMore = true
    else claimable = true
    if (lane && changed) invalidateEndpoint(lane)
    bell.notify()
  }

  function wake(): void {
    for (const lane of holding.lanes.values()) lane.mayHaveMore = true
    claimable = true
    bell.notify()
  }

  async function renew(): Promise<void> {
    await holding.renew().catch(error => log.warn({ err: error }, 'could not renew webhook lanes'))
  }

  const timers = [setInterval(wake, pollMs), setInterval(() => void renew(), leaseMs / 3)]
  const leave = subscribeToNotices(bus, hear, wake)
  const looping = loop()

  return {
    wake,
    stats: () => ({ lanes: holding.lanes.size, calls: calls.countRunning() }),
    async stop(graceMs) {
      stopped = true
      leave()
      bell.notify()
      await looping
      for (const lane of holding.lanes.values()) calls.returnQueued(lane)
      await calls.stop(graceMs)
      await settler.flushed()
      for (const timer of timers) clearInterval(timer)
      await holding.releaseAll()
      await Promise.all([db.close(), durable.close()])
    },
  }
}

/**
 * Each statement has one right plan, by index, also when the tables were small at the time of planning. What a crash of
 * the database would undo of claims and marks is only who was about to do what: they need not wait for the disk.
 */
function connectForDelivery(connection: ConnectionConfig, clock: Clock, settings = ''): Db {
  const plans = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_bitmapscan', 'jit']
  const off = plans.map(name => `-c ${name}=off`).join(' ')
  const generic = '-c plan_cache_mode=force_generic_plan'
  const options = [connection.options, off, generic, settings].filter(Boolean).join(' ')
  return connectDb({ connection: { ...connection, options }, clock, readers: 1, writers: 1 })
}

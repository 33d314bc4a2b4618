/**
 * Delivers, in one process: claims the lanes of workspaces with something due, takes deliveries from them as fast as
 * their receivers answer, and lets the lanes go when there is nothing left. Everything under way is marked in the
 * database before it is sent, so whatever dies, whoever comes next knows what was cut off and tries it again.
 */
import type { Clock } from '../../platform/clock.ts'
import { type ConnectionConfig, connectDb, type Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { doorbell } from '../../platform/events/doorbell.ts'
import { type Due, onDue } from '../announce.ts'
import { daysInTime } from '../days.ts'
import { openCalls } from './calls.ts'
import { openHolding } from './holding.ts'
import { makeStale } from './lane.ts'
import { receiverReader } from './receivers.ts'
import { openSettler } from './settler.ts'
import { takeForAll } from './taking.ts'

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
  const bell = doorbell()
  const settler = openSettler({ db: durable, log, makeRoom: daysInTime(deps) })
  const holding = openHolding({ deps, db, settler, leaseMs })
  const calls = openCalls({ deps, settler, changed: bell.ring })
  const taking = { db, clock, lanes: holding.lanes, calls, readReceivers: receiverReader(deps) }
  let stopped = false
  let claimable = true

  async function round(): Promise<void> {
    if (claimable) {
      claimable = false
      claimable = (await holding.claim()) || claimable
    }
    await takeForAll(taking)
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

  function hear({ tenantId, changed }: Due): void {
    const lane = holding.lanes.get(tenantId)
    if (lane) lane.hungry = true
    else claimable = true
    if (lane && changed) makeStale(lane)
    bell.ring()
  }

  function wake(): void {
    for (const lane of holding.lanes.values()) lane.hungry = true
    claimable = true
    bell.ring()
  }

  async function renew(): Promise<void> {
    await holding.renew().catch(error => log.warn({ err: error }, 'could not renew webhook lanes'))
  }

  const timers = [setInterval(wake, pollMs), setInterval(() => void renew(), leaseMs / 3)]
  const leave = onDue(bus, hear, wake)
  const looping = loop()

  return {
    wake,
    stats: () => ({ lanes: holding.lanes.size, calls: calls.running() }),
    async stop(graceMs) {
      stopped = true
      leave()
      bell.ring()
      await looping
      for (const lane of holding.lanes.values()) calls.putBack(lane)
      await calls.stop(graceMs)
      await settler.drained()
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

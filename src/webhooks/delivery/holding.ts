/** The lanes this process holds: claimed when something is due there, renewed while it works, let go when it is idle. */
import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { oldestKept } from '../days.ts'
import { claimLanes, releaseLanes, renewLanes, saveHealth } from '../store/lanes.ts'
import { listInterrupted } from '../store/settling.ts'
import { isIdle, isParked, type Lane, openLane } from './lane.ts'
import { interruption } from './outcomes.ts'
import type { Settler } from './settler.ts'

export interface HoldingOptions {
  deps: Deps
  db: Db
  settler: Settler
  leaseMs: number
}

const mostLanes = 2_000
const perClaim = 200
/** A lane without work is kept for a while, as there is often more a moment later; not so long where there are many. */
const longestLingerMs = 1_000
/** Kept back of a lease, for what the last look at it still permits. */
const margin = 0.1

export function openHolding({ deps, db, settler, leaseMs }: HoldingOptions) {
  const { clock, log } = deps
  const lanes = new Map<string, Lane>()
  const windows = new LRUCache<string, number>({ max: 10_000 })
  const leaseFrom = (askedAt: number) => askedAt + leaseMs * (1 - margin)

  /** True when there may be more to claim. */
  async function claim(): Promise<boolean> {
    const limit = Math.min(mostLanes - lanes.size, perClaim)
    if (limit <= 0) return false
    const askedAt = performance.now()
    const claimed = await claimLanes(db, { now: clock.now().toISOString(), limit, leaseMs })
    for (const one of claimed)
      lanes.set(one.tenantId, openLane(one, leaseFrom(askedAt), windows.get(one.tenantId)))
    await recover(claimed.filter(one => one.abandoned).map(one => one.tenantId))
    return claimed.length === limit
  }

  /** What the last holder had under way was cut off with it. */
  async function recover(tenantIds: string[]): Promise<void> {
    if (tenantIds.length === 0) return
    const now = clock.now().toISOString()
    for (const one of await listInterrupted(db, tenantIds))
      settler.report(interruption(one, now, oldestKept(clock)), () => {})
    await settler.drained()
  }

  async function release(leaving: readonly Lane[]): Promise<void> {
    if (leaving.length === 0) return
    const released = await releaseLanes(db, leaving, clock.now().toISOString())
    for (const lane of leaving.filter(one => released.has(one.tenantId))) {
      windows.set(lane.tenantId, lane.window)
      lanes.delete(lane.tenantId)
    }
  }

  async function saveAll(): Promise<void> {
    const save = async (lane: Lane) => {
      lane.unsaved = false
      await saveHealth(db, { ...lane, url: lane.receiver!.url }, lane.health).catch(error => {
        lane.unsaved = true
        throw error
      })
    }
    await Promise.all([...lanes.values()].filter(lane => lane.unsaved && lane.receiver).map(save))
  }

  return {
    lanes,
    claim,
    saveHealth: saveAll,
    /** Those locked by somebody this moment are tried again; those that remain have a lease that ends. */
    async releaseAll(): Promise<void> {
      await saveAll().catch(() => {})
      for (let n = 0; n < 5 && lanes.size > 0; n++) await release([...lanes.values()]).catch(() => {})
    },
    async releaseIdle(): Promise<void> {
      const now = clock.now()
      const since = performance.now() - longestLingerMs + lanes.size
      const left = (lane: Lane) => isIdle(lane, now) && (isParked(lane) || lane.idleSince <= since)
      await release([...lanes.values()].filter(left))
    },
    async renew(): Promise<void> {
      for (const lane of lanes.values()) {
        if (performance.now() < lane.until) continue
        log.warn({ tenantId: lane.tenantId }, 'lost the lease of a webhook lane')
        lanes.delete(lane.tenantId)
      }
      if (lanes.size === 0) return
      const askedAt = performance.now()
      const renewed = await renewLanes(db, [...lanes.values()], leaseMs)
      for (const lane of lanes.values()) if (renewed.has(lane.tenantId)) lane.until = leaseFrom(askedAt)
    },
  }
}

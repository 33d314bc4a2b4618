/** The lanes this process holds: claimed when something is due there, renewed while it works, let go when it is idle. */
import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { oldestRetained } from '../partitions.ts'
import { listInterrupted } from '../store/completions.ts'
import { claimEndpoints, releaseLeases, renewLeases, saveCircuit } from '../store/endpoint-state.ts'
import type { CompletionWriter } from './completions.ts'
import { type EndpointState, isDisabled, isIdle, toEndpointState } from './endpoint-state.ts'
import { interrupted } from './outcomes.ts'

export interface LeasesOptions {
  deps: Deps
  db: Db
  completions: CompletionWriter
  leaseMs: number
}

const maxEndpoints = 2_000
const claimBatchSize = 200
/** A lane without work is kept for a while, as there is often more a moment later; not so long where there are many. */
const maxIdleMs = 1_000
/** Kept back of a lease, for what the last look at it still permits. */
const leaseMargin = 0.1

export function openLeases({ deps, db, completions: settler, leaseMs }: LeasesOptions) {
  const { clock, log } = deps
  const lanes = new Map<string, EndpointState>()
  const windows = new LRUCache<string, number>({ max: 10_000 })
  const leaseFrom = (askedAt: number) => askedAt + leaseMs * (1 - leaseMargin)

  /** True when there may be more to claim. */
  async function claim(): Promise<boolean> {
    const limit = Math.min(maxEndpoints - lanes.size, claimBatchSize)
    if (limit <= 0) return false
    const askedAt = performance.now()
    const claimed = await claimEndpoints(db, { now: clock.now().toISOString(), limit, leaseMs })
    for (const one of claimed)
      lanes.set(one.tenantId, toEndpointState(one, leaseFrom(askedAt), windows.get(one.tenantId)))
    await recover(claimed.filter(one => one.abandoned).map(one => one.tenantId))
    return claimed.length === limit
  }

  /** What the last holder had under way was cut off with it. */
  async function recover(tenantIds: string[]): Promise<void> {
    if (tenantIds.length === 0) return
    const now = clock.now().toISOString()
    for (const one of await listInterrupted(db, tenantIds))
      settler.add(interrupted(one, now, oldestRetained(clock)), () => {})
    await settler.flushed()
  }

  async function release(leaving: readonly EndpointState[]): Promise<void> {
    if (leaving.length === 0) return
    const released = await releaseLeases(db, leaving, clock.now().toISOString())
    for (const lane of leaving.filter(one => released.has(one.tenantId))) {
      windows.set(lane.tenantId, lane.concurrency)
      lanes.delete(lane.tenantId)
    }
  }

  async function saveAll(): Promise<void> {
    const save = async (lane: EndpointState) => {
      lane.circuitChanged = false
      await saveCircuit(db, { ...lane, url: lane.endpoint!.url }, lane.circuit).catch(error => {
        lane.circuitChanged = true
        throw error
      })
    }
    await Promise.all([...lanes.values()].filter(lane => lane.circuitChanged && lane.endpoint).map(save))
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
      const since = performance.now() - maxIdleMs + lanes.size
      const left = (lane: EndpointState) => isIdle(lane, now) && (isDisabled(lane) || lane.idleSince <= since)
      await release([...lanes.values()].filter(left))
    },
    async renew(): Promise<void> {
      for (const lane of lanes.values()) {
        if (performance.now() < lane.leaseUntil) continue
        log.warn({ tenantId: lane.tenantId }, 'lost the lease of a webhook lane')
        lanes.delete(lane.tenantId)
      }
      if (lanes.size === 0) return
      const askedAt = performance.now()
      const renewed = await renewLeases(db, [...lanes.values()], leaseMs)
      for (const lane of lanes.values()) if (renewed.has(lane.tenantId)) lane.leaseUntil = leaseFrom(askedAt)
    },
  }
}

/** Endpoint leases of this process: claimed when deliveries are due, renewed while in use, released when idle. */
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
/** Idle endpoints are kept for a while, because more deliveries often follow; the more leases, the shorter. */
const maxIdleMs = 1_000
/** Safety margin at the end of a lease, as a fraction. */
const leaseMargin = 0.1

export function openLeases({ deps, db, completions, leaseMs }: LeasesOptions) {
  const { clock, log } = deps
  const endpoints = new Map<string, EndpointState>()
  const concurrencies = new LRUCache<string, number>({ max: 10_000 })
  const leaseFrom = (startedAt: number) => startedAt + leaseMs * (1 - leaseMargin)

  /** Returns true if there may be more endpoints to claim. */
  async function claim(): Promise<boolean> {
    const limit = Math.min(maxEndpoints - endpoints.size, claimBatchSize)
    if (limit <= 0) return false
    const startedAt = performance.now()
    const claimed = await claimEndpoints(db, { now: clock.now().toISOString(), limit, leaseMs })
    for (const row of claimed)
      endpoints.set(row.tenantId, toEndpointState(row, leaseFrom(startedAt), concurrencies.get(row.tenantId)))
    await recover(claimed.filter(row => row.abandoned).map(row => row.tenantId))
    return claimed.length === limit
  }

  /** Completes the deliveries that were in flight in a killed process. */
  async function recover(tenantIds: string[]): Promise<void> {
    if (tenantIds.length === 0) return
    const now = clock.now().toISOString()
    for (const delivery of await listInterrupted(db, tenantIds))
      completions.add(interrupted(delivery, now, oldestRetained(clock)), () => {})
    await completions.flushed()
  }

  async function release(states: readonly EndpointState[]): Promise<void> {
    if (states.length === 0) return
    const released = await releaseLeases(db, states, clock.now().toISOString())
    for (const state of states.filter(({ tenantId }) => released.has(tenantId))) {
      concurrencies.set(state.tenantId, state.concurrency)
      endpoints.delete(state.tenantId)
    }
  }

  async function saveCircuits(): Promise<void> {
    const save = async (state: EndpointState) => {
      state.circuitChanged = false
      await saveCircuit(db, { ...state, url: state.endpoint!.url }, state.circuit).catch(error => {
        state.circuitChanged = true
        throw error
      })
    }
    await Promise.all(
      [...endpoints.values()].filter(state => state.circuitChanged && state.endpoint).map(save),
    )
  }

  return {
    endpoints,
    claim,
    saveCircuits,
    /** Retries endpoints that are locked by other transactions; remaining leases expire. */
    async releaseAll(): Promise<void> {
      await saveCircuits().catch(() => {})
      for (let n = 0; n < 5 && endpoints.size > 0; n++) await release([...endpoints.values()]).catch(() => {})
    },
    async releaseIdle(): Promise<void> {
      const now = clock.now()
      const since = performance.now() - maxIdleMs + endpoints.size
      const isReleasable = (state: EndpointState) =>
        isIdle(state, now) && (isDisabled(state) || state.idleSince <= since)
      await release([...endpoints.values()].filter(isReleasable))
    },
    async renew(): Promise<void> {
      for (const state of endpoints.values()) {
        if (performance.now() < state.leaseUntil) continue
        log.warn({ tenantId: state.tenantId }, 'lost a webhook lease')
        endpoints.delete(state.tenantId)
      }
      if (endpoints.size === 0) return
      const startedAt = performance.now()
      const renewed = await renewLeases(db, [...endpoints.values()], leaseMs)
      for (const state of endpoints.values())
        if (renewed.has(state.tenantId)) state.leaseUntil = leaseFrom(startedAt)
    },
  }
}

/** Endpoint leases of this process: claimed when deliveries are due, renewed while in use, released when idle. */
import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { type Leases, openLeases } from '../../platform/leases/leases.ts'
import { oldestRetained } from '../partitions.ts'
import { listInterrupted } from '../store/completions.ts'
import {
  claimEndpoints,
  releaseLeases,
  renewLease,
  renewLeases,
  saveCircuit,
} from '../store/endpoint-state.ts'
import type { CompletionWriter } from './completions.ts'
import { type EndpointState, isDisabled, isIdle, toEndpointState } from './endpoint-state.ts'
import { interrupted } from './outcomes.ts'

export interface EndpointLeasesOptions {
  deps: Deps
  db: Db
  completions: CompletionWriter
  leaseMs: number
}

const maxEndpoints = 2_000
const claimBatchSize = 200
/** Idle endpoints are kept for a while, because more deliveries often follow; the more leases, the shorter. */
const maxIdleMs = 1_000

export function openEndpointLeases({ deps, db, completions, leaseMs }: EndpointLeasesOptions) {
  const { clock } = deps
  const endpoints = new Map<string, EndpointState>()
  const concurrencies = new LRUCache<string, number>({ max: 10_000 })
  const leases = openRenewedLeases({ deps, db, completions, leaseMs }, state => {
    if (endpoints.get(state.endpointId) === state) endpoints.delete(state.endpointId)
  })

  /** Returns true if there may be more endpoints to claim. */
  async function claim(): Promise<boolean> {
    const limit = Math.min(maxEndpoints - endpoints.size, claimBatchSize)
    if (limit <= 0) return false
    const claimed = await leases.claim(async () => {
      const rows = await claimEndpoints(db, { now: clock.now().toISOString(), limit, leaseMs })
      return rows.map(row => toEndpointState(row, concurrencies.get(row.endpointId)))
    })
    for (const state of claimed) endpoints.set(state.endpointId, state)
    await recover(claimed.filter(state => state.abandoned))
    return claimed.length === limit
  }

  /** Completes the deliveries that were in flight in a killed process. */
  async function recover(abandoned: readonly EndpointState[]): Promise<void> {
    if (abandoned.length === 0) return
    const now = clock.now().toISOString()
    for (const delivery of await listInterrupted(db, abandoned))
      completions.add(interrupted(delivery, now, oldestRetained(clock)), () => {})
    await completions.flushed()
  }

  async function release(states: readonly EndpointState[]): Promise<void> {
    if (states.length === 0) return
    const released = await releaseLeases(db, states, clock.now().toISOString())
    for (const state of states.filter(({ endpointId }) => released.has(endpointId))) {
      concurrencies.set(state.endpointId, state.concurrency)
      endpoints.delete(state.endpointId)
      leases.release(state)
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
    isValid: leases.isValid,
    claim,
    saveCircuits,
    /** Retries endpoints that are locked by other transactions; remaining leases expire. */
    async releaseAll(): Promise<void> {
      leases.close()
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
  }
}

function openRenewedLeases(
  { deps, db, leaseMs }: EndpointLeasesOptions,
  onLost: (state: EndpointState) => void,
): Leases<EndpointState> {
  const { log } = deps
  return openLeases<EndpointState>({
    name: 'webhooks',
    log,
    leaseMs: () => leaseMs,
    minLeaseMs: leaseMs,
    async renewMany(states) {
      const renewed = await renewLeases(db, states, leaseMs)
      return states.filter(state => renewed.has(state.endpointId))
    },
    // Waits for a row lock, so it must not use the connection that claims.
    renewOne: state => renewLease(deps.db, state, leaseMs),
    onLost(state) {
      log.warn({ tenantId: state.tenantId, endpointId: state.endpointId }, 'lost a webhook lease')
      onLost(state)
    },
  })
}

/**
 * Delivers webhooks in one process: leases endpoints with due deliveries, claims deliveries as fast as the endpoints
 * answer, and releases idle endpoints. Deliveries are marked as claimed before they are sent, so the next owner of a lease
 * finds the interrupted ones and retries them.
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
import { closeCircuit, invalidateEndpoint } from './endpoint-state.ts'
import { endpointLoader } from './endpoints.ts'
import { openEndpointLeases } from './leases.ts'

export interface DelivererOptions {
  connection: ConnectionConfig
  /** Maximum delay of a delivery whose notice was lost. */
  pollMs?: number
  /** Time until the endpoints of a killed process are taken over. */
  leaseMs?: number
}

export interface Deliverer {
  wake(): void
  stats(): { endpoints: number; calls: number }
  /** Stops claiming, waits up to the grace period for running calls, and releases all leases. */
  stop(graceMs: number): Promise<void>
}

const pauseAfterErrorMs = 200

export function startDeliverer(deps: Deps, options: DelivererOptions): Deliverer {
  const { clock, log, bus } = deps
  const { pollMs = 1_000, leaseMs = 6_000 } = options
  const db = connectForDelivery(options.connection, clock, '-c synchronous_commit=off')
  const durable = connectForDelivery(options.connection, clock)
  const signal = wakeSignal()
  const completions = openCompletionWriter({
    db: durable,
    signals: deps.db.signals,
    log,
    ensurePartitions: dailyPartitionCheck(deps),
  })
  const leases = openEndpointLeases({ deps, db, completions, leaseMs })
  const calls = openCalls({ deps, completions, isLeaseValid: leases.isValid, onChange: signal.notify })
  const claimOptions = { db, clock, endpoints: leases.endpoints, calls, loadEndpoints: endpointLoader(deps) }
  let stopped = false
  let mayHaveDue = true

  async function round(): Promise<void> {
    if (mayHaveDue) {
      mayHaveDue = false
      mayHaveDue = (await leases.claim()) || mayHaveDue
    }
    await claimDeliveries(claimOptions)
    await leases.saveCircuits()
    await leases.releaseIdle()
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      await round().catch(error => {
        log.warn({ err: error }, 'webhook delivery failed; retrying')
        mayHaveDue = true
        return new Promise(resolve => setTimeout(resolve, pauseAfterErrorMs))
      })
      await signal.wait(pollMs)
    }
  }

  function onNotice({ tenantId, endpointIds, endpointChanged, circuitClosed }: EndpointNotice): void {
    const noticed = endpointIds
      ? endpointIds.map(id => leases.endpoints.get(id))
      : [...leases.endpoints.values()].filter(state => state.tenantId === tenantId)
    for (const state of noticed) {
      if (state) state.mayHaveMore = true
      else mayHaveDue = true
      if (state && endpointChanged) invalidateEndpoint(state)
      if (state && circuitClosed) closeCircuit(state)
    }
    signal.notify()
  }

  function wake(): void {
    for (const state of leases.endpoints.values()) state.mayHaveMore = true
    mayHaveDue = true
    signal.notify()
  }

  const poll = setInterval(wake, pollMs)
  const unsubscribe = subscribeToNotices(bus, onNotice, wake)
  const looping = loop()

  return {
    wake,
    stats: () => ({ endpoints: leases.endpoints.size, calls: calls.countRunning() }),
    async stop(graceMs) {
      stopped = true
      unsubscribe()
      signal.notify()
      await looping
      for (const state of leases.endpoints.values()) calls.returnQueued(state)
      await calls.stop(graceMs)
      await completions.flushed()
      clearInterval(poll)
      await leases.releaseAll()
      await Promise.all([db.close(), durable.close()])
    },
  }
}

/**
 * Forces index plans, which are right for every statement here, also if it was planned on empty tables. Leases and claims
 * use asynchronous commit: losing them in a database crash is harmless.
 */
function connectForDelivery(connection: ConnectionConfig, clock: Clock, settings = ''): Db {
  const plans = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_bitmapscan', 'jit']
  const off = plans.map(name => `-c ${name}=off`).join(' ')
  const generic = '-c plan_cache_mode=force_generic_plan'
  const options = [connection.options, off, generic, settings].filter(Boolean).join(' ')
  return connectDb({ connection: { ...connection, options }, clock, readers: 1, writers: 1 })
}

/**
 * In-memory state of a leased endpoint. Its concurrency grows with each success and halves with each failure, so a
 * hanging endpoint never occupies many calls.
 */

import type { ClaimedDelivery } from '../store/deliveries.ts'
import type { ClaimedEndpoint, EndpointLease } from '../store/endpoint-state.ts'
import type { Endpoint } from './call-endpoint.ts'
import {
  type CircuitState,
  circuitAfterFailure,
  closedCircuit,
  isHalfOpen,
  isOpen,
} from './circuit-breaker.ts'

export interface EndpointState extends EndpointLease {
  /** The lease of the last owner expired. */
  abandoned: boolean
  /** Undefined before it is loaded and while it is being disabled. */
  endpoint: Endpoint | undefined
  /** No enabled endpoint was found when it was loaded. */
  disabled: boolean
  /** `-Infinity` when it must be loaded again. */
  loadedAt: number
  circuit: CircuitState
  /** The circuit state is not stored yet. */
  circuitChanged: boolean
  concurrency: number
  /** Deliveries claimed in addition to the concurrency. */
  prefetch: number
  /** Claimed deliveries without a call. */
  queue: ClaimedDelivery[]
  inFlight: number
  /** Total number of ended calls. */
  completed: number
  /** Claimed deliveries whose completion is not stored yet. */
  unfinished: number
  mayHaveMore: boolean
  /** Start of the next index scan; earlier deliveries have been claimed. */
  scanFrom: string
  /** Time of the last scan from the beginning. */
  fullScanAt: number
  idleSince: number
}

const never = Number.NEGATIVE_INFINITY
const initialConcurrency = 2
/** Limited by the connections of the outbound client per endpoint. */
const maxConcurrency = 16
const minPrefetch = 2
const maxPrefetch = 8 * maxConcurrency
const endpointTtlMs = 1_000
const epoch = '1970-01-01T00:00:00.000Z'
/** Deliveries of transactions that take longer are found by the next full scan. */
const scanOverlapMs = 2_000
const fullScanIntervalMs = 5_000

export function toEndpointState(claimed: ClaimedEndpoint, concurrency = initialConcurrency): EndpointState {
  const { tenantId, endpointId, token, abandoned, ...circuit } = claimed
  return {
    tenantId,
    endpointId,
    token,
    abandoned,
    endpoint: undefined,
    disabled: false,
    loadedAt: never,
    circuit,
    circuitChanged: false,
    concurrency,
    prefetch: concurrency,
    queue: [],
    inFlight: 0,
    completed: 0,
    unfinished: 0,
    mayHaveMore: true,
    scanFrom: epoch,
    fullScanAt: never,
    idleSince: performance.now(),
  }
}

/** True if the loaded endpoint is disabled and no change was announced since. */
export function isDisabled({ disabled, loadedAt }: EndpointState): boolean {
  return disabled && loadedAt !== never
}

export function getConcurrency(state: EndpointState, now: Date): number {
  if (!state.endpoint || isOpen(state.circuit, now)) return 0
  return isHalfOpen(state.circuit) ? 1 : state.concurrency
}

export function getFreeSlots(state: EndpointState, now: Date): number {
  if (!state.mayHaveMore || isDisabled(state) || isOpen(state.circuit, now)) return 0
  return Math.max(0, getCapacity(state) - state.queue.length - state.inFlight)
}

/** True if half the capacity is free; avoids many small claims. */
export function shouldClaim(state: EndpointState, slots: number): boolean {
  return slots > 0 && slots * 2 >= getCapacity(state)
}

function getCapacity(state: EndpointState): number {
  return isHalfOpen(state.circuit) ? 1 : state.concurrency + state.prefetch
}

/** True if nothing is in flight or can be claimed now. */
export function isIdle(state: EndpointState, now: Date): boolean {
  return state.unfinished === 0 && (!state.mayHaveMore || isDisabled(state) || isOpen(state.circuit, now))
}

/**
 * Sets the prefetch by the number of calls that ended during the last claim. More would be logged as interrupted if the
 * process were killed. An empty queue means that more calls could have run.
 */
export function adjustPrefetch(state: EndpointState, calls: number): void {
  const wanted = state.queue.length > 0 ? calls * 1.5 : calls * 2
  state.prefetch = Math.max(minPrefetch, Math.min(maxPrefetch, Math.ceil(wanted)))
}

/**
 * Returns the start of the next scan. A scan from the beginning reads all index entries that vacuum has not removed yet,
 * so it runs only every few seconds.
 */
export function startScan(state: EndpointState): string {
  if (performance.now() - state.fullScanAt < fullScanIntervalMs) return state.scanFrom
  state.fullScanAt = performance.now()
  return epoch
}

export function advanceScan(state: EndpointState, deliveries: readonly ClaimedDelivery[]): void {
  const [first] = deliveries
  if (first) state.scanFrom = new Date(Date.parse(first.dueAt) - scanOverlapMs).toISOString()
}

export function isEndpointStale(state: EndpointState): boolean {
  return performance.now() - state.loadedAt > endpointTtlMs
}

export function invalidateEndpoint(state: EndpointState): void {
  state.loadedAt = never
}

/** Sets the loaded endpoint; undefined if none is enabled. Another URL or a re-enabled endpoint resets the circuit. */
export function setEndpoint(state: EndpointState, endpoint: Endpoint | undefined): void {
  const urlChanged = state.endpoint && endpoint && state.endpoint.url !== endpoint.url
  if (urlChanged || (state.disabled && endpoint)) resetCircuit(state)
  state.endpoint = endpoint
  state.disabled = endpoint === undefined
  state.loadedAt = performance.now()
}

export function resetCircuit(state: EndpointState): void {
  state.circuit = closedCircuit
  state.circuitChanged = false
  state.concurrency = initialConcurrency
}

/** Closes the circuit on request; stored again, because a save may have been in flight. */
export function closeCircuit(state: EndpointState): void {
  resetCircuit(state)
  state.circuitChanged = true
}

export function recordSuccess(state: EndpointState): void {
  state.concurrency = Math.min(maxConcurrency, state.concurrency + 1)
  if (state.circuit.failedAt === null) return
  state.circuit = closedCircuit
  state.circuitChanged = true
}

export function recordFailure(state: EndpointState, now: Date): void {
  state.concurrency = Math.max(1, Math.floor(state.concurrency / 2))
  state.circuit = circuitAfterFailure(state.circuit, now)
  state.circuitChanged = true
}

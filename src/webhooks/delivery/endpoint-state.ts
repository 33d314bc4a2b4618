/**
 * A workspace whose deliveries this process makes, alone, for as long as its lease lasts. How many calls run at once
 * grows with each that arrives and shrinks with each that fails, so a receiver that hangs never holds many places.
 */
import type { Endpoint } from '../call-endpoint.ts'
import {
  type CircuitState,
  circuitAfterFailure,
  closedCircuit,
  isHalfOpen,
  isOpen,
} from '../circuit-breaker.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'
import type { ClaimedEndpoint, EndpointLease } from '../store/endpoint-state.ts'

export interface EndpointState extends EndpointLease {
  /** The end of the lease, on the monotonic clock, counted from before the claim was sent. */
  leaseUntil: number
  /** Undefined before the first look and while it is being disabled. */
  endpoint: Endpoint | undefined
  /** There was no enabled receiver when it was read. */
  parked: boolean
  /** When the receiver was read; long ago when it is to be read again. */
  loadedAt: number
  circuit: CircuitState
  /** The health is not yet stored. */
  circuitChanged: boolean
  concurrency: number
  /** How much more than that is taken, so that there is always a next one. */
  prefetch: number
  /** Taken, not yet called. */
  queue: ClaimedDelivery[]
  inFlight: number
  /** Calls that ended, in all. */
  completed: number
  /** Taken, and how it went is not yet stored. */
  unfinished: number
  /** There may be more due. */
  mayHaveMore: boolean
  /** What was due before this has been taken, as far as we have seen. */
  scanFrom: string
  /** When we last looked from the beginning. */
  fullScanAt: number
  idleSince: number
}

const longAgo = Number.NEGATIVE_INFINITY
const initialConcurrency = 2
/** The outbound client has no more connections for one receiver. */
const maxConcurrency = 16
const minPrefetch = 2
const maxPrefetch = 8 * maxConcurrency
const endpointTtlMs = 1_000
const epoch = '1970-01-01T00:00:00.000Z'
/** A transaction that takes longer adds something before the floor; the next sweep finds it. */
const scanOverlapMs = 2_000
const fullScanIntervalMs = 5_000

export function toEndpointState(
  claimed: ClaimedEndpoint,
  until: number,
  window = initialConcurrency,
): EndpointState {
  const { tenantId, token, abandoned: _, ...health } = claimed
  const unread = { endpoint: undefined, parked: false, loadedAt: longAgo }
  const still = {
    queue: [],
    inFlight: 0,
    completed: 0,
    unfinished: 0,
    mayHaveMore: true,
    idleSince: performance.now(),
  }
  const unseen = { scanFrom: epoch, fullScanAt: longAgo }
  return {
    tenantId,
    token,
    leaseUntil: until,
    circuit: health,
    circuitChanged: false,
    concurrency: window,
    prefetch: window,
    ...unread,
    ...still,
    ...unseen,
  }
}

/** There is no enabled receiver, as far as we have been told. */
export function isDisabled({ parked, loadedAt: readAt }: EndpointState): boolean {
  return parked && readAt !== longAgo
}

/** Calls that may run at once, now. */
export function getConcurrency(lane: EndpointState, now: Date): number {
  if (!lane.endpoint || isOpen(lane.circuit, now)) return 0
  return isHalfOpen(lane.circuit) ? 1 : lane.concurrency
}

/** Deliveries that could be taken now. */
export function getFreeSlots(lane: EndpointState, now: Date): number {
  if (!lane.mayHaveMore || isDisabled(lane) || isOpen(lane.circuit, now)) return 0
  return Math.max(0, capacity(lane) - lane.queue.length - lane.inFlight)
}

/** It is time to take: else there would be many takes of a few. */
export function shouldClaim(lane: EndpointState, room: number): boolean {
  return room > 0 && room * 2 >= capacity(lane)
}

function capacity(lane: EndpointState): number {
  return isHalfOpen(lane.circuit) ? 1 : lane.concurrency + lane.prefetch
}

/** Nothing under way, and nothing to do right now. */
export function isIdle(lane: EndpointState, now: Date): boolean {
  return lane.unfinished === 0 && (!lane.mayHaveMore || isDisabled(lane) || isOpen(lane.circuit, now))
}

/**
 * So many calls ended while more was being taken: about as many have to be at hand next time, and not many more, as
 * what is at hand counts as under way should we be killed. With nothing left it might have been more.
 */
export function adjustPrefetch(lane: EndpointState, calls: number): void {
  const wanted = lane.queue.length > 0 ? calls * 1.5 : calls * 2
  lane.prefetch = Math.max(minPrefetch, Math.min(maxPrefetch, Math.ceil(wanted)))
}

/**
 * From when on to read what is due. From the beginning one walks over everything that was dealt with since the last
 * vacuum, and while somebody holds an old snapshot there is none: so that happens every few seconds only.
 */
export function startScan(lane: EndpointState): string {
  if (performance.now() - lane.fullScanAt < fullScanIntervalMs) return lane.scanFrom
  lane.fullScanAt = performance.now()
  return epoch
}

export function advanceScan(lane: EndpointState, taken: readonly ClaimedDelivery[]): void {
  const [first] = taken
  if (first) lane.scanFrom = new Date(Date.parse(first.dueAt) - scanOverlapMs).toISOString()
}

export function isEndpointStale(lane: EndpointState): boolean {
  return performance.now() - lane.loadedAt > endpointTtlMs
}

export function invalidateEndpoint(lane: EndpointState): void {
  lane.loadedAt = longAgo
}

/** As it is set now; undefined when there is none that is enabled. */
export function setEndpoint(lane: EndpointState, receiver: Endpoint | undefined): void {
  const another = lane.endpoint && receiver && lane.endpoint.url !== receiver.url
  if (another || (lane.parked && receiver)) resetCircuit(lane)
  lane.endpoint = receiver
  lane.parked = receiver === undefined
  lane.loadedAt = performance.now()
}

/** Another receiver, or one that was enabled again: what was known of it does not count. */
export function resetCircuit(lane: EndpointState): void {
  lane.circuit = closedCircuit
  lane.circuitChanged = false
  lane.concurrency = initialConcurrency
}

export function recordSuccess(lane: EndpointState): void {
  lane.concurrency = Math.min(maxConcurrency, lane.concurrency + 1)
  if (lane.circuit.failedAt === null) return
  lane.circuit = closedCircuit
  lane.circuitChanged = true
}

export function recordFailure(lane: EndpointState, now: Date): void {
  lane.concurrency = Math.max(1, Math.floor(lane.concurrency / 2))
  lane.circuit = circuitAfterFailure(lane.circuit, now)
  lane.circuitChanged = true
}

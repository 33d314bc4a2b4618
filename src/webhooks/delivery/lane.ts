/**
 * A workspace whose deliveries this process makes, alone, for as long as its lease lasts. How many calls run at once
 * grows with each that arrives and shrinks with each that fails, so a receiver that hangs never holds many places.
 */
import type { Receiver } from '../attempt.ts'
import { afterFailure, type Health, healthy, isBlocked, isDoubtful } from '../health.ts'
import type { Taken } from '../store/deliveries.ts'
import type { ClaimedLane, LaneKey } from '../store/lanes.ts'

export interface Lane extends LaneKey {
  /** The end of the lease, on the monotonic clock, counted from before the claim was sent. */
  until: number
  /** Undefined before the first look and while it is being disabled. */
  receiver: Receiver | undefined
  /** There was no enabled receiver when it was read. */
  parked: boolean
  /** When the receiver was read; long ago when it is to be read again. */
  readAt: number
  health: Health
  /** The health is not yet stored. */
  unsaved: boolean
  window: number
  /** How much more than that is taken, so that there is always a next one. */
  ahead: number
  /** Taken, not yet called. */
  queue: Taken[]
  calls: number
  /** Calls that ended, in all. */
  ended: number
  /** Taken, and how it went is not yet stored. */
  open: number
  /** There may be more due. */
  hungry: boolean
  /** What was due before this has been taken, as far as we have seen. */
  floor: string
  /** When we last looked from the beginning. */
  sweptAt: number
  idleSince: number
}

const longAgo = Number.NEGATIVE_INFINITY
const firstWindow = 2
/** The outbound client has no more connections for one receiver. */
const widestWindow = 16
const fewestAhead = 2
const mostAhead = 8 * widestWindow
const receiverIsFreshMs = 1_000
const beginning = '1970-01-01T00:00:00.000Z'
/** A transaction that takes longer adds something before the floor; the next sweep finds it. */
const belowMs = 2_000
const sweepEveryMs = 5_000

export function openLane(claimed: ClaimedLane, until: number, window = firstWindow): Lane {
  const { tenantId, token, abandoned: _, ...health } = claimed
  const unread = { receiver: undefined, parked: false, readAt: longAgo }
  const still = { queue: [], calls: 0, ended: 0, open: 0, hungry: true, idleSince: performance.now() }
  const unseen = { floor: beginning, sweptAt: longAgo }
  return {
    tenantId,
    token,
    until,
    health,
    unsaved: false,
    window,
    ahead: window,
    ...unread,
    ...still,
    ...unseen,
  }
}

/** There is no enabled receiver, as far as we have been told. */
export function isParked({ parked, readAt }: Lane): boolean {
  return parked && readAt !== longAgo
}

/** Calls that may run at once, now. */
export function width(lane: Lane, now: Date): number {
  if (!lane.receiver || isBlocked(lane.health, now)) return 0
  return isDoubtful(lane.health) ? 1 : lane.window
}

/** Deliveries that could be taken now. */
export function roomOf(lane: Lane, now: Date): number {
  if (!lane.hungry || isParked(lane) || isBlocked(lane.health, now)) return 0
  return Math.max(0, capacity(lane) - lane.queue.length - lane.calls)
}

/** It is time to take: else there would be many takes of a few. */
export function isLow(lane: Lane, room: number): boolean {
  return room > 0 && room * 2 >= capacity(lane)
}

function capacity(lane: Lane): number {
  return isDoubtful(lane.health) ? 1 : lane.window + lane.ahead
}

/** Nothing under way, and nothing to do right now. */
export function isIdle(lane: Lane, now: Date): boolean {
  return lane.open === 0 && (!lane.hungry || isParked(lane) || isBlocked(lane.health, now))
}

/**
 * So many calls ended while more was being taken: about as many have to be at hand next time, and not many more, as
 * what is at hand counts as under way should we be killed. With nothing left it might have been more.
 */
export function noteEnded(lane: Lane, calls: number): void {
  const wanted = lane.queue.length > 0 ? calls * 1.5 : calls * 2
  lane.ahead = Math.max(fewestAhead, Math.min(mostAhead, Math.ceil(wanted)))
}

/**
 * From when on to read what is due. From the beginning one walks over everything that was dealt with since the last
 * vacuum, and while somebody holds an old snapshot there is none: so that happens every few seconds only.
 */
export function floorOf(lane: Lane): string {
  if (performance.now() - lane.sweptAt < sweepEveryMs) return lane.floor
  lane.sweptAt = performance.now()
  return beginning
}

export function raiseFloor(lane: Lane, taken: readonly Taken[]): void {
  const [first] = taken
  if (first) lane.floor = new Date(Date.parse(first.dueAt) - belowMs).toISOString()
}

export function isStale(lane: Lane): boolean {
  return performance.now() - lane.readAt > receiverIsFreshMs
}

export function makeStale(lane: Lane): void {
  lane.readAt = longAgo
}

/** As it is set now; undefined when there is none that is enabled. */
export function useReceiver(lane: Lane, receiver: Receiver | undefined): void {
  const another = lane.receiver && receiver && lane.receiver.url !== receiver.url
  if (another || (lane.parked && receiver)) beginAnew(lane)
  lane.receiver = receiver
  lane.parked = receiver === undefined
  lane.readAt = performance.now()
}

/** Another receiver, or one that was enabled again: what was known of it does not count. */
export function beginAnew(lane: Lane): void {
  lane.health = healthy
  lane.unsaved = false
  lane.window = firstWindow
}

export function noteSuccess(lane: Lane): void {
  lane.window = Math.min(widestWindow, lane.window + 1)
  if (lane.health.failedAt === null) return
  lane.health = healthy
  lane.unsaved = true
}

export function noteFailure(lane: Lane, now: Date): void {
  lane.window = Math.max(1, Math.floor(lane.window / 2))
  lane.health = afterFailure(lane.health, now)
  lane.unsaved = true
}

/**
 * How the receiver of a workspace does. After several failures in a row, with nothing but failures in between, it is
 * left alone for a while, longer each time, and then asked with one delivery at a time until one arrives: a dead
 * receiver costs one attempt every few minutes, however much is waiting for it. Five days of it end it.
 */
export interface CircuitState {
  /** Failures in a row. */
  consecutiveFailures: number
  /** How often in a row it was left alone. */
  backoffLevel: number
  circuitOpenUntil: string | null
  failedAt: string | null
  /** The first failure since the last success. */
  failingSince: string | null
}

export const closedCircuit: CircuitState = {
  consecutiveFailures: 0,
  backoffLevel: 0,
  circuitOpenUntil: null,
  failedAt: null,
  failingSince: null,
}

const minute = 60_000
const day = 24 * 60 * minute
/** More than one event that nobody can digest would bring about in a row. */
const failureThreshold = 10
/** Failures further apart than this are no row: they are the retries of one event. */
const maxFailureGapMs = 5 * minute
const minBackoffMs = 5_000
const maxBackoffMs = 5 * minute
const disableAfterMs = 5 * day

const msSince = (from: string, now: Date) => now.getTime() - Date.parse(from)

export function isOpen({ circuitOpenUntil: blockedUntil }: CircuitState, now: Date): boolean {
  return blockedUntil !== null && msSince(blockedUntil, now) < 0
}

/** To be asked with one delivery at a time. */
export function isHalfOpen({ consecutiveFailures: streak }: CircuitState): boolean {
  return streak >= failureThreshold
}

export function circuitAfterFailure(health: CircuitState, now: Date): CircuitState {
  if (isOpen(health, now)) return health // it was under way before
  const { failedAt } = health
  const alone = failedAt === null || (msSince(failedAt, now) > maxFailureGapMs && !isHalfOpen(health))
  const streak = alone ? 1 : health.consecutiveFailures + 1
  const forgotten = failedAt === null || msSince(failedAt, now) > disableAfterMs
  const failing = {
    ...health,
    streak,
    failedAt: now.toISOString(),
    failingSince: forgotten ? now.toISOString() : (health.failingSince ?? now.toISOString()),
  }
  return streak < failureThreshold ? failing : openCircuit(failing, now)
}

function openCircuit(health: CircuitState, now: Date): CircuitState {
  const ms = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(health.backoffLevel, 20))
  const until = now.getTime() + Math.round(ms * (0.8 + Math.random() * 0.4))
  return { ...health, backoffLevel: health.backoffLevel + 1, circuitOpenUntil: new Date(until).toISOString() }
}

/** Nothing has arrived for five days, and it was tried over that time. */
export function shouldDisable({ failingSince }: CircuitState, now: Date): boolean {
  return failingSince !== null && msSince(failingSince, now) >= disableAfterMs
}

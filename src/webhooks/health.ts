/**
 * How the receiver of a workspace does. After several failures in a row, with nothing but failures in between, it is
 * left alone for a while, longer each time, and then asked with one delivery at a time until one arrives: a dead
 * receiver costs one attempt every few minutes, however much is waiting for it. Five days of it end it.
 */
export interface Health {
  /** Failures in a row. */
  streak: number
  /** How often in a row it was left alone. */
  blocks: number
  blockedUntil: string | null
  failedAt: string | null
  /** The first failure since the last success. */
  failingSince: string | null
}

export const healthy: Health = {
  streak: 0,
  blocks: 0,
  blockedUntil: null,
  failedAt: null,
  failingSince: null,
}

const minute = 60_000
const day = 24 * 60 * minute
/** More than one event that nobody can digest would bring about in a row. */
const patience = 10
/** Failures further apart than this are no row: they are the retries of one event. */
const apart = 5 * minute
const firstBlockMs = 5_000
const longestBlockMs = 5 * minute
const fiveDays = 5 * day

const msSince = (from: string, now: Date) => now.getTime() - Date.parse(from)

export function isBlocked({ blockedUntil }: Health, now: Date): boolean {
  return blockedUntil !== null && msSince(blockedUntil, now) < 0
}

/** To be asked with one delivery at a time. */
export function isDoubtful({ streak }: Health): boolean {
  return streak >= patience
}

export function afterFailure(health: Health, now: Date): Health {
  if (isBlocked(health, now)) return health // it was under way before
  const { failedAt } = health
  const alone = failedAt === null || (msSince(failedAt, now) > apart && !isDoubtful(health))
  const streak = alone ? 1 : health.streak + 1
  const forgotten = failedAt === null || msSince(failedAt, now) > fiveDays
  const failing = {
    ...health,
    streak,
    failedAt: now.toISOString(),
    failingSince: forgotten ? now.toISOString() : (health.failingSince ?? now.toISOString()),
  }
  return streak < patience ? failing : block(failing, now)
}

function block(health: Health, now: Date): Health {
  const ms = Math.min(longestBlockMs, firstBlockMs * 2 ** Math.min(health.blocks, 20))
  const until = now.getTime() + Math.round(ms * (0.8 + Math.random() * 0.4))
  return { ...health, blocks: health.blocks + 1, blockedUntil: new Date(until).toISOString() }
}

/** Nothing has arrived for five days, and it was tried over that time. */
export function isHopeless({ failingSince }: Health, now: Date): boolean {
  return failingSince !== null && msSince(failingSince, now) >= fiveDays
}

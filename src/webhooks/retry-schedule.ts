/** When the next attempt is made: ten in about three days, each a little early or late so that they do not come in herds. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Before each attempt, counted from the end of the one before. */
export const retryDelaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
const jitter = 0.2
const maxRetryAfterMs = 24 * hour

/** Undefined when it has been tried often enough. A receiver that asks for more time gets it. */
export function getRetryDelayMs(
  failures: number,
  retryAfterMs = 0,
  random = Math.random(),
): number | undefined {
  const delay = retryDelaysMs[failures]
  if (delay === undefined) return undefined
  return Math.max(Math.round(delay * (1 - jitter + 2 * jitter * random)), retryAfterMs)
}

/** `Retry-After` in seconds or as a date, cut at a day; undefined when it says nothing. */
export function parseRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined
}

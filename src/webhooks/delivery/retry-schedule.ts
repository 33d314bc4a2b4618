/** Retry schedule: ten attempts in about three days, with jitter. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Delay before each attempt, from the end of the previous one. */
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

/** Returns the delay after this many failures; undefined after the last attempt. `Retry-After` sets a minimum. */
export function getRetryDelayMs(
  failures: number,
  retryAfterMs = 0,
  random = Math.random(),
): number | undefined {
  const delay = retryDelaysMs[failures]
  if (delay === undefined) return undefined
  return Math.max(Math.round(delay * (1 - jitter + 2 * jitter * random)), retryAfterMs)
}

/** Parses seconds or a date, limited to one day; undefined if the header is missing, invalid or in the past. */
export function parseRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined
}

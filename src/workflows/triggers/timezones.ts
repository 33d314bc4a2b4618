/** Converts between instants and local dates and times of a time zone. */
import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'
import { type Violation, violation } from '../../platform/errors.ts'

export function timezoneViolations(path: string, timezone: string | undefined): Violation[] {
  try {
    if (timezone !== undefined) getFormat(timezone)
    return []
  } catch {
    return [violation(path, 'unknown_timezone', 'must be a time zone such as Europe/Madrid')]
  }
}

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

function getFormat(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })
    formats.set(timezone, format)
  }
  return format
}

/** Returns the local date as `2026-01-31`. Every due date trigger needs one: `Intl` takes 8 µs, Temporal 67 µs. */
export function toLocalDate(timezone: string, at: Date): string {
  return getFormat(timezone).format(at)
}

const instants = new LRUCache<string, number>({ max: 1_000 })

/**
 * Returns the instant of a local date and time. A time that daylight saving skips is moved past the gap; of a time that
 * occurs twice, the first occurrence counts.
 */
export function toInstant(timezone: string, day: string, time: string): Date {
  const key = `${timezone} ${day}T${time}`
  let ms = instants.get(key)
  if (ms === undefined) {
    ms = Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timezone).epochMilliseconds
    instants.set(key, ms)
  }
  return new Date(ms)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

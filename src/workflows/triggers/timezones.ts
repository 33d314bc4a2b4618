/** Days and times of day where people live. */
import { type Violation, violation } from '../../platform/errors.ts'

export function timezoneViolations(path: string, timezone: string | undefined): Violation[] {
  try {
    if (timezone !== undefined) new Intl.DateTimeFormat('en', { timeZone: timezone })
    return []
  } catch {
    return [violation(path, 'unknown_timezone', 'must be a time zone such as Europe/Madrid')]
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function getFormat(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    formats.set(timezone, format)
  }
  return format
}

/** As the clock on the wall shows it: `2026-01-31 09:30:00`. */
export function toLocalTime(timezone: string, at: Date): string {
  return getFormat(timezone).format(at)
}

/** The moment when the wall shows this day and time; in the hour that is skipped in spring, the moment after it. */
export function toInstant(timezone: string, day: string, time: string): Date {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  const shownAt = (ms: number) => Date.parse(`${toLocalTime(timezone, new Date(ms)).replace(' ', 'T')}Z`)
  let guess = wanted - (shownAt(wanted) - wanted)
  guess -= shownAt(guess) - wanted
  return new Date(guess)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

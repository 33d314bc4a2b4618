/** Ranges of whole days in the time zone of the workspace. */

export interface Range {
  /** Dates such as 2026-01-31, both included. */
  from: string
  to: string
}

const dayMs = 86_400_000
const maxDays = 366

/** Returns the difference between the local time of the zone and UTC at that moment. */
function getOffset(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = parts
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000
}

/** Returns the moment at which the date begins in the zone. */
export function toInstant(date: string, timeZone: string): string {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const guess = midnight - getOffset(midnight, timeZone)
  // The offset may change between the guess and midnight.
  return new Date(midnight - getOffset(guess, timeZone)).toISOString()
}

/** Returns the date of the moment in the zone. */
export function toDate(ms: number, timeZone: string): string {
  return new Date(ms + getOffset(ms, timeZone)).toISOString().slice(0, 10)
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The last days, today included. */
export function lastDays(days: number, timeZone: string, now = Date.now()): Range {
  const to = toDate(now, timeZone)
  return { from: addDays(to, 1 - days), to }
}

export function isValid({ from, to }: Range): boolean {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return days >= 1 && days < maxDays
}

export function listDates({ from, to }: Range): string[] {
  const dates: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}

/** Returns the text if it is a date. */
export function parseDate(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  return Number.isNaN(Date.parse(`${text}T00:00:00Z`)) ? undefined : text
}

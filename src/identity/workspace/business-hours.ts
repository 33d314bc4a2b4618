/** Business hours: windows of weekdays in the time zone of the workspace. */
import type { Static } from 'typebox'
import type { BusinessHours } from './workspace-settings.ts'

/** Returns whether the time is within one of the windows; without windows it always is. */
export function isWithinHours(
  hours: Static<typeof BusinessHours> | null,
  timezone: string,
  at: Date,
): boolean {
  if (hours === null) return true
  return isWithin(hours, readLocalTime(createFormat(timezone), at))
}

const minute = 60_000
const stepMs = 15 * minute
const searchMs = 8 * 24 * 60 * minute

/** Returns the first minute within one of the windows, within eight days; undefined if there is none. */
export function findNextOpening(
  hours: Static<typeof BusinessHours>,
  timezone: string,
  after: Date,
): Date | undefined {
  const format = createFormat(timezone)
  const isOpen = (ms: number) => isWithin(hours, readLocalTime(format, new Date(ms)))
  const start = Math.ceil(after.getTime() / minute) * minute
  for (let at = start; at <= start + searchMs; at += stepMs) {
    if (!isOpen(at)) continue
    let first = at
    while (first > start && isOpen(first - minute)) first -= minute
    return new Date(first)
  }
  return undefined
}

function isWithin(hours: Static<typeof BusinessHours>, { day, time }: LocalTime): boolean {
  return hours.some(({ days, from, to }) => days.some(name => name === day) && from <= time && time < to)
}

interface LocalTime {
  /** Such as `mon`. */
  day: string
  /** Such as `09:30`. */
  time: string
}

const createFormat = (timezone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })

function readLocalTime(format: Intl.DateTimeFormat, at: Date): LocalTime {
  const parts = format.formatToParts(at)
  const get = (type: string) => parts.find(part => part.type === type)!.value
  return { day: get('weekday').toLowerCase(), time: `${get('hour')}:${get('minute')}` }
}

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
  const { day, time } = toLocalTime(timezone, at)
  return hours.some(({ days, from, to }) => days.some(name => name === day) && from <= time && time < to)
}

/** Returns the weekday, such as `mon`, and the time of day, such as `09:30`. */
function toLocalTime(timezone: string, at: Date): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const get = (type: string) => parts.find(part => part.type === type)!.value
  return { day: get('weekday').toLowerCase(), time: `${get('hour')}:${get('minute')}` }
}

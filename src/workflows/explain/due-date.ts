/** Explains when the date of a contact starts a journey with the trigger `date_reached`. */
import { addDays, toInstant, toLocalDate } from '../triggers/timezones.ts'
import type { TriggerConfig } from '../triggers/trigger-type.ts'
import type { Reason } from './entry-mode.ts'

interface DateTrigger {
  offsetDays?: number
  at?: string
  timezone?: string
  yearly?: boolean
}

/** Returns why the journey does not start now: its time is in the future or in the past, or there is no date. */
export function explainDueDate(trigger: TriggerConfig, value: string | undefined, now: Date): Reason {
  if (!value) return { code: 'date_missing', message: 'the contact has no date in the field of the trigger' }
  const due = getDueTime(trigger as DateTrigger, value.slice(0, 10), now)
  return due > now
    ? { code: 'date_not_due', message: `the date is reached at ${due.toISOString()}` }
    : { code: 'date_passed', message: `the date was reached at ${due.toISOString()}` }
}

/** Returns the next time, or the only one if the trigger is not yearly. */
function getDueTime(
  { offsetDays = 0, at = '09:00', timezone = 'UTC', yearly = false }: DateTrigger,
  date: string,
  now: Date,
): Date {
  const toTime = (day: string) => toInstant(timezone, addDays(day, offsetDays), at)
  if (!yearly) return toTime(date)
  let year = Number(addDays(toLocalDate(timezone, now), -offsetDays).slice(0, 4)) - 1
  while (toTime(toAnniversary(date, year)) <= now) year++
  return toTime(toAnniversary(date, year))
}

/** 29 February counts as 28 February in years that are not leap years. */
function toAnniversary(date: string, year: number): string {
  const isLeapYear = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  const monthDay = date.slice(5)
  return `${year}-${monthDay === '02-29' && !isLeapYear ? '02-28' : monthDay}`
}

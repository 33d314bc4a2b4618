/** Formats times and numbers in the current language. Formatters are created once: they are expensive. */
import { language } from './i18n.ts'

type Formatters = ReturnType<typeof create>
let current: { language: string; formatters: Formatters } | undefined

function create(tag: string) {
  return {
    time: new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit' }),
    timeOfSecond: new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    exactTime: new Intl.DateTimeFormat(tag, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
    }),
    weekday: new Intl.DateTimeFormat(tag, { weekday: 'short' }),
    date: new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' }),
    day: new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long' }),
    dayOfYear: new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric' }),
    relative: new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }),
    dateTime: new Intl.DateTimeFormat(tag, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
    dateTimeOfYear: new Intl.DateTimeFormat(tag, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    }),
    full: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }),
    number: new Intl.NumberFormat(tag),
  }
}

function formatters(): Formatters {
  const tag = navigator.languages.find(item => item.startsWith(language.get())) ?? language.get()
  if (current?.language !== tag) current = { language: tag, formatters: create(tag) }
  return current.formatters
}

const startOfDay = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
const daysBetween = (a: Date, b: Date) => Math.round((startOfDay(b) - startOfDay(a)) / 86_400_000)

/** The time today, the weekday within a week, otherwise the date: for list rows. */
export function formatWhen(timestamp: string, now = new Date()): string {
  const time = new Date(timestamp)
  const days = daysBetween(time, now)
  if (days === 0) return formatters().time.format(time)
  return days > 0 && days < 7 ? formatters().weekday.format(time) : formatters().date.format(time)
}

/** "Today", "Yesterday" or the date: for separators between days. */
export function formatDay(timestamp: string, now = new Date()): string {
  const time = new Date(timestamp)
  const days = daysBetween(time, now)
  const { relative, day, dayOfYear } = formatters()
  if (days === 0 || days === 1) {
    const text = relative.format(-days, 'day')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  return (time.getFullYear() === now.getFullYear() ? day : dayOfYear).format(time)
}

export const isSameDay = (a: string, b: string) => startOfDay(new Date(a)) === startOfDay(new Date(b))
export const formatTime = (timestamp: string) => formatters().time.format(new Date(timestamp))
/** With milliseconds; providers report whole seconds. */
export function formatExactTime(timestamp: string): string {
  const time = new Date(timestamp)
  const { exactTime, timeOfSecond } = formatters()
  return (time.getMilliseconds() === 0 ? timeOfSecond : exactTime).format(time)
}
/** A time in the future or on another day, such as "Mon, 3 Nov, 09:00", with the year if it is another one. */
export function formatDateTime(time: Date, now = new Date()): string {
  const { dateTime, dateTimeOfYear } = formatters()
  return (time.getFullYear() === now.getFullYear() ? dateTime : dateTimeOfYear).format(time)
}
/** A day of the current year, such as "3 Nov". */
export const formatShortDate = (timestamp: string) => formatters().date.format(new Date(timestamp))
export const formatFull = (timestamp: string) => formatters().full.format(new Date(timestamp))

/** The name of a weekday, from 1 for Monday. 1 January 2024 was a Monday. */
export const formatWeekday = (weekday: number) => formatters().weekday.format(new Date(2024, 0, weekday))

/** A day with its year, such as "3 November 2026". */
export const formatDate = (timestamp: string) => formatters().dayOfYear.format(new Date(timestamp))
export const formatNumber = (value: number) => formatters().number.format(value)

/** How long ago, such as "20 seconds ago". Clocks of services differ: a time in the future is a second ago. */
export function formatAgo(timestamp: string, now = new Date()): string {
  const seconds = Math.max(1, Math.round((now.getTime() - new Date(timestamp).getTime()) / 1_000))
  const { relative } = formatters()
  if (seconds < 60) return relative.format(-seconds, 'second')
  if (seconds < 3_600) return relative.format(-Math.round(seconds / 60), 'minute')
  if (seconds < 86_400) return relative.format(-Math.round(seconds / 3_600), 'hour')
  return relative.format(-Math.round(seconds / 86_400), 'day')
}

/** A duration such as "12 min", "1 h 5 min" or "3 d". */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes === 0) return '< 1 min'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return `${Math.floor(hours / 24)} d`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['kB', 'MB', 'GB']
  const power = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${formatters().number.format(Math.round((bytes / 1024 ** power) * 10) / 10)} ${units[power - 1]}`
}

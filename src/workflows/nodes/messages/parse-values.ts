/**
 * Parses numbers and dates as customers write them. A form that can mean two values, such as `1,500` or `3/4/2026`, is
 * read as its locale writes it; without a locale it is not accepted, nor is a number that would be rounded to another
 * integer, so that no wrong value is stored.
 */
import { isDate, isTimestamp } from '../../../platform/http/schemas.ts'

const spaces = /[\s\u00a0\u202f'’]/g
const currency = /^\p{Sc}|\p{Sc}$|^(?:[A-Z]{3})(?=[\d\s.,+-])|(?<=[\d\s])(?:[A-Z]{3})$/gu

const splitDigits = /\d[\s\u00a0\u202f'’]+\d/
const spacedGroups = /^[+-]?\d{1,3}([\s\u00a0\u202f'’]\d{3})+([.,]\d*)?$/

/** Accepts `1500`, `1,500.50`, `1.500,50`, `1 500`, `$20` and `20 €`. */
export function parseNumber(text: string, locale?: string): number | undefined {
  const amount = text.trim().replace(currency, '').trim()
  if (splitDigits.test(amount) && !spacedGroups.test(amount)) return undefined
  const written = amount.replace(spaces, '')
  const [, sign = '', digits = ''] = /^([+-]?)([\d.,]+)$/.exec(written) ?? []
  if (digits === '') return undefined
  const decimal = findDecimal(digits, locale)
  if (decimal === undefined) return undefined
  const [whole = '', fraction = '', ...more] = decimal === '' ? [digits] : digits.split(decimal)
  const grouped = /[.,]/.test(whole) ? /^\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(whole) : /^\d*$/.test(whole)
  if (more.length > 0 || !grouped || !/^\d*$/.test(fraction) || whole + fraction === '') return undefined
  const number = Number(`${sign}${whole.replace(/[.,]/g, '') || '0'}.${fraction || '0'}`)
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined
}

/** Returns the decimal separator, an empty text if there is none, or undefined if the number is ambiguous. */
function findDecimal(digits: string, locale: string | undefined): string | undefined {
  const separators = digits.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return ''
  if (new Set(separators).size > 1) return last
  if (separators.length > 1) return ''
  const isGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)
  if (!isGroup) return last
  if (locale === undefined) return undefined
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === last ? last : ''
}

/** Accepts `2026-01-31`, `2026/1/31`, `31.1.2026`, `31/1/2026`, `31 January 2026`, `Jan 31, 2026`, and timestamps. */
export function parseDate(text: string, locale?: string): string | undefined {
  if (isTimestamp(text)) return text
  const [, ...numbers] = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/.exec(text) ?? []
  const day = numbers.length === 3 ? fromNumbers(text, numbers.map(Number), locale) : fromWords(text, locale)
  return day !== undefined && isDate(day) ? day : undefined
}

function toDay(year: number, month: number, day: number): string | undefined {
  if (year < 1000 || month < 1 || month > 12) return undefined
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${year}-${pad(month)}-${pad(day)}`
}

function fromNumbers(
  text: string,
  [a, b, c]: readonly number[],
  locale: string | undefined,
): string | undefined {
  if (a! > 999) return toDay(a!, b!, c!)
  if (text.includes('.') || a! > 12) return toDay(c!, b!, a!)
  if (b! > 12) return toDay(c!, a!, b!)
  if (a === b) return toDay(c!, b!, a!)
  if (locale === undefined) return undefined
  return isMonthFirst(locale) ? toDay(c!, a!, b!) : toDay(c!, b!, a!)
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day')
}

/** A day, the name of a month and a year, in any order that has the year last. */
function fromWords(text: string, locale: string | undefined): string | undefined {
  const words = text.toLowerCase().split(/[\s,]+/)
  const year = Number(words.at(-1))
  const day = words.slice(0, -1).flatMap(word => /^(\d{1,2})(?:st|nd|rd|th|\.)?$/.exec(word)?.[1] ?? [])
  const names = words.slice(0, -1).filter(word => /^\p{L}{3,}\.?$/u.test(word))
  const month = names.map(name => findMonth(name.replace('.', ''), locale)).find(n => n > 0)
  if (day.length !== 1 || month === undefined || !Number.isInteger(year)) return undefined
  return toDay(year, month, Number(day[0]))
}

/** Returns the number of a month by its name, or its first letters, in English or the locale; 0 if there is none. */
function findMonth(name: string, locale = 'en'): number {
  const hasName = (month: number) =>
    [locale, 'en'].some(language =>
      new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
        .format(Date.UTC(2026, month - 1))
        .toLowerCase()
        .startsWith(name),
    )
  const found = Array.from({ length: 12 }, (_, i) => i + 1).filter(hasName)
  return found.length === 1 ? found[0]! : 0
}

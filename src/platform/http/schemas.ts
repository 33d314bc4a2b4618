/** Schema parts that every domain uses. Objects are closed: an unknown property is a violation. */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import Format from 'typebox/format'
import { visiblePattern } from '../visible-text.ts'

const names = new Map<TSchema, string>()

/** Sets the name of a schema in the OpenAPI document. */
export function named<S extends TSchema>(name: string, schema: S): S {
  names.set(schema, name)
  return schema
}

export function getSchemaName(schema: TSchema): string | undefined {
  return names.get(schema)
}

export function object<P extends TProperties>(
  properties: P,
  options: Record<string, unknown> = {},
): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** A union of objects with a discriminator; violations are reported for the variant that it selects. */
export function variants<S extends TObject[]>(discriminator: string, schemas: [...S]) {
  return Type.Union(schemas, { discriminator: { propertyName: discriminator } })
}

export function literals<const V extends readonly string[]>(
  values: V,
  options: Record<string, unknown> = {},
) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] })
export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['sam@example.com'] })

/** A text with at least one visible character. */
export const visibleText = (maxLength: number, options: { description?: string } = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: visiblePattern,
    patternMessage: 'must have a visible character',
    ...options,
  })

export const Name = visibleText(200)
/** Accepts any text, so that an unknown or malformed id is a 404 and not a 400. */
export const AnyId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f]*$',
  patternMessage: 'must not have control characters',
})

/** Whether the text looks like an e-mail address of a length that mail servers accept. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
}

const timestampPattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

// Years have four digits in UTC; the database rounds fractions up.
const minTimestampMs = Date.parse('0001-01-01T00:00:00Z')
const maxTimestampMs = Date.parse('9999-12-31T23:59:59Z')

/** Parses an RFC 3339 timestamp. A leap second is the first second of the next day, as in the database. */
export function parseTimestamp(text: string): Date {
  const isLeap = text.slice(17, 19) === '60'
  return new Date(isLeap ? Date.parse(`${text.slice(0, 17)}59${text.slice(19)}`) + 1_000 : Date.parse(text))
}

/** Reports whether the text is an RFC 3339 timestamp with an existing day and time. */
export function isTimestamp(text: string): boolean {
  const match = timestampPattern.exec(text)
  if (!match) return false
  const [, year, month, day, hour, minute, second] = match.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const ms = parseTimestamp(text).getTime()
  return (
    isCalendarDay(year, month, day) &&
    hour < 24 &&
    minute < 60 &&
    (second < 60 || (second === 60 && isFirstSecondOfDay(ms))) &&
    ms >= minTimestampMs &&
    ms <= maxTimestampMs
  )
}

function isFirstSecondOfDay(ms: number): boolean {
  return Math.floor(ms / 1_000) % 86_400 === 0
}

export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return match !== null && isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))
}

Format.Set('date-time', isTimestamp)
Format.Set('date', isDate)
Format.Set('email', isEmail)

export type { Static }

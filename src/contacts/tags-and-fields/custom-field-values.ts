/**
 * Validates values of custom fields and derives the forms they are searched by. A contact stores the value as it was
 * given; all other forms are derived from it.
 */
import { createHash } from 'node:crypto'
import { type Violation, violation } from '../../platform/errors.ts'
import { isDate, isTimestamp, parseTimestamp } from '../../platform/http/schemas.ts'
import { type FieldType, maxValueLength } from '../schemas.ts'
import { toSearchText } from '../search/search-text.ts'

export interface TypedField {
  id: string
  type: FieldType
}

export const emailFieldId = 'cf_email'
export const phoneFieldId = 'cf_phone'
/** The contact's id in another system. */
export const externalRefFieldId = 'cf_external_ref'
/** Their names are their ids. */
export const predefinedIds: readonly string[] = [emailFieldId, phoneFieldId, externalRefFieldId]

/** Returns the violation of an invalid value, undefined for a valid one. */
export function valueViolation(field: TypedField, value: string, path: string): Violation | undefined {
  if (value.length > maxValueLength)
    return violation(path, 'too_long', `must have at most ${maxValueLength} characters`)
  if (field.type === 'date' && !isDateValue(value))
    return violation(path, 'invalid_date', 'must be a date such as 2026-01-31 or an RFC 3339 timestamp')
  return undefined
}

/** Whether the value is an existing date or timestamp within the years 0000 to 9999, which compare as text. */
export function isDateValue(value: string): boolean {
  return (isDate(value) || isTimestamp(value)) && /^\d{4}-/.test(toInstant(value))
}

/** Converts a date to its first instant in UTC. */
export function toInstant(value: string): string {
  return (isDate(value) ? new Date(value) : parseTimestamp(value)).toISOString()
}

/** Returns the form in which values are compared: the instant of a date, the search text of a text. */
export function toComparable(field: TypedField, value: string): string {
  return field.type === 'date' ? toInstant(value) : toSearchText(value)
}

const maxKeyLength = 300

/** Returns the index key of a comparable form: long ones are cut and distinguished by a hash. */
export function toIndexKey(comparable: string): string {
  if (comparable.length <= maxKeyLength) return comparable
  return `${toPrefixKey(comparable)}\u0001${createHash('sha256').update(comparable).digest('base64url')}`
}

/** Cuts a prefix to the length that every index key preserves. */
export function toPrefixKey(comparable: string): string {
  return comparable.slice(0, maxKeyLength)
}

/** Returns a text greater than every key with this prefix: search texts use characters up to ~. */
export function prefixUpperBound(prefix: string): string {
  return `${prefix}\u007f`
}

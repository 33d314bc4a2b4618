/**
 * Values of custom fields: what is accepted, and the form by which they are found. A contact keeps the value as it
 * was given; everything else follows from it.
 */
import { createHash } from 'node:crypto'
import { type Violation, violation } from '../../platform/errors.ts'
import { isDate, isTimestamp } from '../../platform/http/schemas.ts'
import { type FieldType, maxValueLength } from '../schemas.ts'
import { toSearchText } from '../search-text.ts'

export interface TypedField {
  id: string
  type: FieldType
}

export const emailFieldId = 'cf_email'
export const phoneFieldId = 'cf_phone'

/** What is wrong with a value, if anything. */
export function valueViolation(field: TypedField, value: string, path: string): Violation | undefined {
  if (value.length > maxValueLength)
    return violation(path, 'too_long', `must have at most ${maxValueLength} characters`)
  if (field.type === 'date' && !isDateValue(value))
    return violation(path, 'invalid_date', 'must be a day such as 2026-01-31 or an RFC 3339 timestamp')
  return undefined
}

/** A day or a timestamp that exists, within the years that compare as text. */
export function isDateValue(value: string): boolean {
  return (isDate(value) || isTimestamp(value)) && /^\d{4}-/.test(toInstant(value))
}

/** A day is its first moment in UTC. */
export function toInstant(value: string): string {
  return new Date(value).toISOString()
}

/** The form in which values are compared: the instant of a date, the spelling of a text. */
export function toComparable(field: TypedField, value: string): string {
  return field.type === 'date' ? toInstant(value) : toSearchText(value)
}

const maxKeyLength = 300

/** The comparable form as an index holds it: long ones are cut and told apart by their hash. */
export function toIndexKey(comparable: string): string {
  if (comparable.length <= maxKeyLength) return comparable
  return `${toPrefixKey(comparable)}\u0001${createHash('sha256').update(comparable).digest('base64url')}`
}

/** As much of a prefix as every key shows. */
export function toPrefixKey(comparable: string): string {
  return comparable.slice(0, maxKeyLength)
}

/** Greater than every key that begins with this: spelling ends at ~. */
export function prefixUpperBound(prefix: string): string {
  return `${prefix}\u007f`
}

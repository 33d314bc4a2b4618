/**
 * Values of custom fields: what is accepted, and the form by which they are found. A contact keeps the value as it
 * was given; everything else follows from it.
 */
import { createHash } from 'node:crypto'
import { type Violation, violation } from '../platform/errors.ts'
import { isDate, isTimestamp } from '../platform/http/schemas.ts'
import { type FieldType, mostValueCharacters } from './schemas.ts'
import { spell } from './spelling.ts'

export interface FieldKind {
  id: string
  type: FieldType
}

export const emailField = 'cf_email'
export const phoneField = 'cf_phone'

/** What is wrong with a value, if anything. */
export function valueFault(field: FieldKind, value: string, path: string): Violation | undefined {
  if (value.length > mostValueCharacters)
    return violation(path, 'too_long', `must have at most ${mostValueCharacters} characters`)
  if (field.type === 'date' && !isMoment(value))
    return violation(path, 'invalid_date', 'must be a day such as 2026-01-31 or an RFC 3339 timestamp')
  return undefined
}

/** A day or a timestamp that exists, within the years that compare as text. */
export function isMoment(value: string): boolean {
  return (isDate(value) || isTimestamp(value)) && /^\d{4}-/.test(instantOf(value))
}

/** A day is its first moment in UTC. */
export function instantOf(value: string): string {
  return new Date(value).toISOString()
}

/** The form in which values are compared: the instant of a date, the spelling of a text. */
export function comparable(field: FieldKind, value: string): string {
  return field.type === 'date' ? instantOf(value) : spell(value)
}

const keptLetters = 300

/** The comparable form as an index holds it: long ones are cut and told apart by their hash. */
export function keyOf(comparable: string): string {
  if (comparable.length <= keptLetters) return comparable
  return `${prefixKey(comparable)}\u0001${createHash('sha256').update(comparable).digest('base64url')}`
}

/** As much of a prefix as every key shows. */
export function prefixKey(comparable: string): string {
  return comparable.slice(0, keptLetters)
}

/** Greater than every key that begins with this: spelling ends at ~. */
export function prefixEnd(prefix: string): string {
  return `${prefix}\u007f`
}

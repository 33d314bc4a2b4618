/**
 * Matches the value of a date field. A date is its first instant in UTC, and days are days in UTC. An anniversary of
 * February 29 is on February 28 in other years.
 */
import Type from 'typebox'
import { isDateValue, toInstant } from '../../../contacts/tags-and-fields/custom-field-values.ts'
import { inRange, type Sql, sql } from '../../../platform/db/sql.ts'
import { type Violation, violation } from '../../../platform/errors.ts'
import { AnyId, isDate, literals, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'
import { selectIdsWhere, storedValue } from '../field-sql.ts'
import { withoutField } from './never.ts'

const withDate = ['on', 'before', 'after'] as const
const withDays = ['withinNextDays', 'withinLastDays'] as const
const withoutValue = ['anniversaryToday', 'isSet', 'isNotSet'] as const
const operators = [...withDate, ...withDays, ...withoutValue] as const
type Operator = (typeof operators)[number]
type Value = string | number | undefined

/** From inclusive, to exclusive, in the form of stored values. */
interface Range {
  from?: string
  to?: string
}

const dayMs = 86_400_000

const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Returns a text that compares with stored values; beyond the year 9999 it is greater than all of them. */
function toStoredForm(ms: number): string {
  return ms > lastMs ? '~' : new Date(ms).toISOString()
}

function startOfDay(moment: string | Date, days = 0): string {
  return toStoredForm(
    new Date(typeof moment === 'string' ? toInstant(moment) : moment).setUTCHours(0, 0, 0, 0) + days * dayMs,
  )
}

/** Returns the next instant; values have milliseconds. */
function justAfter(moment: string): string {
  return toStoredForm(Date.parse(toInstant(moment)) + 1)
}

const ranges: Partial<Record<Operator, (value: Value, now: Date) => Range>> = {
  on: value => ({ from: startOfDay(String(value)), to: startOfDay(String(value), 1) }),
  before: value => ({ to: toInstant(String(value)) }),
  after: value => ({
    from: isDate(String(value)) ? startOfDay(String(value), 1) : justAfter(String(value)),
  }),
  withinNextDays: (value, now) => ({ from: startOfDay(now), to: startOfDay(now, Number(value) + 1) }),
  withinLastDays: (value, now) => ({ from: startOfDay(now, -Number(value)), to: startOfDay(now, 1) }),
  isSet: () => ({}),
}

/** Lists the days of the year whose anniversaries are today. */
function listAnniversaryDays(now: Date): string[] {
  const today = now.toISOString().slice(5, 10)
  const leap = new Date(Date.UTC(now.getUTCFullYear(), 1, 29)).getUTCMonth() === 1
  return today === '02-28' && !leap ? ['02-28', '02-29'] : [today]
}

export const customFieldDate = conditionType({
  schema: object({
    type: Type.Literal('customFieldDate'),
    fieldId: AnyId,
    operator: literals(operators),
    value: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Integer({ minimum: 0, maximum: 36_500 })]),
    ),
  }),
  references: ({ fieldId }) => [{ kind: 'field', id: fieldId, path: 'fieldId', fieldType: 'date' }],
  violations: ({ operator, value }, path) => valueViolations(operator, value, `${path}.value`),
  sql: ({ fieldId, operator, value }, { tenantId, now }) => {
    const stored = storedValue(fieldId)
    if (operator === 'isNotSet') return { check: sql`${stored} is null` }
    if (operator === 'anniversaryToday') {
      const days = listAnniversaryDays(now)
      const on = (some: Sql) =>
        selectIdsWhere(tenantId, fieldId, sql`month_day is not null and month_day = ${some}`)
      const ids = on(sql`any(${days})`)
      const streams = days.map(day => on(sql`${day}`))
      return {
        check: sql`substr(${stored}, 6, 5) = any(${days})`,
        collectCheck: sql`c.id in (${ids})`,
        ids,
        orderedIds: streams,
      }
    }
    const range = ranges[operator]!(value, now)
    const ids = selectIdsWhere(tenantId, fieldId, inRange(sql`key`, range))
    const check = sql`(${stored} is not null and ${inRange(stored, range)})`
    return { check, contactOnly: true, collectCheck: sql`c.id in (${ids})`, ids }
  },
  matches: ({ fieldId, operator, value }, { fields }, now) => {
    const given = fields[fieldId]
    if (operator === 'isNotSet') return given === undefined
    if (given === undefined) return false
    const stored = toInstant(given)
    if (operator === 'anniversaryToday') return listAnniversaryDays(now).includes(stored.slice(5, 10))
    const { from, to } = ranges[operator]!(value, now)
    return (from === undefined || stored >= from) && (to === undefined || stored < to)
  },
  without: withoutField,
})

function valueViolations(operator: Operator, value: Value, path: string): Violation[] {
  const isOneOf = (list: readonly string[]) => list.includes(operator)
  if (isOneOf(withoutValue)) return []
  if (value === undefined) return [violation(path, 'required', `is required with ${operator}`)]
  if (isOneOf(withDays) && !/^\d{1,5}$/.test(String(value)))
    return [violation(path, 'invalid_type', 'must be a number of days')]
  if (isOneOf(withDate) && !(typeof value === 'string' && isDateValue(value)))
    return [
      violation(path, 'invalid_date', 'must be an existing date such as 2026-01-31 or an RFC 3339 timestamp'),
    ]
  return []
}

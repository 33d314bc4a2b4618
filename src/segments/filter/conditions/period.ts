/**
 * A stretch of time, shared by the conditions on moments: `after` inclusive, `before` exclusive, and relative to now
 * in days of 24 hours. `notWithinDays` is the opposite of `withinDays`, so it also holds for what never happened.
 */
import Type, { type Static } from 'typebox'
import { type Violation, violation } from '../../../platform/errors.ts'
import { Timestamp } from '../../../platform/http/schemas.ts'

const Days = Type.Integer({ minimum: 1, maximum: 36_500 })

export const periodMembers = {
  after: Type.Optional(Timestamp),
  before: Type.Optional(Timestamp),
  withinDays: Type.Optional(Days),
  notWithinDays: Type.Optional(Days),
}

export type Period = { [K in keyof typeof periodMembers]?: Static<(typeof periodMembers)[K]> }

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}

// An offset can push a moment out of the years that PostgreSQL reads.
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

function clamp(ms: number): number {
  return Math.min(Math.max(ms, earliest), latest)
}

export interface Bounds {
  /** inclusive */
  from: Date | undefined
  /** exclusive */
  to: Date | undefined
  /** Whether it also holds for what never happened. */
  orNever: boolean
}

export function toBounds({ after, before, withinDays, notWithinDays }: Period, now: Date): Bounds {
  const from = [after, withinDays === undefined ? undefined : daysBefore(now, withinDays)]
  const to = [before, notWithinDays === undefined ? undefined : daysBefore(now, notWithinDays)]
  const moments = (given: (string | Date | undefined)[]) =>
    given.flatMap(one => (one === undefined ? [] : clamp(new Date(one).getTime())))
  const begins = moments(from)
  const ends = moments(to)
  return {
    from: begins.length > 0 ? new Date(Math.max(...begins)) : undefined,
    to: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
    orNever:
      notWithinDays !== undefined && after === undefined && before === undefined && withinDays === undefined,
  }
}

export function inPeriod(period: Period, moment: string | null, now: Date): boolean {
  const { from, to, orNever } = toBounds(period, now)
  if (moment === null) return orNever
  const at = new Date(moment)
  return (from === undefined || at >= from) && (to === undefined || at < to)
}

export function periodViolations(period: Period, path: string): Violation[] {
  const said = Object.keys(periodMembers).some(name => period[name as keyof Period] !== undefined)
  return said ? [] : [violation(path, 'required', 'needs after, before, withinDays or notWithinDays')]
}

/**
 * The period of a condition on time: `after` is inclusive, `before` exclusive, days are 24 hours before now.
 * `notWithinDays` is the opposite of `withinDays`, so it also matches contacts without the time.
 */
import Type, { type Static } from 'typebox'
import { type Violation, violation } from '../../platform/errors.ts'
import { parseTimestamp, Timestamp } from '../../platform/http/schemas.ts'

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

// An offset can move a time out of the years that PostgreSQL accepts.
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

function clamp(ms: number): number {
  return Math.min(Math.max(ms, earliest), latest)
}

export interface Bounds {
  /** Inclusive. */
  from: Date | undefined
  /** Exclusive. */
  to: Date | undefined
  /** Whether contacts without the time match. */
  orNever: boolean
}

export function toBounds({ after, before, withinDays, notWithinDays }: Period, now: Date): Bounds {
  const from = [after, withinDays === undefined ? undefined : daysBefore(now, withinDays)]
  const to = [before, notWithinDays === undefined ? undefined : daysBefore(now, notWithinDays)]
  const toTimes = (values: (string | Date | undefined)[]) =>
    values.flatMap(value => {
      if (value === undefined) return []
      return clamp((typeof value === 'string' ? parseTimestamp(value) : value).getTime())
    })
  const starts = toTimes(from)
  const ends = toTimes(to)
  return {
    from: starts.length > 0 ? new Date(Math.max(...starts)) : undefined,
    to: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
    orNever:
      notWithinDays !== undefined && after === undefined && before === undefined && withinDays === undefined,
  }
}

export function inPeriod(period: Period, time: string | null, now: Date): boolean {
  const { from, to, orNever } = toBounds(period, now)
  if (time === null) return orNever
  const at = new Date(time)
  return (from === undefined || at >= from) && (to === undefined || at < to)
}

export function periodViolations(period: Period, path: string): Violation[] {
  const isSet = Object.keys(periodMembers).some(name => period[name as keyof Period] !== undefined)
  return isSet ? [] : [violation(path, 'required', 'must have after, before, withinDays or notWithinDays')]
}

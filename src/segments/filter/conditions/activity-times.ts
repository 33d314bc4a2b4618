/** The first and the last message from the contact. */
import Type from 'typebox'
import { and, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionKind, idsByActivity } from '../condition.ts'
import { boundsOf, inPeriod, type Period, periodFaults, periodMembers } from './period.ts'

/** The columns have -infinity or null where nothing happened yet. */
function inBounds(column: string, period: Period, now: Date): Sql {
  const { from, to, orNever } = boundsOf(period, now)
  const name = raw(column)
  return and([
    ...(from === undefined ? [] : [sql`${name} >= ${from.toISOString()}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${name} < ${to.toISOString()}::timestamptz`]),
    ...(orNever || from !== undefined ? [] : [sql`${name} > '-infinity'`]),
  ])
}

export const lastInteraction = conditionKind({
  schema: object({ type: Type.Literal('lastInteraction'), ...periodMembers }),
  faults: periodFaults,
  sql: (condition, { tenantId, now }) => {
    const activity = inBounds('a.last_interaction_at', condition, now)
    return { check: sql`(${activity})`, activity, ids: idsByActivity(tenantId, activity) }
  },
  matches: (condition, contact, now) => inPeriod(condition, contact.lastInteractionAt, now),
})

export const firstSeen = conditionKind({
  schema: object({ type: Type.Literal('firstSeen'), ...periodMembers }),
  faults: periodFaults,
  sql: (condition, { tenantId, now }) => {
    const seen = sql`a.first_seen_at is not null and ${inBounds('a.first_seen_at', condition, now)}`
    const orNever = sql`(a.first_seen_at is null or (${seen}))`
    if (boundsOf(condition, now).orNever) return { check: orNever, activity: orNever }
    return { check: sql`(${seen})`, activity: seen, ids: idsByActivity(tenantId, seen) }
  },
  matches: (condition, contact, now) => inPeriod(condition, contact.firstSeenAt, now),
})

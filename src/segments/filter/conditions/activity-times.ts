/** Matches the times of the first and the last message from the contact. */
import Type from 'typebox'
import { and, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionType, selectIdsByActivity } from '../condition.ts'
import { inPeriod, type Period, periodMembers, periodViolations, toBounds } from '../period.ts'

/** The columns are -infinity or null without a message. */
function inBounds(column: string, period: Period, now: Date): Sql {
  const { from, to, orNever } = toBounds(period, now)
  const name = raw(column)
  return and([
    ...(from === undefined ? [] : [sql`${name} >= ${from.toISOString()}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${name} < ${to.toISOString()}::timestamptz`]),
    ...(orNever || from !== undefined ? [] : [sql`${name} > '-infinity'`]),
  ])
}

export const lastInteraction = conditionType({
  schema: object({ type: Type.Literal('lastInteraction'), ...periodMembers }),
  violations: periodViolations,
  sql: (condition, { tenantId, now }) => {
    const activity = inBounds('a.last_interaction_at', condition, now)
    return { check: sql`(${activity})`, activity, ids: selectIdsByActivity(tenantId, activity) }
  },
  matches: (condition, contact, now) => inPeriod(condition, contact.lastInteractionAt, now),
})

export const firstSeen = conditionType({
  schema: object({ type: Type.Literal('firstSeen'), ...periodMembers }),
  violations: periodViolations,
  sql: (condition, { tenantId, now }) => {
    const isSeen = sql`a.first_seen_at is not null and ${inBounds('a.first_seen_at', condition, now)}`
    const orNever = sql`(a.first_seen_at is null or (${isSeen}))`
    if (toBounds(condition, now).orNever) return { check: orNever, activity: orNever }
    return { check: sql`(${isSeen})`, activity: isSeen, ids: selectIdsByActivity(tenantId, isSeen) }
  },
  matches: (condition, contact, now) => inPeriod(condition, contact.firstSeenAt, now),
})

/** The first and the last message from the contact. */
import Type from 'typebox'
import { and, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionKind } from '../condition.ts'
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
  sql: (condition, { tenantId, now }) => ({
    check: sql`(${inBounds('a.last_interaction_at', condition, now)})`,
    ids: sql`
      select contact_id from contact_activity
      where tenant_id = ${tenantId} and ${inBounds('last_interaction_at', condition, now)}`,
  }),
  matches: (condition, contact, now) => inPeriod(condition, contact.lastInteractionAt, now),
})

export const firstSeen = conditionKind({
  schema: object({ type: Type.Literal('firstSeen'), ...periodMembers }),
  faults: periodFaults,
  sql: (condition, { tenantId, now }) => {
    const seen = sql`a.first_seen_at is not null and ${inBounds('a.first_seen_at', condition, now)}`
    if (boundsOf(condition, now).orNever) return { check: sql`(a.first_seen_at is null or (${seen}))` }
    return {
      check: sql`(${seen})`,
      ids: sql`
        select contact_id from contact_activity
        where tenant_id = ${tenantId} and first_seen_at is not null and ${inBounds('first_seen_at', condition, now)}`,
    }
  },
  matches: (condition, contact, now) => inPeriod(condition, contact.firstSeenAt, now),
})

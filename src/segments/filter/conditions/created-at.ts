/** Matches the creation time. Ids encode it, so the condition is a range of ids. */
import Type from 'typebox'
import { ContactId } from '../../../contacts/schemas.ts'
import { inRange, sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'
import { inPeriod, periodMembers, periodViolations, toBounds } from '../period.ts'

export const createdAt = conditionType({
  schema: object({ type: Type.Literal('createdAt'), ...periodMembers }),
  violations: periodViolations,
  sql: (condition, { tenantId, now }) => {
    const bounds = toBounds(condition, now)
    const from = bounds.from && ContactId.firstAt(bounds.from)
    const to = bounds.to && ContactId.firstAt(bounds.to)
    return {
      check: sql`(${inRange(sql`c.id`, { from, to })})`,
      ids: sql`
        select id as contact_id from contacts
        where tenant_id = ${tenantId} and deleted_at is null and ${inRange(sql`id`, { from, to })}`,
      // Every scan is limited to the range already.
      candidateIds: [],
      fromId: from,
      toId: to,
    }
  },
  matches: (condition, contact, now) => inPeriod(condition, contact.createdAt, now),
})

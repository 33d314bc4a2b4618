/** Compares how often a contact performed a custom event: in all, or in the last days. */
import Type from 'typebox'
import { raw, sql } from '../../../platform/db/sql.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'
import { daysBefore } from '../period.ts'

const sqlOperators = { eq: '=', gte: '>=', lte: '<=' } as const

/** More events of one name are not counted. */
export const maxPerformed = 1_000

export const performedEvent = conditionType({
  schema: object(
    {
      type: Type.Literal('performedEvent'),
      name: Type.String({ minLength: 1, maxLength: 100 }),
      operator: literals(['eq', 'gte', 'lte']),
      value: Type.Integer({ minimum: 0, maximum: maxPerformed }),
      windowDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    },
    { description: 'extension: how often the contact performed the custom event' },
  ),
  sql: ({ name, operator, value, windowDays }, { tenantId, now }) => {
    const comparison = sql`${raw(sqlOperators[operator])} ${value}::int`
    const since =
      windowDays === undefined
        ? sql``
        : sql`and e.at >= ${daysBefore(now, windowDays).toISOString()}::timestamptz`
    // One more than the value is enough for every comparison.
    const check = sql`(
      select count(*) from (
        select 1 from contact_events e
        where e.tenant_id = c.tenant_id and e.contact_id = c.id and e.name = ${name} ${since}
        limit ${value + 1}) counted) ${comparison}`
    if (operator === 'lte' || value === 0) return { check }
    const ids = sql`
      select e.contact_id from contact_events e where e.tenant_id = ${tenantId} and e.name = ${name} ${since}
      group by e.contact_id having count(*) ${comparison}`
    return { check, collectCheck: sql`c.id in (${ids})`, ids }
  },
  matches: ({ name, operator, value, windowDays }, { events }, now) => {
    const from = windowDays === undefined ? undefined : daysBefore(now, windowDays)
    const count = events.filter(event => event.name === name && (!from || new Date(event.at) >= from)).length
    if (operator === 'eq') return count === value
    return operator === 'gte' ? count >= value : count <= value
  },
})

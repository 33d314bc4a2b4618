/** How many chats (sessions) the contact had: ever, or begun in the last days. */
import Type from 'typebox'
import { raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { type ConditionSql, conditionKind, idsByActivity } from '../condition.ts'
import { daysBefore } from './period.ts'

type Operator = 'eq' | 'gte' | 'lte'
const written: Record<Operator, string> = { eq: '=', gte: '>=', lte: '<=' }

function ever(tenantId: string, comparison: Sql, positive: boolean, exact: boolean): ConditionSql {
  const check = sql`a.chat_count ${comparison}`
  if (!positive) return { check, activity: check }
  const activity = counted(comparison)
  const ids = idsByActivity(tenantId, activity)
  // The index goes on with the contact's id behind each number.
  return { check: sql`(${activity})`, activity, ids, ...(exact ? { streams: [ids] } : {}) }
}

function counted(comparison: Sql): Sql {
  return sql`a.chat_count > 0 and a.chat_count ${comparison}`
}

function since(
  tenantId: string,
  from: Date,
  comparison: Sql,
  condition: { value: number; positive: boolean },
): ConditionSql {
  const at = from.toISOString()
  // One more than asked for is enough to know.
  const check = sql`(
    select count(*) from (
      select 1 from contact_chats h
      where h.tenant_id = c.tenant_id and h.contact_id = c.id and h.at >= ${at}::timestamptz
      limit ${condition.value + 1}) counted) ${comparison}`
  if (!condition.positive) return { check }
  const recent = sql`
    select contact_id from contact_chats where tenant_id = ${tenantId} and at >= ${at}::timestamptz`
  const ids = sql`${recent} group by contact_id having count(*) ${comparison}`
  const sets = [idsByActivity(tenantId, counted(sql`>= ${condition.value}::int`)), recent]
  return {
    check: sql`(a.chat_count >= ${condition.value} and ${check})`,
    gather: sql`c.id in (${ids})`,
    ids,
    sets,
  }
}

export const chatCount = conditionKind({
  schema: object({
    type: Type.Literal('chatCount'),
    operator: literals(['eq', 'gte', 'lte']),
    value: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    windowDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  }),
  sql: ({ operator, value, windowDays }, { tenantId, now }) => {
    const comparison = sql`${raw(written[operator])} ${value}::int`
    const positive = operator !== 'lte' && value > 0
    if (windowDays === undefined) return ever(tenantId, comparison, positive, operator === 'eq')
    return since(tenantId, daysBefore(now, windowDays), comparison, { value, positive })
  },
  matches: ({ operator, value, windowDays }, contact, now) => {
    const from = windowDays === undefined ? undefined : daysBefore(now, windowDays)
    const count = from ? contact.chats.filter(at => new Date(at) >= from).length : contact.chatCount
    if (operator === 'eq') return count === value
    return operator === 'gte' ? count >= value : count <= value
  },
})

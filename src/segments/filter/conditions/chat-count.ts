/** Compares the number of chats (conversation sessions): all, or those that began in the last days. */
import Type from 'typebox'
import { raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { type ConditionSql, conditionType, selectIdsByActivity } from '../condition.ts'
import { daysBefore } from '../period.ts'

type Operator = 'eq' | 'gte' | 'lte'
const sqlOperators: Record<Operator, string> = { eq: '=', gte: '>=', lte: '<=' }

function countEver(tenantId: string, comparison: Sql, requiresChats: boolean, exact: boolean): ConditionSql {
  const check = sql`a.chat_count ${comparison}`
  if (!requiresChats) return { check, activity: check }
  const activity = hasCount(comparison)
  const ids = selectIdsByActivity(tenantId, activity)
  // The index is sorted by contact id within each count.
  return { check: sql`(${activity})`, activity, ids, ...(exact ? { orderedIds: [ids] } : {}) }
}

function hasCount(comparison: Sql): Sql {
  return sql`a.chat_count > 0 and a.chat_count ${comparison}`
}

function countSince(
  tenantId: string,
  from: Date,
  comparison: Sql,
  condition: { value: number; requiresChats: boolean },
): ConditionSql {
  const at = from.toISOString()
  // One more than the value is enough for every comparison.
  const check = sql`(
    select count(*) from (
      select 1 from contact_chats h
      where h.tenant_id = c.tenant_id and h.contact_id = c.id and h.at >= ${at}::timestamptz
      limit ${condition.value + 1}) counted) ${comparison}`
  if (!condition.requiresChats) return { check }
  const recent = sql`
    select contact_id from contact_chats where tenant_id = ${tenantId} and at >= ${at}::timestamptz`
  const ids = sql`${recent} group by contact_id having count(*) ${comparison}`
  const candidateIds = [selectIdsByActivity(tenantId, hasCount(sql`>= ${condition.value}::int`)), recent]
  return {
    check: sql`(a.chat_count >= ${condition.value} and ${check})`,
    collectCheck: sql`c.id in (${ids})`,
    ids,
    candidateIds,
  }
}

export const chatCount = conditionType({
  schema: object({
    type: Type.Literal('chatCount'),
    operator: literals(['eq', 'gte', 'lte']),
    value: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    windowDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  }),
  sql: ({ operator, value, windowDays }, { tenantId, now }) => {
    const comparison = sql`${raw(sqlOperators[operator])} ${value}::int`
    const requiresChats = operator !== 'lte' && value > 0
    if (windowDays === undefined) return countEver(tenantId, comparison, requiresChats, operator === 'eq')
    return countSince(tenantId, daysBefore(now, windowDays), comparison, { value, requiresChats })
  },
  matches: ({ operator, value, windowDays }, contact, now) => {
    const from = windowDays === undefined ? undefined : daysBefore(now, windowDays)
    const count = from ? contact.chats.filter(at => new Date(at) >= from).length : contact.chatCount
    if (operator === 'eq') return count === value
    return operator === 'gte' ? count >= value : count <= value
  },
})

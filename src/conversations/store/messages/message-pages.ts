import type { Queryable } from '../../../platform/db/db.ts'
import { inlineLimit, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import type { WindowQuery } from '../../timeline/schemas.ts'
import { contactColumn, type MessageView } from './messages.ts'
import type { ReactionRow } from './reactions.ts'

interface MessagePage extends WindowQuery {
  conversationId: string
  limit: number
  after?: readonly unknown[] | undefined
}

export interface ListedMessage extends MessageView {
  position: number
  /** Null when there are none. */
  reactions: ReactionRow[] | null
}

export const listedMessageColumns =
  raw(`m.id, m.tenant_id as "tenantId", m.conversation_id as "conversationId", m.position,
  m.sender_type as "senderType", m.sender_id as "senderId", ${contactColumn}, m.content, m.context, m.status, m.error,
  m.channel_message_id as "channelMessageId", m.client_message_id as "clientMessageId",
  m.created_at as "createdAt", m.updated_at as "updatedAt",
  (select json_agg(json_build_object('id', r.id, 'messageId', r.message_id, 'senderType', r.sender_type,
      'senderId', r.sender_id, 'emoji', r.emoji,
      'createdAt', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      order by r.created_at, r.id)
    from reactions r where r.tenant_id = m.tenant_id and r.message_id = m.id) as reactions`)

const [ascending, descending] = [raw('asc'), raw('desc')]

/**
 * Lists one message more than the page has, to know whether there is a next page; none when the viewer may not see the
 * conversation or `around` is not one of its messages. One statement, because this is the most frequent query of a help
 * desk.
 */
export function listMessages(on: Queryable, viewer: Viewer, page: MessagePage): Promise<ListedMessage[]> {
  const { tenantId } = viewer
  const { conversationId, limit, after, around, direction } = page
  const place = after
    ? sql`${after[0]}::int`
    : around &&
      sql`(select a.position from messages a
        where a.tenant_id = ${tenantId} and a.id = ${around} and a.conversation_id = ${conversationId})`
  const order = direction === 'newer' ? ascending : descending
  const select = (condition: Sql, sort: Sql, count: number) => sql`
    select ${listedMessageColumns} from messages m
    where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} ${condition}
      and exists (
        select from conversation_states s
        where s.tenant_id = ${tenantId} and s.conversation_id = ${conversationId} and ${visibleTo(viewer)})
    order by m.position ${sort} limit ${inlineLimit(count)}`
  const isCentred = around !== undefined && direction === undefined && !after
  if (isCentred)
    return on.rows(sql`
      select * from ((${select(sql`and m.position > ${place}`, ascending, Math.floor(limit / 2))}) union all
        (${select(sql`and m.position <= ${place}`, descending, limit + 1)})) m
      order by position desc limit ${inlineLimit(limit + 1)}`)
  if (!place) return on.rows(select(raw(''), order, limit + 1))
  const comparison = direction === 'newer' ? raw('>') : raw('<')
  return on.rows(select(sql`and m.position ${comparison} ${place}`, order, limit + 1))
}

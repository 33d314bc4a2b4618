import type { Queryable } from '../../platform/db/db.ts'
import { inlineLimit, raw, sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { ReactionRow } from '../messages/reactions.ts'
import { type MessageView, messageContact } from './messages.ts'

interface MessagePage {
  conversationId: string
  limit: number
  after?: readonly unknown[]
}

interface ListedMessage extends MessageView {
  position: number
  /** Null when there are none. */
  reactions: ReactionRow[] | null
}

/**
 * Lists one message more than the page has, to know whether there is a next page; none when the viewer may not see the
 * conversation. One statement, because this is the most frequent query of a help desk.
 */
export function listMessages(
  on: Queryable,
  viewer: Viewer,
  { conversationId, limit, after }: MessagePage,
): Promise<ListedMessage[]> {
  const { tenantId } = viewer
  const older = after ? sql`and m.position < ${after[0]}::int` : raw('')
  return on.rows(sql`
    select m.id, m.tenant_id as "tenantId", m.conversation_id as "conversationId", m.position,
      m.sender_type as "senderType", m.sender_id as "senderId", ${messageContact}, m.content, m.context, m.status, m.error,
      m.channel_message_id as "channelMessageId", m.client_message_id as "clientMessageId",
      m.created_at as "createdAt", m.updated_at as "updatedAt",
      (select json_agg(json_build_object('id', r.id, 'messageId', r.message_id, 'senderType', r.sender_type,
          'senderId', r.sender_id, 'emoji', r.emoji,
          'createdAt', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by r.created_at, r.id)
        from reactions r where r.tenant_id = m.tenant_id and r.message_id = m.id) as reactions
    from messages m
    where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} ${older}
      and exists (
        select from conversation_states s
        where s.tenant_id = ${tenantId} and s.conversation_id = ${conversationId} and ${visibleTo(viewer)})
    order by m.position desc limit ${inlineLimit(limit + 1)}`)
}

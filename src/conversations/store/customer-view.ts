/** Reads the customer's view of a conversation: sent messages with their authors, and whether it can be rated. */
import type { Content } from '../../inboxes/content.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { MediaType } from '../media/detect-type.ts'
import type { DeliveryStatus, SenderType, StoredContext } from '../schemas.ts'

export interface CustomerMessageRow {
  id: string
  conversationId: string
  position: number
  direction: 'in' | 'out'
  senderType: SenderType
  /** Of a user. */
  senderName: string | null
  senderAvatarUrl: string | null
  content: Content
  context: StoredContext[] | null
  status: DeliveryStatus
  channelMessageId: string | null
  createdAt: string
}

const columns =
  raw(`m.id, m.conversation_id as "conversationId", m.position, m.direction, m.sender_type as "senderType",
  u.name as "senderName", u.avatar_url as "senderAvatarUrl", m.content, m.context, m.status,
  m.channel_message_id as "channelMessageId", m.created_at as "createdAt"`)

const tables = raw(`messages m
  left join users u on u.tenant_id = m.tenant_id and u.id = m.sender_id and m.sender_type = 'user'`)

/** A message of our side is there for the customer once it was sent. */
const isSent = raw(`(m.direction = 'in' or m.status in ('sent', 'delivered', 'read'))`)

/** Lists messages before a position, newest first. */
export function listCustomerMessages(
  on: Queryable,
  tenantId: string,
  conversationId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<CustomerMessageRow[]> {
  return on.rows(sql`
    select ${columns} from ${tables}
    where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId}
      and m.position < ${before ?? 2_147_483_647} and ${isSent}
    order by m.position desc limit ${limit}`)
}

export function listCustomerMessagesByIds(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<CustomerMessageRow[]> {
  return on.rows(sql`
    select ${columns} from ${tables} where m.tenant_id = ${tenantId} and m.id = any(${ids}) and ${isSent}`)
}

/** Lists the cards among the latest 200 messages of a conversation, newest first: what the customer can press. */
export function listSentCards(
  on: Queryable,
  tenantId: string,
  conversationId: string,
): Promise<{ channelMessageId: string | null; content: Content }[]> {
  return on.rows(sql`
    select m.channel_message_id as "channelMessageId", m.content from (
      select m.channel_message_id, m.content, m.position, m.direction, m.status from messages m
      where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} order by m.position desc limit 200) m
    where m.direction = 'out' and m.content ->> 'type' = 'rich' and ${isSent} order by m.position desc`)
}

/** Counts messages of our side that the customer has not read, up to a hundred. */
export async function countUnreadByCustomer(
  on: Queryable,
  tenantId: string,
  conversationId: string,
): Promise<number> {
  const { n } = await on.one<{ n: number }>(sql`
    select count(*) as n from (
      select m.direction, m.status from messages m
      where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} order by m.position desc limit 100) m
    where m.direction = 'out' and m.status in ('sent', 'delivered')`)
  return n
}

export interface CustomerConversationRow {
  id: string
  status: 'open' | 'closed'
  teamId: string | null
  agentName: string | null
  agentAvatarUrl: string | null
  /** The session of the survey that the customer can answer now. */
  surveySessionId: string | null
  rating: number | null
  /** The position of the customer's last message that a user has read. */
  seenPosition: number | null
}

export function listCustomerConversations(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
  now: string,
): Promise<CustomerConversationRow[]> {
  return on.rows(sql`
    select s.conversation_id as id, s.status, s.team_id as "teamId", u.name as "agentName",
      u.avatar_url as "agentAvatarUrl", v.session_id as "surveySessionId", v.rating, m.position as "seenPosition"
    from conversation_states s
    left join users u on u.tenant_id = s.tenant_id and u.id = s.owner_id and s.owner_type = 'user'
    left join conversation_surveys v on v.tenant_id = s.tenant_id and v.session_id = s.session_id
      and v.status = 'sent' and v.answerable_until > ${now}::timestamptz and s.status = 'closed'
    left join lateral (
      select m.position from messages m
      where m.tenant_id = s.tenant_id and m.conversation_id = s.conversation_id and m.customer_position is not null
        and m.position <= (
          select max(r.seen_position) from read_cursors r
          where r.tenant_id = s.tenant_id and r.conversation_id = s.conversation_id and r.seen_position is not null)
      order by m.position desc limit 1) m on true
    where s.tenant_id = ${tenantId} and s.conversation_id = any(${ids})`)
}

export interface CustomerFileRow {
  id: string
  mediaType: MediaType
  mimeType: string
  filename: string
  size: number
}

/** Lists those of the files that are stored. */
export function listCustomerFiles(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<CustomerFileRow[]> {
  return on.rows(sql`
    select id, media_type as "mediaType", mime_type as "mimeType", filename, size from media
    where tenant_id = ${tenantId} and id = any(${ids}) and status = 'ready'`)
}

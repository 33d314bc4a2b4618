import type { Content } from '../../../inboxes/content.ts'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import type { DeliveryError, DeliveryStatus, Message, SenderType, StoredContext } from '../../schemas.ts'

export interface MessageRow {
  id: string
  tenantId: string
  conversationId: string
  position: number
  sessionId: string
  inboxId: string
  direction: 'in' | 'out'
  senderType: SenderType
  senderId: string
  /** The contact of its session: the owner of the address when the message was accepted. */
  contactId: string | null
  content: Content
  context: StoredContext[] | null
  status: DeliveryStatus
  error: DeliveryError | null
  channelMessageId: string | null
  clientMessageId: string | null
  clientFingerprint: string | null
  customerPosition: number | null
  sendStartedAt: string | null
  sendAttempts: number
  retriedAt: string | null
  createdAt: string
  updatedAt: string
}

/** A message belongs to the contact of its session. */
export const contactColumn = `(select p.contact_id from conversation_sessions p
  where p.tenant_id = m.tenant_id and p.id = m.session_id) as "contactId"`

export const messageColumns =
  raw(`m.id, m.tenant_id as "tenantId", m.conversation_id as "conversationId", m.position,
  m.session_id as "sessionId", m.inbox_id as "inboxId", m.direction, m.sender_type as "senderType",
  m.sender_id as "senderId", ${contactColumn}, m.content, m.context, m.status, m.error,
  m.channel_message_id as "channelMessageId",
  m.client_message_id as "clientMessageId", m.client_fingerprint as "clientFingerprint",
  m.customer_position as "customerPosition", m.send_started_at as "sendStartedAt", m.send_attempts as "sendAttempts",
  m.retried_at as "retriedAt",
  m.created_at as "createdAt", m.updated_at as "updatedAt"`)

/** The columns of a message that the API shows. */
export type MessageView = Pick<
  MessageRow,
  | 'id'
  | 'tenantId'
  | 'conversationId'
  | 'senderType'
  | 'senderId'
  | 'contactId'
  | 'content'
  | 'context'
  | 'status'
  | 'error'
  | 'channelMessageId'
  | 'clientMessageId'
  | 'createdAt'
  | 'updatedAt'
>

export function messageToApi(row: MessageView): Message {
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    tenantId: row.tenantId,
    conversationId: row.conversationId,
    senderType: row.senderType,
    senderId: row.senderId,
    ...(row.contactId ? { contactId: row.contactId } : {}),
    content: row.content,
    deliveryStatus: row.status,
    ...(row.error ? { deliveryError: row.error } : {}),
    ...(row.channelMessageId ? { channelMessageId: row.channelMessageId } : {}),
    ...(row.clientMessageId ? { clientMessageId: row.clientMessageId } : {}),
    ...(row.context ? { context: row.context } : {}),
  }
}

export function findMessage(on: Queryable, tenantId: string, id: string): Promise<MessageRow | undefined> {
  return on.maybe(
    sql`select ${messageColumns} from messages m where m.tenant_id = ${tenantId} and m.id = ${id}`,
  )
}

/** Returns the conversations of the messages that exist, by message. */
export async function listConversationIds(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await on.rows<{ id: string; conversationId: string }>(sql`
    select id, conversation_id as "conversationId" from messages where tenant_id = ${tenantId} and id = any(${ids})`)
  return new Map(rows.map(row => [row.id, row.conversationId]))
}

/** Locks messages in the order of their ids; returns those that exist. */
export function lockMessages(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<MessageRow[]> {
  return tx.rows(sql`
    select ${messageColumns} from messages m
    where (m.tenant_id, m.id) in (
      select t collate "C", i collate "C"
      from unnest(${keys.map(key => key.tenantId)}::text[], ${keys.map(key => key.messageId)}::text[]) as k(t, i))
    order by m.tenant_id, m.id for no key update`)
}

export async function touchMessage(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`update messages set updated_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`)
}

export function findMessageByChannelId(
  on: Queryable,
  tenantId: string,
  inboxId: string,
  channelMessageId: string,
): Promise<{ id: string } | undefined> {
  return on.maybe(sql`
    select id from messages where tenant_id = ${tenantId} and inbox_id = ${inboxId} and channel_message_id = ${channelMessageId}`)
}

/** Lists the messages of one provider message: one, or one for each of its files. */
export function listMessageParts(
  on: Queryable,
  tenantId: string,
  inboxId: string,
  channelMessageId: string,
): Promise<{ id: string }[]> {
  return on.rows(sql`
    select id from messages where tenant_id = ${tenantId} and inbox_id = ${inboxId}
      and (channel_message_id = ${channelMessageId}
        or (channel_message_id > ${`${channelMessageId}#`} and channel_message_id < ${`${channelMessageId}$`}))
    order by channel_message_id`)
}

/** Also sets the preview of the conversation if the message is its latest. */
export async function updateContent(
  tx: Tx,
  tenantId: string,
  id: string,
  content: Content,
  preview: string,
): Promise<void> {
  await tx.run(sql`
    with changed as (
      update messages set content = ${JSON.stringify(content)}::json, updated_at = ${tx.now}
      where tenant_id = ${tenantId} and id = ${id} returning conversation_id, position)
    update conversation_states s set last_message_preview = ${preview}, updated_at = ${tx.now} from changed c
    where s.tenant_id = ${tenantId} and s.conversation_id = c.conversation_id and s.message_count = c.position`)
}

/** Lists outbound messages before this one that are not marked as read, oldest first, among the last 200. */
export function listUnreadBefore(
  on: Queryable,
  tenantId: string,
  messageId: string,
): Promise<{ id: string }[]> {
  return on.rows(sql`
    select m.id from messages m
    join messages last on last.tenant_id = m.tenant_id and last.id = ${messageId}
    where m.tenant_id = ${tenantId} and m.conversation_id = last.conversation_id
      and m.position between last.position - 200 and last.position - 1
      and m.direction = 'out' and m.status in ('sent', 'delivered')
    order by m.position`)
}

export function findMessageByClientId(
  on: Queryable,
  tenantId: string,
  senderId: string,
  clientMessageId: string,
): Promise<MessageRow | undefined> {
  return on.maybe(sql`
    select ${messageColumns} from messages m
    where m.tenant_id = ${tenantId} and m.sender_id = ${senderId} and m.client_message_id = ${clientMessageId}`)
}

/** Returns the user who wrote last in a session, among the latest 50 messages of the conversation. */
export function findLastUserSender(
  on: Queryable,
  tenantId: string,
  conversationId: string,
  sessionId: string,
): Promise<string | undefined> {
  return on.value<string>(sql`
    select sender_id from (
      select sender_type, sender_id, session_id, position from messages
      where tenant_id = ${tenantId} and conversation_id = ${conversationId} order by position desc limit 50
    ) latest
    where session_id = ${sessionId} and sender_type = 'user' order by position desc limit 1`)
}

/** Returns the first message of the current session of each conversation if the customer sent it, by conversation. */
export async function listOpeningMessages(
  on: Queryable,
  tenantId: string,
  conversationIds: readonly string[],
): Promise<Map<string, Message>> {
  const rows = await on.rows<MessageRow>(sql`
    select first.* from conversation_states s, lateral (
      select ${messageColumns} from (
        select * from messages
        where tenant_id = s.tenant_id and conversation_id = s.conversation_id order by position desc limit 50
      ) m where m.session_id = s.session_id order by m.position limit 1
    ) first
    where s.tenant_id = ${tenantId} and s.conversation_id = any(${conversationIds})
      and first."senderType" = 'customer'`)
  return new Map(rows.map(row => [row.conversationId, messageToApi(row)]))
}

/** Counts messages of journeys and bots to a contact since a time, among the latest `limit` of each conversation. */
export async function countAutomated(
  tx: Tx,
  tenantId: string,
  contactId: string,
  { since, limit }: { since: string; limit: number },
): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    select count(*) as n
    from conversations c
    join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
    cross join lateral (
      select sender_type, created_at from messages m
      where m.tenant_id = c.tenant_id and m.conversation_id = c.id order by m.position desc limit ${limit}
    ) latest
    where c.tenant_id = ${tenantId} and c.contact_id = ${contactId} and s.last_message_at > ${since}
      and latest.sender_type in ('journey', 'bot') and latest.created_at > ${since}`)
  return n
}

const rank: Record<string, number> = { pending: 0, sent: 1, failed: 2, delivered: 3, read: 4 }

/** A status only rises in rank, in whatever order updates arrive. */
export function outranks(from: string, to: string): boolean {
  return (rank[to] ?? -1) > (rank[from] ?? 99)
}

export async function updateStatuses(tx: Tx, rows: readonly MessageRow[]): Promise<void> {
  if (rows.length === 0) return
  const column = <K extends keyof MessageRow>(name: K) => rows.map(row => row[name])
  const errors = rows.map(row => (row.error ? JSON.stringify(row.error) : null))
  await tx.run(sql`
    update messages m set status = k.status, error = k.error, updated_at = ${tx.now},
      channel_message_id = coalesce(m.channel_message_id, k.channel_message_id)
    from unnest(${column('tenantId')}::text[], ${column('id')}::text[], ${column('status')}::text[], ${errors}::json[],
      ${column('channelMessageId')}::text[]) as k(tenant_id, id, status, error, channel_message_id)
    where m.tenant_id = k.tenant_id collate "C" and m.id = k.id collate "C"`)
}

export interface TimelineEntry {
  at: string
  type: string
  details: Record<string, unknown> | null
}

export async function insertTimelineEntries(
  tx: Tx,
  lines: readonly (TimelineEntry & { tenantId: string; messageId: string })[],
): Promise<void> {
  if (lines.length === 0) return
  const details = lines.map(line => (line.details ? JSON.stringify(line.details) : null))
  await tx.run(sql`
    insert into message_timeline (tenant_id, message_id, at, type, details)
    select tenant_id, message_id, at, type, details
    from unnest(${lines.map(line => line.tenantId)}::text[], ${lines.map(line => line.messageId)}::text[],
        ${lines.map(line => line.at)}::timestamptz[], ${lines.map(line => line.type)}::text[], ${details}::json[])
      with ordinality as l(tenant_id, message_id, at, type, details, n) order by n`)
}

export function listTimeline(on: Queryable, tenantId: string, messageId: string): Promise<TimelineEntry[]> {
  return on.rows(sql`
    select at, type, details from message_timeline where tenant_id = ${tenantId} and message_id = ${messageId} order by n`)
}

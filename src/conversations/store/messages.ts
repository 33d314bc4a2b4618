import type { Content } from '../../inboxes/content.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Assignment } from '../access.ts'
import { messageCreated } from '../events.ts'
import type { DeliveryError, DeliveryStatus, Message, SenderType, StoredContext } from '../schemas.ts'

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
  content: Content
  context: StoredContext[] | null
  status: DeliveryStatus
  error: DeliveryError | null
  channelMessageId: string | null
  clientMessageId: string | null
  clientFingerprint: string | null
  customerPosition: number | null
  sendStartedAt: string | null
  sendTries: number
  createdAt: string
  updatedAt: string
}

export const messageColumns =
  raw(`m.id, m.tenant_id as "tenantId", m.conversation_id as "conversationId", m.position,
  m.session_id as "sessionId", m.inbox_id as "inboxId", m.direction, m.sender_type as "senderType",
  m.sender_id as "senderId", m.content, m.context, m.status, m.error, m.channel_message_id as "channelMessageId",
  m.client_message_id as "clientMessageId", m.client_fingerprint as "clientFingerprint",
  m.customer_position as "customerPosition", m.send_started_at as "sendStartedAt", m.send_tries as "sendTries",
  m.created_at as "createdAt", m.updated_at as "updatedAt"`)

/** What a client is shown of a message. */
export type MessageView = Pick<
  MessageRow,
  | 'id'
  | 'tenantId'
  | 'conversationId'
  | 'senderType'
  | 'senderId'
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

/** In the order of their ids; those that are there. */
export function lockMessages(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<MessageRow[]> {
  return tx.rows(sql`
    select ${messageColumns} from messages m
    where (m.tenant_id, m.id) in (
      select t collate "C", i collate "C"
      from unnest(${keys.map(one => one.tenantId)}::text[], ${keys.map(one => one.messageId)}::text[]) as k(t, i))
    order by m.tenant_id, m.id for no key update`)
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

/** Ours before this one that nobody is known to have read yet, the oldest first; not very far back. */
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

export interface NewMessage {
  id: string
  tenantId: string
  conversationId: string
  sessionId: string
  direction: 'in' | 'out'
  senderType: SenderType
  senderId: string
  content: string
  context: string | null
  status: DeliveryStatus
  channelMessageId: string | null
  clientMessageId: string | null
  clientFingerprint: string | null
  preview: string
  /** The event that tells of it, as it stands in the log. */
  event: string
  audience: string | null
  eventId: string
  /** Whose the conversation is to whoever wrote the event. */
  whose: string
}

/** Team and owner, as one. */
export const toAssignmentKey = ({ teamId, ownerType, ownerId }: Assignment): string =>
  `${teamId ?? ''}/${ownerType ?? ''}/${ownerId ?? ''}`
const lockedAssignmentKey = raw(
  `coalesce(l.team_id, '') || '/' || coalesce(l.owner_type, '') || '/' || coalesce(l.owner_id, '')`,
)

/**
 * Accepts many messages in one statement. States are locked in one order; everything else follows from the rows that
 * were really inserted, so a message whose session has ended meanwhile, whose conversation is somebody else's now (who
 * may hear of it is in its event), or that is there already, is simply not among the ids that come back, and its
 * neighbours are not troubled.
 */
export function buildAcceptMessages(
  { now, causationDepth }: Pick<Tx, 'now' | 'causationDepth'>,
  batch: readonly NewMessage[],
  emitted: (select: Sql) => Sql,
): Sql {
  const column = <K extends keyof NewMessage>(name: K) => batch.map(message => message[name])
  return sql`
    with input as (
      select * from unnest(${column('id')}::text[], ${column('tenantId')}::text[], ${column('conversationId')}::text[],
          ${column('sessionId')}::text[], ${column('direction')}::text[], ${column('senderType')}::text[],
          ${column('senderId')}::text[], ${column('content')}::json[], ${column('context')}::json[],
          ${column('status')}::text[], ${column('channelMessageId')}::text[], ${column('clientMessageId')}::text[],
          ${column('clientFingerprint')}::text[], ${column('preview')}::text[], ${column('event')}::json[],
          ${column('audience')}::json[], ${column('eventId')}::text[], ${column('whose')}::text[])
        with ordinality as i(id, tenant_id, conversation_id, session_id, direction, sender_type, sender_id, content,
          context, status, channel_message_id, client_message_id, client_fingerprint, preview, event, audience,
          event_id, whose, ord)
    ), locked as (
      select s.* from conversation_states s
      where (s.tenant_id, s.conversation_id) in (select tenant_id collate "C", conversation_id collate "C" from input)
      order by s.tenant_id, s.conversation_id for no key update
    ), placed as (
      select i.*, l.inbox_id,
        l.message_count + row_number() over conversation as position,
        l.customer_count + count(*) filter (where i.direction = 'in') over conversation as customer_position
      from input i join locked l on l.tenant_id = i.tenant_id and l.conversation_id = i.conversation_id
      where l.status = 'open' and l.session_id = i.session_id and ${lockedAssignmentKey} = i.whose
      window conversation as (partition by i.tenant_id, i.conversation_id order by i.ord rows unbounded preceding)
    ), inserted as (
      insert into messages (tenant_id, id, conversation_id, position, session_id, inbox_id, direction, sender_type,
        sender_id, content, context, status, channel_message_id, client_message_id, client_fingerprint,
        customer_position, created_at, updated_at)
      select tenant_id, id, conversation_id, position, session_id, inbox_id, direction, sender_type, sender_id, content,
        context, status, channel_message_id, client_message_id, client_fingerprint,
        case when direction = 'in' then customer_position end, ${now}::timestamptz, ${now}::timestamptz
      from placed order by tenant_id, conversation_id, position
      on conflict do nothing
      returning tenant_id, id, conversation_id, position, customer_position, direction
    ), latest as (
      select distinct on (n.tenant_id, n.conversation_id) n.tenant_id, n.conversation_id, n.position, p.preview, p.sender_type,
        max(n.customer_position) over (partition by n.tenant_id, n.conversation_id) as customers
      from inserted n join placed p on p.tenant_id = n.tenant_id and p.id = n.id
      order by n.tenant_id, n.conversation_id, n.position desc
    ), moved as (
      update conversation_states s set message_count = l.position, customer_count = coalesce(l.customers, s.customer_count),
        last_message_at = greatest(s.last_message_at, ${now}::timestamptz), last_message_preview = l.preview,
        last_message_sender = l.sender_type,
        last_customer_at = case when l.customers is not null then ${now}::timestamptz else s.last_customer_at end
      from latest l where s.tenant_id = l.tenant_id and s.conversation_id = l.conversation_id
    ), told as (
      ${emitted(sql`
        select p.event_id as event_id, p.tenant_id, ${messageCreated.type}::text as type, ${now}::timestamptz as at, p.event as data,
          p.audience, ${causationDepth}::int as causation_depth
        from placed p join inserted n on n.tenant_id = p.tenant_id and n.id = p.id
        order by p.tenant_id, p.conversation_id, p.position`)}
    )
    select id from inserted`
}

const rank: Record<string, number> = { pending: 0, sent: 1, failed: 2, delivered: 3, read: 4 }

/** Status only moves up by its rank, whatever order news comes in. */
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

import { joinedAt } from '../../identity/users/users.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'
import { isMentioned } from './lists/conditions.ts'

export interface UnreadCounter {
  count: number
  conversations: number
  version: number
}

export function lockUnreadCounter(tx: Tx, tenantId: string, userId: string): Promise<UnreadCounter> {
  return tx.one(sql`
    insert into unread_counters as u (tenant_id, user_id, count, conversations, version) values (${tenantId}, ${userId}, 0, 0, 0)
    on conflict (tenant_id, user_id) do update set version = u.version
    returning count, conversations, version`)
}

/**
 * Counts customer messages after the read cursor, in open conversations of the viewer, of their teams or unassigned.
 * Messages from before the viewer joined are read: a conversation that is older than the viewer gets a cursor behind
 * them when it has the first message after, so that they are searched once.
 */
export function countUnread(tx: Tx, viewer: Viewer): Promise<Pick<UnreadCounter, 'count' | 'conversations'>> {
  const { tenantId, id: userId } = viewer
  return tx.one(sql`
    with viewer as materialized (select ${joinedAt(tenantId, userId)} as joined_at),
    unread as materialized (
      select s.conversation_id, s.customer_count, r.customer_position as read_position
      from conversation_states s
      left join read_cursors r on r.tenant_id = s.tenant_id and r.conversation_id = s.conversation_id and r.user_id = ${userId}
      where s.tenant_id = ${tenantId} and s.status = 'open' and s.customer_count > 0
        and s.customer_count > coalesce(r.customer_position, 0)
        and (r.user_id is not null or s.last_customer_at > (select joined_at from viewer))
        and ${visibleTo(viewer)}
        and (s.owner_type is null or (s.owner_type = 'user' and s.owner_id = ${userId})
          or (s.owner_type = 'team' and s.owner_id = any(${viewer.teamIds})))
    ), started as (
      insert into read_cursors (tenant_id, user_id, conversation_id, position, customer_position)
      select ${tenantId}, ${userId}, u.conversation_id, m.position, m.customer_position
      from unread u cross join viewer v
      join conversations c on c.tenant_id = ${tenantId} and c.id = u.conversation_id and c.created_at <= v.joined_at
      cross join lateral (
        select m.position, m.customer_position from messages m
        where m.tenant_id = ${tenantId} and m.conversation_id = u.conversation_id and m.customer_position is not null
          and m.created_at <= v.joined_at
        order by m.position desc limit 1) m
      where u.read_position is null
      on conflict do nothing
      returning conversation_id, customer_position
    )
    select coalesce(sum(u.customer_count - coalesce(u.read_position, s.customer_position, 0)), 0)::int as count,
      count(*)::int as conversations
    from unread u left join started s on s.conversation_id = u.conversation_id`)
}

export interface ReadState {
  conversationId: string
  unreadCount: number
  lastReadMessageId: string | null
  /** The user who wrote the last message; null if it was not a user. */
  lastMessageSenderId: string | null
  /** Whether the last message could not be delivered. */
  lastMessageFailed: boolean
  /** Whether a note mentions the user. */
  mentioned: boolean
}

/**
 * Reads how far a user has read conversations, by the rules of `countUnread`. The cursors are looked up one by one: the
 * planner may hash all cursors of the user instead.
 */
export function listReadStates(
  on: Queryable,
  viewer: Viewer,
  conversationIds: readonly string[],
): Promise<ReadState[]> {
  const { tenantId, id: userId } = viewer
  return on.rows(sql`
    with viewer as materialized (select ${joinedAt(tenantId, userId)} as joined_at)
    select s.conversation_id as "conversationId",
      s.customer_count - coalesce(r.customer_position, old.customer_position, 0) as "unreadCount",
      m.id as "lastReadMessageId", last.sender_id as "lastMessageSenderId",
      coalesce(last.status = 'failed', false) as "lastMessageFailed", ${isMentioned(viewer)} as mentioned
    from unnest(${conversationIds}::text[]) as given (id) cross join viewer v
    join conversation_states s on s.tenant_id = ${tenantId} and s.conversation_id = given.id collate "C"
    join conversations c on c.tenant_id = s.tenant_id and c.id = s.conversation_id
    left join lateral (
      select t.position, t.customer_position from read_cursors t
      where t.tenant_id = s.tenant_id and t.user_id = ${userId} and t.conversation_id = s.conversation_id limit 1) r on true
    left join lateral (
      select m.position, m.customer_position from messages m
      where r.position is null and c.created_at <= v.joined_at
        and m.tenant_id = s.tenant_id and m.conversation_id = s.conversation_id and m.customer_position is not null
        and m.created_at <= v.joined_at
      order by m.position desc limit 1) old on true
    left join lateral (
      select m.id from messages m
      where m.tenant_id = s.tenant_id and m.conversation_id = s.conversation_id
        and m.position <= coalesce(r.position, old.position)
      order by m.position desc limit 1) m on true
    left join lateral (
      select case when m.sender_type = 'user' then m.sender_id end as sender_id, m.status from messages m
      where m.tenant_id = s.tenant_id and m.conversation_id = s.conversation_id
      order by m.position desc limit 1) last on true`)
}

export function updateUnreadCounter(
  tx: Tx,
  tenantId: string,
  userId: string,
  now: Pick<UnreadCounter, 'count' | 'conversations'>,
): Promise<UnreadCounter | undefined> {
  return tx.maybe(sql`
    update unread_counters set count = ${now.count}, conversations = ${now.conversations}, version = version + 1
    where tenant_id = ${tenantId} and user_id = ${userId} returning count, conversations, version`)
}

/**
 * Returns false when the cursor is already there or beyond. It may be beyond what the user has read (`countUnread`): what
 * the customer sees advances nevertheless.
 */
export async function advanceReadCursor(
  tx: Tx,
  { tenantId, id: userId }: Viewer,
  conversationId: string,
  { position, seenPosition }: { position: number; seenPosition: number | null },
): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into read_cursors as r (tenant_id, user_id, conversation_id, position, customer_position, seen_position)
    values (${tenantId}, ${userId}, ${conversationId}, ${position}, coalesce((
      select customer_position from messages
      where tenant_id = ${tenantId} and conversation_id = ${conversationId} and customer_position is not null
        and (position <= ${position} or created_at <= ${joinedAt(tenantId, userId)})
      order by position desc limit 1), 0), ${seenPosition})
    on conflict (tenant_id, user_id, conversation_id) do update
      set position = greatest(r.position, excluded.position),
        customer_position = greatest(r.customer_position, excluded.customer_position),
        seen_position = greatest(r.seen_position, excluded.seen_position)
      where r.position < excluded.position or coalesce(r.seen_position, 0) < excluded.seen_position`)
  return changed > 0
}

export function findLastCustomerMessage(
  on: Queryable,
  tenantId: string,
  conversationId: string,
): Promise<{ conversationId: string; position: number } | undefined> {
  return on.maybe(sql`
    select m.conversation_id as "conversationId", m.position from messages m
    where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} and m.customer_position is not null
    order by m.position desc limit 1`)
}

/** Sets the cursor before the message at a position. Returns false when that message is unread already. */
export async function retreatReadCursor(
  tx: Tx,
  { tenantId, id: userId }: Viewer,
  conversationId: string,
  position: number,
): Promise<boolean> {
  const inConversation = sql`m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} and m.customer_position is not null`
  const changed = await tx.run(sql`
    insert into read_cursors as r (tenant_id, user_id, conversation_id, position, customer_position)
    select ${tenantId}, ${userId}, ${conversationId}, ${position}::int - 1, coalesce((
      select m.customer_position from messages m where ${inConversation} and m.position < ${position}
      order by m.position desc limit 1), 0)
    -- without a cursor, only the messages from before the user joined are read
    where coalesce((
        select position from read_cursors where tenant_id = ${tenantId} and user_id = ${userId} and conversation_id = ${conversationId}), (
        select m.position from messages m where ${inConversation} and m.created_at <= ${joinedAt(tenantId, userId)}
        order by m.position desc limit 1), 0) >= ${position}
    on conflict (tenant_id, user_id, conversation_id) do update
      set position = excluded.position, customer_position = excluded.customer_position
      where r.position > excluded.position`)
  return changed > 0
}

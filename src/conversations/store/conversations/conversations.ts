import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import { type Priority, priorities } from '../../schemas.ts'
import { type MessageRow, messageColumns } from '../messages/messages.ts'
import { type ConversationRow, conversationColumns, conversationTables } from './conversation-rows.ts'

/** Finds any conversation of the tenant, also by the id of one that was merged into it. */
export function findConversation(
  on: Queryable,
  tenantId: string,
  id: string,
): Promise<ConversationRow | undefined> {
  return findWhere(on, tenantId, id, anyConversation)
}

/** Finds a conversation that the viewer may see, also by the id of one that was merged into it. */
export function findVisibleConversation(
  on: Queryable,
  viewer: Viewer,
  id: string,
): Promise<ConversationRow | undefined> {
  return findWhere(on, viewer.tenantId, id, visibleTo(viewer))
}

/** Returns which of the conversations the viewer may see. */
export async function listVisibleConversations(
  on: Queryable,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await on.rows<{ id: string }>(sql`
    select s.conversation_id as id from conversation_states s
    where s.tenant_id = ${viewer.tenantId} and s.conversation_id = any(${ids}) and ${visibleTo(viewer)}`)
  return new Set(rows.map(row => row.id))
}

const anyConversation = raw('true')

async function findWhere(
  on: Queryable,
  tenantId: string,
  id: string,
  condition: Sql,
): Promise<ConversationRow | undefined> {
  const find = (conversationId: string) =>
    on.maybe<ConversationRow>(
      sql`select ${conversationColumns} from ${conversationTables}
        where c.tenant_id = ${tenantId} and c.id = ${conversationId} and ${condition}`,
    )
  const row = await find(id)
  if (row) return row
  const mergedInto = await findMergedInto(on, tenantId, id)
  return mergedInto === undefined ? undefined : find(mergedInto)
}

function findMergedInto(on: Queryable, tenantId: string, id: string): Promise<string | undefined> {
  return on.value<string>(sql`
    select merged_into from conversations
    where tenant_id = ${tenantId} and id = ${id} and merged_into is not null`)
}

/** Locks conversations in the order of their ids; returns those that exist. */
export async function lockConversations(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<ConversationRow[]> {
  // Two statements in one round trip: one that waits for a lock still reads the snapshot from before.
  const [, rows] = await Promise.all([
    tx.run(sql`
      select from conversation_states where tenant_id = ${tenantId} and conversation_id = any(${ids})
      order by conversation_id for no key update`),
    tx.rows<ConversationRow>(
      sql`select ${conversationColumns} from ${conversationTables} where c.tenant_id = ${tenantId} and c.id = any(${ids})`,
    ),
  ])
  return rows
}

export function listConversationsByIds(
  on: Queryable,
  keys: readonly { tenantId: string; id: string }[],
): Promise<(ConversationRow & { tenantId: string })[]> {
  return on.rows(sql`
    select ${conversationColumns}, c.tenant_id as "tenantId" from ${conversationTables}
    where (c.tenant_id, c.id) in (
      select t collate "C", i collate "C"
      from unnest(${keys.map(key => key.tenantId)}::text[], ${keys.map(key => key.id)}::text[]) as k(t, i))`)
}

const ofMessages = (keys: readonly { tenantId: string; messageId: string }[]): Sql => sql`
  (s.tenant_id, s.conversation_id) in (
    select m.tenant_id, m.conversation_id
    from unnest(${keys.map(key => key.tenantId)}::text[], ${keys.map(key => key.messageId)}::text[]) as k(t, i)
    cross join lateral (
      select m.tenant_id, m.conversation_id from messages m
      where m.tenant_id = k.t collate "C" and m.id = k.i collate "C" limit 1) m)`

/** Locks the conversations of messages against changes, so that events about the messages describe the current state. */
export async function lockConversationsOfMessages(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<ConversationRow[]> {
  // Two statements: one that waits for a lock still reads the snapshot from before.
  const [, rows] = await Promise.all([
    tx.run(sql`
      select from conversation_states s where ${ofMessages(keys)} order by s.tenant_id, s.conversation_id for share`),
    tx.rows<ConversationRow>(
      sql`select ${conversationColumns} from ${conversationTables} where ${ofMessages(keys)}`,
    ),
  ])
  return rows
}

/**
 * Locks conversations of messages in the same way, except those that another transaction has locked, and the messages in
 * the locked ones. It waits only for transactions that change messages alone, which are short.
 */
export async function lockUnlockedMessages(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<[MessageRow[], ConversationRow[]]> {
  return Promise.all([
    tx.rows<MessageRow>(sql`
      with free as materialized (
        select s.tenant_id, s.conversation_id from conversation_states s where ${ofMessages(keys)}
        order by s.tenant_id, s.conversation_id for share skip locked
      )
      select ${messageColumns} from messages m
      where (m.tenant_id, m.id) in (
          select t collate "C", i collate "C"
          from unnest(${keys.map(key => key.tenantId)}::text[], ${keys.map(key => key.messageId)}::text[]) as k(t, i))
        and (m.tenant_id, m.conversation_id) in (select tenant_id, conversation_id from free)
      order by m.tenant_id, m.id for no key update of m`),
    tx.rows<ConversationRow>(
      sql`select ${conversationColumns} from ${conversationTables} where ${ofMessages(keys)}`,
    ),
  ])
}

export function findLatestConversation(
  on: Queryable,
  tenantId: string,
  contactId: string,
  channel?: string,
): Promise<ConversationRow | undefined> {
  return on.maybe(sql`
    select ${conversationColumns} from ${conversationTables}
    where c.tenant_id = ${tenantId} and c.contact_id = ${contactId}
      and (${channel ?? null}::text is null or c.channel = ${channel ?? null})
    order by s.last_message_at desc, c.id desc limit 1`)
}

/** Locks any conversation of the tenant. All changes of a conversation's state happen under this lock. */
export function lockConversation(tx: Tx, tenantId: string, id: string): Promise<ConversationRow | undefined> {
  return lockAndFind(tx, tenantId, id, at => findConversation(tx, tenantId, at))
}

export function lockVisibleConversation(
  tx: Tx,
  viewer: Viewer,
  id: string,
): Promise<ConversationRow | undefined> {
  return lockAndFind(tx, viewer.tenantId, id, at => findVisibleConversation(tx, viewer, at))
}

/** Locks the conversation, or the one it was merged into. Both statements of an attempt are sent in one tick. */
async function lockAndFind(
  tx: Tx,
  tenantId: string,
  id: string,
  find: (id: string) => Promise<ConversationRow | undefined>,
): Promise<ConversationRow | undefined> {
  const lock = (conversationId: string) =>
    tx.run(
      sql`select from conversation_states where tenant_id = ${tenantId} and conversation_id = ${conversationId} for no key update`,
    )
  const [locked, row] = await Promise.all([lock(id), find(id)])
  const mergedInto = locked > 0 ? undefined : await findMergedInto(tx, tenantId, id)
  if (mergedInto === undefined) return row
  const [, survivor] = await Promise.all([lock(mergedInto), find(mergedInto)])
  return survivor
}

export interface StateUpdate {
  status?: 'open' | 'closed'
  teamId?: string | null
  owner?: { type: 'user' | 'team' | 'bot'; id: string } | null
  closedAt?: string | null
  waitingSince?: string | null
  priority?: Priority | null
  snoozed?: boolean
  snoozedUntil?: string | null
}

export async function updateState(tx: Tx, tenantId: string, id: string, change: StateUpdate): Promise<void> {
  const { status, teamId, owner, closedAt, waitingSince, priority, snoozed, snoozedUntil } = change
  await tx.run(sql`
    update conversation_states set
      status = coalesce(${status ?? null}, status),
      team_id = case when ${teamId !== undefined} then ${teamId ?? null} else team_id end,
      owner_type = case when ${owner !== undefined} then ${owner?.type ?? null} else owner_type end,
      owner_id = case when ${owner !== undefined} then ${owner?.id ?? null} else owner_id end,
      closed_at = case when ${closedAt !== undefined} then ${closedAt ?? null}::timestamptz else closed_at end,
      waiting_since = case when ${waitingSince !== undefined} then ${waitingSince ?? null}::timestamptz else waiting_since end,
      priority = case when ${priority !== undefined} then ${toPriorityRank(priority)}::smallint else priority end,
      snoozed = coalesce(${snoozed ?? null}, snoozed),
      snoozed_until = case when ${snoozedUntil !== undefined} then ${snoozedUntil ?? null}::timestamptz else snoozed_until end,
      revision = revision + 1, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and conversation_id = ${id}`)
}

/** The number that the database stores for a priority; null for none. */
export function toPriorityRank(priority: Priority | null | undefined): number | null {
  return priority ? priorities.indexOf(priority) + 1 : null
}

/** Sets the team that the open conversation references; a referenced team cannot be deleted. */
export async function updateOpenTeam(
  tx: Tx,
  tenantId: string,
  conversationId: string,
  teamId: string | null,
): Promise<void> {
  await tx.run(
    sql`delete from open_conversation_teams where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  )
  if (teamId === null) return
  await tx.run(
    sql`insert into open_conversation_teams (tenant_id, conversation_id, team_id) values (${tenantId}, ${conversationId}, ${teamId})`,
  )
}

/** Moves the conversations and sessions of a merged contact. The transaction has locked the states. */
export async function moveToContact(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  { from, into }: { from: string; into: string },
): Promise<void> {
  await tx.run(sql`
    with sessions as (
      update conversation_sessions set contact_id = ${into} where tenant_id = ${tenantId} and contact_id = ${from}
    ), states as (
      update conversation_states set contact_id = ${into}, updated_at = ${tx.now}
      where tenant_id = ${tenantId} and conversation_id = any(${ids}) and contact_id = ${from}
    )
    update conversations set contact_id = ${into} where tenant_id = ${tenantId} and id in (
      select id from conversations where tenant_id = ${tenantId} and id = any(${ids}) order by id for no key update)`)
}

/** Links a conversation, whose state is locked, to the contact that owns its address. */
export async function updateContact(tx: Tx, tenantId: string, id: string, contactId: string): Promise<void> {
  await tx.run(sql`
    with state as (
      update conversation_states set contact_id = ${contactId}, updated_at = ${tx.now}
      where tenant_id = ${tenantId} and conversation_id = ${id}
    )
    update conversations set contact_id = ${contactId} where tenant_id = ${tenantId} and id = ${id}`)
}

/** Locks the states of all conversations of these contacts. The contacts are locked, so the set is complete. */
export async function lockConversationsOfContacts(
  tx: Tx,
  tenantId: string,
  contactIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    select from conversation_states where tenant_id = ${tenantId} and conversation_id in (
      select id from conversations where tenant_id = ${tenantId} and contact_id = any(${contactIds}))
    order by conversation_id for no key update`)
}

/** Moves the last messages of a workspace into the past: messaging windows close and silences grow by this time. */
export async function ageConversations(tx: Tx, tenantId: string, seconds: number): Promise<void> {
  const time = sql`(${seconds}::float8 * interval '1 second')`
  await tx.run(sql`
    update conversation_states set last_customer_at = last_customer_at - ${time}, last_person_at = last_person_at - ${time}
    where tenant_id = ${tenantId}`)
}

/** Records that the customer has just written, without a message. */
export async function touchMessagingWindow(tx: Tx, tenantId: string, conversationId: string): Promise<void> {
  await tx.run(sql`
    update conversation_states set last_customer_at = ${tx.now}
    where tenant_id = ${tenantId} and conversation_id = ${conversationId}`)
}

import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { and, inlineLimit, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { Conversation } from '../schemas.ts'

/** What the rules need beside what is shown. */
export interface ConversationRow extends Conversation {
  teamId: string | null
  ownerType: 'user' | 'team' | 'bot' | null
  ownerId: string | null
  sessionId: string
  messageCount: number
  customerCount: number
  lastCustomerAt: string | null
}

const listedColumns = `c.id, c.channel, c.external_id as "externalId", s.inbox_id as "inboxId", c.name,
  c.contact_id as "contactId", k.name as "contactName", s.status,
  case when s.owner_type is not null then json_build_object('type', s.owner_type, 'id', s.owner_id) end as "activeOwner",
  s.last_message_at as "lastMessageAt", s.last_message_preview as "lastMessagePreview",
  s.last_message_sender as "lastMessageSender"`
const listed = raw(listedColumns)
export const conversationColumns = raw(`${listedColumns}, s.team_id as "teamId", s.owner_type as "ownerType",
  s.owner_id as "ownerId", s.session_id as "sessionId", s.message_count as "messageCount",
  s.customer_count as "customerCount", s.last_customer_at as "lastCustomerAt"`)

const tables = raw(`conversations c
  join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
  left join contacts k on k.tenant_id = c.tenant_id and k.id = c.contact_id`)

export function conversationToApi(row: Conversation): Conversation {
  const { id, channel, externalId, inboxId, name, contactId, contactName, status, activeOwner } = row
  const { lastMessageAt, lastMessagePreview, lastMessageSender } = row
  return {
    id,
    channel,
    externalId,
    inboxId,
    name,
    contactId,
    contactName,
    status,
    activeOwner,
    lastMessageAt,
    lastMessagePreview,
    lastMessageSender,
  }
}

/** Also by the id of one that was joined into it. */
export async function findConversation(
  on: Queryable,
  tenantId: string,
  id: string,
  visible: Sql,
): Promise<ConversationRow | undefined> {
  const find = (by: string) =>
    on.maybe<ConversationRow>(
      sql`select ${conversationColumns} from ${tables} where c.tenant_id = ${tenantId} and c.id = ${by} and ${visible}`,
    )
  const row = await find(id)
  if (row) return row
  const into = await findMergedInto(on, tenantId, id)
  return into === undefined ? undefined : find(into)
}

async function findMergedInto(on: Queryable, tenantId: string, id: string): Promise<string | undefined> {
  const row = await on.maybe<{ into: string }>(sql`
    select joined_into as into from conversations
    where tenant_id = ${tenantId} and id = ${id} and joined_into is not null`)
  return row?.into
}

/** Locked in the order of their ids; those that are there. */
export async function lockConversations(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<ConversationRow[]> {
  await tx.run(sql`
    select from conversation_states where tenant_id = ${tenantId} and conversation_id = any(${ids})
    order by conversation_id for no key update`)
  return tx.rows(
    sql`select ${conversationColumns} from ${tables} where c.tenant_id = ${tenantId} and c.id = any(${ids})`,
  )
}

export function listConversationsByIds(
  on: Queryable,
  keys: readonly { tenantId: string; id: string }[],
): Promise<(ConversationRow & { tenantId: string })[]> {
  return on.rows(sql`
    select ${conversationColumns}, c.tenant_id as "tenantId" from ${tables}
    where (c.tenant_id, c.id) in (
      select t collate "C", i collate "C"
      from unnest(${keys.map(one => one.tenantId)}::text[], ${keys.map(one => one.id)}::text[]) as k(t, i))`)
}

/**
 * Those that these messages are in, held as they are until the commit: what is told of them then is not told after
 * something that changed them.
 */
export async function lockConversationsOfMessages(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<ConversationRow[]> {
  const ofMessages = sql`(s.tenant_id, s.conversation_id) in (
    select m.tenant_id, m.conversation_id
    from unnest(${keys.map(one => one.tenantId)}::text[], ${keys.map(one => one.messageId)}::text[]) as k(t, i)
    cross join lateral (
      select m.tenant_id, m.conversation_id from messages m
      where m.tenant_id = k.t collate "C" and m.id = k.i collate "C" limit 1) m)`
  // Read by a second statement: the first sees what was there before it waited.
  const [, rows] = await Promise.all([
    tx.run(sql`
      select from conversation_states s where ${ofMessages} order by s.tenant_id, s.conversation_id for share`),
    tx.rows<ConversationRow>(sql`select ${conversationColumns} from ${tables} where ${ofMessages}`),
  ])
  return rows
}

/** Of those with a contact, the one with the latest message. */
export function findLatestConversation(
  on: Queryable,
  tenantId: string,
  contactId: string,
  channel?: string,
): Promise<ConversationRow | undefined> {
  return on.maybe(sql`
    select ${conversationColumns} from ${tables}
    where c.tenant_id = ${tenantId} and c.contact_id = ${contactId}
      and (${channel ?? null}::text is null or c.channel = ${channel ?? null})
    order by s.last_message_at desc, c.id desc limit 1`)
}

/** Whoever changes the state of a conversation goes through this lock, one after the other. */
export async function lockConversation(
  tx: Tx,
  tenantId: string,
  id: string,
  visible: Sql,
): Promise<ConversationRow | undefined> {
  const lock = (by: string) =>
    tx.run(
      sql`select from conversation_states where tenant_id = ${tenantId} and conversation_id = ${by} for no key update`,
    )
  const into = (await lock(id)) > 0 ? undefined : await findMergedInto(tx, tenantId, id)
  if (into !== undefined) await lock(into)
  return findConversation(tx, tenantId, into ?? id, visible)
}

export interface StateUpdate {
  status?: 'open' | 'closed'
  sessionId?: string
  inboxId?: string
  teamId?: string | null
  owner?: { type: 'user' | 'team' | 'bot'; id: string } | null
}

export async function updateState(tx: Tx, tenantId: string, id: string, change: StateUpdate): Promise<void> {
  await tx.run(sql`
    update conversation_states set
      status = coalesce(${change.status ?? null}, status),
      session_id = coalesce(${change.sessionId ?? null}, session_id),
      inbox_id = coalesce(${change.inboxId ?? null}, inbox_id),
      team_id = case when ${change.teamId !== undefined} then ${change.teamId ?? null} else team_id end,
      owner_type = case when ${change.owner !== undefined} then ${change.owner?.type ?? null} else owner_type end,
      owner_id = case when ${change.owner !== undefined} then ${change.owner?.id ?? null} else owner_id end
    where tenant_id = ${tenantId} and conversation_id = ${id}`)
}

/** A team with open conversations cannot be deleted: this row refers to it while the conversation is open. */
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

/** In the order of their ids, so that two merges do not wait for each other. */
export async function updateConversationContact(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  contactId: string,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    update conversations set contact_id = ${contactId} where tenant_id = ${tenantId} and id in (
      select id from conversations where tenant_id = ${tenantId} and id = any(${ids}) order by id for no key update)
    returning id`)
  return rows.map(row => row.id)
}

/** Locks the states of all conversations of these contacts. The contacts are locked, so the set is complete. */
export async function lockOfContacts(tx: Tx, tenantId: string, contactIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    select from conversation_states where tenant_id = ${tenantId} and conversation_id in (
      select id from conversations where tenant_id = ${tenantId} and contact_id = any(${contactIds}))
    order by conversation_id for no key update`)
}

export async function listContactIds(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await on.rows<{ contactId: string }>(sql`
    select distinct contact_id as "contactId" from conversations
    where tenant_id = ${tenantId} and id = any(${ids})`)
  return rows.map(row => row.contactId)
}

export interface ConversationQuery {
  search?: string
  ids?: readonly string[]
  statuses?: readonly string[]
  ownerTypes?: readonly string[]
  interacted?: boolean
  sort: 'lastMessageAt' | 'createdAt' | 'name'
  direction: 'asc' | 'desc'
}

const sortColumns = {
  lastMessageAt: raw('s.last_message_at'),
  createdAt: raw('c.created_at'),
  name: raw('c.search'),
}

export interface ListedConversation extends Conversation {
  sortValue: string
}

export function listConversations(
  db: Db,
  tenantId: string,
  query: ConversationQuery,
  visible: Sql,
  page: { limit: number; after?: SortKey },
): Promise<ListedConversation[]> {
  const column = sortColumns[query.sort]
  const cast = raw(query.sort === 'name' ? '::text collate "C"' : '::timestamptz')
  const before = raw(query.direction === 'desc' ? '<' : '>')
  const order = raw(query.direction)
  const filters = [
    ...(query.search ? [sql`c.search like ${`%${likeLiteral(query.search)}%`}`] : []),
    ...(query.ids ? [sql`c.id = any(${query.ids})`] : []),
    ...(query.statuses ? [sql`s.status = any(${query.statuses})`] : []),
    ...(query.ownerTypes ? [sql`coalesce(s.owner_type, 'none') = any(${query.ownerTypes})`] : []),
    ...(query.interacted === undefined ? [] : [sql`(s.customer_count > 0) = ${query.interacted}`]),
  ]
  const where = [
    sql`c.tenant_id = ${tenantId}`,
    visible,
    ...filters,
    ...(page.after
      ? [sql`(${column}, c.id) ${before} (${page.after[0]}${cast}, ${page.after[1]}::text collate "C")`]
      : []),
  ]
  // The values of a filter decide how best to find what it lets through; without one there is one best way.
  const read = filters.length > 0 ? db.unprepared : db.rows
  return read(sql`
    select ${listed}, ${column} as "sortValue" from ${tables}
    where ${and(where)} order by ${column} ${order}, c.id ${order} limit ${inlineLimit(page.limit + 1)}`)
}

function likeLiteral(text: string): string {
  return text.toLowerCase().replace(/[\\%_]/g, character => `\\${character}`)
}

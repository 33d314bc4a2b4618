/** Persists the activity of contacts. Every function is one statement that locks in id order: safe for concurrent calls. */

import type { Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EventId } from '../../platform/events/event.ts'

export interface Interaction {
  contactId: string
  at: string
}

export async function recordInteractions(
  tx: Tx,
  tenantId: string,
  interactions: readonly Interaction[],
): Promise<void> {
  if (interactions.length === 0) return
  await tx.run(sql`
    with input as (
      select contact_id, min(at) as first_at, max(at) as last_at
      from unnest(${interactions.map(i => i.contactId)}::text[], ${interactions.map(i => i.at)}::timestamptz[])
        as i (contact_id, at)
      group by contact_id
    ), locked as (
      select a.contact_id from contact_activity a
      where a.tenant_id = ${tenantId} and a.contact_id in (select contact_id from input)
      order by a.contact_id for no key update
    )
    update contact_activity a set
      first_seen_at = least(coalesce(a.first_seen_at, 'infinity'), input.first_at),
      last_interaction_at = greatest(a.last_interaction_at, input.last_at)
    from locked join input using (contact_id)
    where a.tenant_id = ${tenantId} and a.contact_id = locked.contact_id`)
}

export interface Chat {
  contactId: string
  sessionId: string
  at: string
}

export async function recordChats(tx: Tx, tenantId: string, chats: readonly Chat[]): Promise<void> {
  await tx.run(sql`
    with input as (
      select * from unnest(${chats.map(chat => chat.contactId)}::text[], ${chats.map(chat => chat.sessionId)}::text[],
        ${chats.map(chat => chat.at)}::timestamptz[]) as i (contact_id, session_id, at)
    ), locked as (
      select a.contact_id from contact_activity a
      where a.tenant_id = ${tenantId} and a.contact_id in (select contact_id from input)
      order by a.contact_id for no key update
    ), counted as (
      update contact_activity a set chat_count = a.chat_count + n.chats
      from (select contact_id, count(*) as chats from locked join input using (contact_id) group by contact_id) n
      where a.tenant_id = ${tenantId} and a.contact_id = n.contact_id
      returning a.contact_id
    )
    insert into contact_chats (tenant_id, contact_id, at, session_id)
    select ${tenantId}, contact_id, at, session_id from input join counted using (contact_id)`)
}

/** Locks the activity of contacts in one order, before a conversation moves from one of them to another. */
export async function lockActivity(tx: Tx, tenantId: string, contactIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    select from contact_activity where tenant_id = ${tenantId} and contact_id = any(${contactIds})
    order by contact_id for no key update`)
}

export interface ConversationLink {
  contactId: string
  conversationId: string
  channel: string
  phone: string | null
  teamId: string | null
  ownerId: string | null
}

export async function linkConversations(
  tx: Tx,
  tenantId: string,
  links: readonly ConversationLink[],
): Promise<void> {
  const column = <K extends keyof ConversationLink>(name: K) => links.map(link => link[name])
  await tx.run(sql`
    with input as (
      select * from unnest(${column('contactId')}::text[], ${column('conversationId')}::text[],
        ${column('channel')}::text[], ${column('phone')}::text[], ${column('teamId')}::text[],
        ${column('ownerId')}::text[]) as i (contact_id, conversation_id, channel, phone, team_id, owner_id)
    ), locked as (
      select a.contact_id from contact_activity a
      where a.tenant_id = ${tenantId} and a.contact_id in (select contact_id from input)
      order by a.contact_id for no key update
    ), upserted as (
      insert into contact_conversations as v
        (tenant_id, contact_id, conversation_id, channel, phone, team_id, owner_id)
      select ${tenantId}, contact_id, conversation_id, channel, phone, team_id, owner_id
      from locked join input using (contact_id)
      on conflict (tenant_id, contact_id, conversation_id) do update
        set team_id = excluded.team_id, owner_id = excluded.owner_id, phone = excluded.phone
      returning contact_id, xmax = 0 as is_new
    )
    update contact_activity a set conversation_count = a.conversation_count + n.created
    from (select contact_id, count(*) as created from upserted where is_new group by contact_id) n
    where a.tenant_id = ${tenantId} and a.contact_id = n.contact_id`)
}

/** A conversation whose session begins. */
export interface OpenedChat extends ConversationLink, Chat {}

/** Does what `recordChats` and `linkConversations` do, with one change of the activity. */
export async function recordOpenedChats(
  tx: Tx,
  tenantId: string,
  chats: readonly OpenedChat[],
): Promise<void> {
  if (chats.length === 0) return
  const column = <K extends keyof OpenedChat>(name: K) => chats.map(chat => chat[name])
  await tx.run(sql`
    with input as (
      select * from unnest(${column('contactId')}::text[], ${column('conversationId')}::text[],
        ${column('channel')}::text[], ${column('phone')}::text[], ${column('teamId')}::text[],
        ${column('ownerId')}::text[], ${column('sessionId')}::text[], ${column('at')}::timestamptz[])
        as i (contact_id, conversation_id, channel, phone, team_id, owner_id, session_id, at)
    ), locked as (
      select a.contact_id from contact_activity a
      where a.tenant_id = ${tenantId} and a.contact_id in (select contact_id from input)
      order by a.contact_id for no key update
    ), linked as (
      insert into contact_conversations as v
        (tenant_id, contact_id, conversation_id, channel, phone, team_id, owner_id)
      select ${tenantId}, contact_id, conversation_id, channel, phone, team_id, owner_id
      from locked join input using (contact_id)
      on conflict (tenant_id, contact_id, conversation_id) do update
        set team_id = excluded.team_id, owner_id = excluded.owner_id, phone = excluded.phone
      returning contact_id, xmax = 0 as is_new
    ), counted as (
      update contact_activity a
        set chat_count = a.chat_count + n.chats, conversation_count = a.conversation_count + n.conversations
      from (
        select contact_id, count(*) as chats, count(*) filter (where is_new) as conversations
        from linked group by contact_id) n
      where a.tenant_id = ${tenantId} and a.contact_id = n.contact_id
      returning a.contact_id
    )
    insert into contact_chats (tenant_id, contact_id, at, session_id)
    select ${tenantId}, contact_id, at, session_id from input join counted using (contact_id)`)
}

export async function unlinkConversation(
  tx: Tx,
  tenantId: string,
  contactId: string,
  conversationId: string,
): Promise<void> {
  await tx.run(sql`
    with locked as materialized (
      select contact_id from contact_activity where tenant_id = ${tenantId} and contact_id = ${contactId} for no key update
    ), deleted as (
      delete from contact_conversations v using locked
      where v.tenant_id = ${tenantId} and v.contact_id = locked.contact_id and v.conversation_id = ${conversationId}
      returning v.contact_id
    )
    update contact_activity a set conversation_count = a.conversation_count - 1
    from deleted where a.tenant_id = ${tenantId} and a.contact_id = deleted.contact_id`)
}

/** The teams and owners of a contact's conversations. */
export interface Audience {
  teamIds: string[]
  userIds: string[]
}

/** Lists the audiences of contacts that not every agent may see. */
export async function listAudiences(
  tx: Tx,
  tenantId: string,
  contactIds: readonly string[],
): Promise<Map<string, Audience>> {
  const rows = await tx.rows<Audience & { id: string }>(sql`
    select contact_id as id, array_agg(distinct team_id) as "teamIds",
      coalesce(array_agg(distinct owner_id) filter (where owner_id is not null), '{}') as "userIds"
    from contact_conversations where tenant_id = ${tenantId} and contact_id = any(${contactIds})
    group by contact_id having bool_and(team_id is not null)`)
  return new Map(rows.map(({ id, ...audience }) => [id, audience]))
}

/** The statement that lets filters count events: `select` has the workspace, contact, name, time and event id of each. */
export function insertContactEvents(select: Sql): Sql {
  return sql`insert into contact_events (tenant_id, contact_id, name, at, event_id) ${select}`
}

/** Lets filters count an event. The contact is locked until the commit; nothing is stored about a deleted one. */
export async function recordContactEvent(
  tx: Tx,
  tenantId: string,
  { contactId, name }: { contactId: string; name: string },
): Promise<void> {
  await tx.run(
    insertContactEvents(sql`
      select tenant_id, id, ${name}, ${tx.now}::timestamptz, ${EventId.create()} from (
        select tenant_id, id from contacts where tenant_id = ${tenantId} and id = ${contactId} and deleted_at is null
        for share) locked`),
  )
}

/** Deletes at most `limit` custom events of contacts. Returns how many were deleted. */
export async function deleteEventsBefore(tx: Tx, before: string, limit: number): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    with deleted as (
      delete from contact_events where ctid = any(array(
        select ctid from contact_events where at < ${before} and ${notMoving('contact_events.tenant_id')}
        limit ${limit} for update skip locked))
      returning 1
    )
    select count(*)::int as n from deleted`)
  return n
}

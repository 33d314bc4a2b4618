/** What happens around a contact. All single statements, safe to call for the same contact from many sides at once. */
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface Interaction {
  contactId: string
  at: string
}

/** Messages that came from contacts. */
export async function recordInteractions(
  tx: Tx,
  tenantId: string,
  interactions: readonly Interaction[],
): Promise<void> {
  if (interactions.length === 0) return
  await tx.run(sql`
    with news as (
      select contact_id, min(at) as first_at, max(at) as last_at
      from unnest(${interactions.map(i => i.contactId)}::text[], ${interactions.map(i => i.at)}::timestamptz[])
        as i (contact_id, at)
      group by contact_id
    ), held as (
      select a.contact_id from contact_activity a
      where a.tenant_id = ${tenantId} and a.contact_id in (select contact_id from news)
      order by a.contact_id for no key update
    )
    update contact_activity a set
      first_seen_at = least(coalesce(a.first_seen_at, 'infinity'), news.first_at),
      last_interaction_at = greatest(a.last_interaction_at, news.last_at)
    from held join news using (contact_id)
    where a.tenant_id = ${tenantId} and a.contact_id = held.contact_id`)
}

export interface Chat {
  contactId: string
  sessionId: string
  at: string
}

/** Chats (sessions) began. */
export async function recordChats(tx: Tx, tenantId: string, chats: readonly Chat[]): Promise<void> {
  await tx.run(sql`
    with news as (
      select * from unnest(${chats.map(chat => chat.contactId)}::text[], ${chats.map(chat => chat.sessionId)}::text[],
        ${chats.map(chat => chat.at)}::timestamptz[]) as i (contact_id, session_id, at)
    ), held as (
      select a.contact_id from contact_activity a
      where a.tenant_id = ${tenantId} and a.contact_id in (select contact_id from news)
      order by a.contact_id for no key update
    ), counted as (
      update contact_activity a set chat_count = a.chat_count + n.chats
      from (select contact_id, count(*) as chats from held join news using (contact_id) group by contact_id) n
      where a.tenant_id = ${tenantId} and a.contact_id = n.contact_id
      returning a.contact_id
    )
    insert into contact_chats (tenant_id, contact_id, at, session_id)
    select ${tenantId}, contact_id, at, session_id from news join counted using (contact_id)`)
}

export interface ConversationLink {
  contactId: string
  conversationId: string
  channel: string
  phone: string | null
  teamId: string | null
  ownerId: string | null
}

/** Says which conversations of contacts are whose: also when one is new, moves to a team or gets an owner. */
export async function linkConversations(
  tx: Tx,
  tenantId: string,
  links: readonly ConversationLink[],
): Promise<void> {
  const column = <K extends keyof ConversationLink>(name: K) => links.map(link => link[name])
  await tx.run(sql`
    with news as (
      select * from unnest(${column('contactId')}::text[], ${column('conversationId')}::text[],
        ${column('channel')}::text[], ${column('phone')}::text[], ${column('teamId')}::text[],
        ${column('ownerId')}::text[]) as i (contact_id, conversation_id, channel, phone, team_id, owner_id)
    ), held as (
      select a.contact_id from contact_activity a
      where a.tenant_id = ${tenantId} and a.contact_id in (select contact_id from news)
      order by a.contact_id for no key update
    ), put as (
      insert into contact_conversations as v
        (tenant_id, contact_id, conversation_id, channel, phone, team_id, owner_id)
      select ${tenantId}, contact_id, conversation_id, channel, phone, team_id, owner_id
      from held join news using (contact_id)
      on conflict (tenant_id, contact_id, conversation_id) do update
        set team_id = excluded.team_id, owner_id = excluded.owner_id, phone = excluded.phone
      returning contact_id, xmax = 0 as fresh
    )
    update contact_activity a set conversation_count = a.conversation_count + n.fresh
    from (select contact_id, count(*) as fresh from put where put.fresh group by contact_id) n
    where a.tenant_id = ${tenantId} and a.contact_id = n.contact_id`)
}

/** The conversation belongs to another contact now. */
export async function unlinkConversation(
  tx: Tx,
  tenantId: string,
  contactId: string,
  conversationId: string,
): Promise<void> {
  await tx.run(sql`
    with gone as (
      delete from contact_conversations
      where tenant_id = ${tenantId} and contact_id = ${contactId} and conversation_id = ${conversationId}
      returning contact_id
    )
    update contact_activity a set conversation_count = a.conversation_count - 1
    from gone where a.tenant_id = ${tenantId} and a.contact_id = gone.contact_id`)
}

/** Who else may see the contact: teams and owners of its conversations. */
export interface Audience {
  teamIds: string[]
  userIds: string[]
}

/** Nothing where everyone may see it. */
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

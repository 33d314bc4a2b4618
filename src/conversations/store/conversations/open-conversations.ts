/** Inserts conversations and sessions in batches. Each statement locks rows in one order, which prevents deadlocks. */
import type { Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { ConversationRow } from './conversation-rows.ts'

export interface NewConversation {
  id: string
  channel: string
  externalId: string
  contactId: string
  sessionId: string
  inboxId: string
  teamId: string | null
  ownerType: string | null
  ownerId: string | null
  at: string
}

/** Inserts conversations with their first sessions, which are open. */
export async function insertConversations(
  tx: Tx,
  tenantId: string,
  rows: readonly NewConversation[],
): Promise<void> {
  const column = <K extends keyof NewConversation>(name: K) => rows.map(row => row[name])
  await tx.run(sql`
    with input as (
      select * from unnest(${column('id')}::text[], ${column('channel')}::text[], ${column('externalId')}::text[],
          ${column('contactId')}::text[],
          ${column('sessionId')}::text[], ${column('inboxId')}::text[], ${column('teamId')}::text[],
          ${column('ownerType')}::text[], ${column('ownerId')}::text[], ${column('at')}::timestamptz[])
        as i (id, channel, external_id, contact_id, session_id, inbox_id, team_id, owner_type, owner_id, at)
    ), created as (
      insert into conversations (tenant_id, id, channel, external_id, contact_id, created_at)
      select ${tenantId}, id, channel, external_id, contact_id, at from input
    ), opened as (
      insert into conversation_sessions (tenant_id, id, conversation_id, inbox_id, contact_id, team_id, owner_type, owner_id,
        opened_at)
      select ${tenantId}, session_id, id, inbox_id, contact_id, team_id, owner_type, owner_id, at from input
    ), referenced as (
      insert into open_conversation_teams (tenant_id, conversation_id, team_id)
      select ${tenantId}, id, team_id from input where team_id is not null
    ), recorded as (
      insert into conversation_events (tenant_id, conversation_id, session_id, position, type, actor, details, at)
      select ${tenantId}, id, session_id, 0, 'opened', nullif(current_setting('parley.actor', true), ''),
        json_build_object('inboxId', inbox_id, 'owner', conversation_owner(owner_type, owner_id)), at
      from input
    ), counted as (
      insert into conversation_facts (tenant_id, at, type, inbox_id, team_id)
      select ${tenantId}, at, 'opened', inbox_id, team_id from input
    )
    insert into conversation_states (tenant_id, conversation_id, status, session_id, inbox_id, team_id, owner_type,
      owner_id, contact_id, last_message_at, updated_at, opened_at, revision)
    select ${tenantId}, id, 'open', session_id, inbox_id, team_id, owner_type, owner_id, contact_id, at, at, at, 1 from input`)
}

/**
 * Replaces the open sessions by the ones that the rows describe (`withNewSession`). The caller has locked the states.
 */
export async function startSessions(
  tx: Tx,
  tenantId: string,
  rows: readonly ConversationRow[],
): Promise<void> {
  if (rows.length === 0) return
  const column = <K extends keyof ConversationRow>(name: K) => rows.map(row => row[name])
  await tx.run(sql`
    with input as (
      select * from unnest(${column('id')}::text[], ${column('sessionId')}::text[], ${column('contactId')}::text[],
          ${column('inboxId')}::text[], ${column('teamId')}::text[], ${column('ownerType')}::text[],
          ${column('ownerId')}::text[], ${column('openedAt')}::timestamptz[])
        as i (conversation_id, session_id, contact_id, inbox_id, team_id, owner_type, owner_id, opened_at)
    ), ended as (
      update conversation_sessions s set closed_at = greatest(${tx.now}::timestamptz, s.opened_at) from input i
      where s.tenant_id = ${tenantId} and s.conversation_id = i.conversation_id and s.closed_at is null
    ), moved as (
      update conversation_states s set status = 'open', session_id = i.session_id, inbox_id = i.inbox_id,
        team_id = i.team_id, owner_type = i.owner_type, owner_id = i.owner_id, opened_at = i.opened_at, closed_at = null,
        revision = s.revision + 1, updated_at = ${tx.now}
      from input i where s.tenant_id = ${tenantId} and s.conversation_id = i.conversation_id
    ), freed as (
      delete from open_conversation_teams t using input i
      where i.team_id is null and t.tenant_id = ${tenantId} and t.conversation_id = i.conversation_id
    ), referenced as (
      insert into open_conversation_teams (tenant_id, conversation_id, team_id)
      select ${tenantId}, conversation_id, team_id from input where team_id is not null
      on conflict (tenant_id, conversation_id) do update set team_id = excluded.team_id
    )
    insert into conversation_sessions (tenant_id, id, conversation_id, inbox_id, contact_id, team_id, owner_type, owner_id,
      opened_at)
    select ${tenantId}, i.session_id, i.conversation_id, i.inbox_id, i.contact_id, i.team_id, i.owner_type, i.owner_id,
      i.opened_at from input i`)
}

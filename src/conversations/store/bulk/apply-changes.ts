/** Changes many locked conversations in a constant number of statements. */
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { ConversationRow } from '../conversations/conversation-rows.ts'
import { toPriorityRank } from '../conversations/conversations.ts'

/** Writes the state that the rows describe: status, team, owner, priority, snooze and times. */
export async function updateStates(
  tx: Tx,
  tenantId: string,
  rows: readonly ConversationRow[],
): Promise<void> {
  const column = <K extends keyof ConversationRow>(name: K) => rows.map(row => row[name])
  await tx.run(sql`
    update conversation_states s set status = i.status, team_id = i.team_id, owner_type = i.owner_type, owner_id = i.owner_id,
      closed_at = i.closed_at, waiting_since = i.waiting_since, priority = i.priority, snoozed = i.snoozed,
      snoozed_until = i.snoozed_until, revision = s.revision + 1, updated_at = ${tx.now}
    from unnest(${column('id')}::text[], ${column('status')}::text[], ${column('teamId')}::text[],
      ${column('ownerType')}::text[], ${column('ownerId')}::text[], ${column('closedAt')}::timestamptz[],
      ${column('waitingSince')}::timestamptz[], ${rows.map(row => toPriorityRank(row.priority))}::smallint[],
      ${column('snoozed')}::boolean[], ${column('snoozedUntil')}::timestamptz[])
      as i (id, status, team_id, owner_type, owner_id, closed_at, waiting_since, priority, snoozed, snoozed_until)
    where s.tenant_id = ${tenantId} and s.conversation_id = i.id`)
}

interface SessionChange {
  row: ConversationRow
  /** Whether the session ends or continues. */
  changesStatus: boolean
  /** null: as it is. */
  takenByPerson: boolean | null
}

/** Writes team, owner and end of the latest sessions, and the teams that open conversations reference. */
export async function updateSessions(
  tx: Tx,
  tenantId: string,
  changes: readonly SessionChange[],
): Promise<void> {
  const column = <K extends keyof ConversationRow>(name: K) => changes.map(({ row }) => row[name])
  const open = changes.filter(({ row }) => row.status === 'open' && row.teamId !== null)
  await tx.run(sql`
    with sessions as (
      update conversation_sessions n set closed_at = case when i.changes_status then i.closed_at else n.closed_at end, team_id = i.team_id, owner_type = i.owner_type,
        owner_id = i.owner_id, taken_by_person = coalesce(i.taken_by_person, n.taken_by_person)
      from unnest(${column('sessionId')}::text[], ${column('closedAt')}::timestamptz[], ${column('teamId')}::text[],
        ${column('ownerType')}::text[], ${column('ownerId')}::text[], ${changes.map(change => change.takenByPerson)}::boolean[],
        ${changes.map(change => change.changesStatus)}::boolean[])
        as i (id, closed_at, team_id, owner_type, owner_id, taken_by_person, changes_status)
      where n.tenant_id = ${tenantId} and n.id = i.id
    )
    delete from open_conversation_teams where tenant_id = ${tenantId} and conversation_id = any(${column('id')})`)
  await tx.run(sql`
    insert into open_conversation_teams (tenant_id, conversation_id, team_id)
    select ${tenantId}, id, team_id
    from unnest(${open.map(({ row }) => row.id)}::text[], ${open.map(({ row }) => row.teamId)}::text[]) as i (id, team_id)`)
}

/** Returns the sessions that a person has taken, which no bot takes over. */
export function listTakenSessions(
  on: Queryable,
  tenantId: string,
  sessionIds: readonly string[],
): Promise<Set<string>> {
  return on.set(sql`
    select id from conversation_sessions where tenant_id = ${tenantId} and id = any(${sessionIds}) and taken_by_person`)
}

export interface CursorRow {
  conversationId: string
  position: number
  customerPosition: number
  /** Absent in actions of earlier versions. */
  seenPosition?: number | null
}

export function listReadCursors(
  on: Queryable,
  tenantId: string,
  userId: string,
  conversationIds: readonly string[],
): Promise<CursorRow[]> {
  return on.rows(sql`
    select conversation_id as "conversationId", position, customer_position as "customerPosition",
      seen_position as "seenPosition"
    from read_cursors
    where tenant_id = ${tenantId} and user_id = ${userId} and conversation_id = any(${conversationIds})`)
}

/** Sets the read cursors of a user; a cursor without a position is deleted. */
export async function setReadCursors(
  tx: Tx,
  tenantId: string,
  userId: string,
  cursors: readonly (CursorRow | { conversationId: string; position: null })[],
): Promise<void> {
  const placed = cursors.filter((cursor): cursor is CursorRow => cursor.position !== null)
  await tx.run(sql`
    delete from read_cursors where tenant_id = ${tenantId} and user_id = ${userId}
      and conversation_id = any(${cursors.filter(({ position }) => position === null).map(cursor => cursor.conversationId)})`)
  await tx.run(sql`
    insert into read_cursors (tenant_id, user_id, conversation_id, position, customer_position, seen_position)
    select ${tenantId}, ${userId}, i.* from unnest(${placed.map(cursor => cursor.conversationId)}::text[],
      ${placed.map(cursor => cursor.position)}::int[], ${placed.map(cursor => cursor.customerPosition)}::int[],
      ${placed.map(cursor => cursor.seenPosition ?? null)}::int[]) as i
    on conflict (tenant_id, user_id, conversation_id) do update
      set position = excluded.position, customer_position = excluded.customer_position,
        seen_position = excluded.seen_position`)
}

/** Returns which of the users are enabled, and which of the teams, active bots and connected inboxes exist. */
export async function findExisting(
  on: Queryable,
  tenantId: string,
  ids: {
    users: readonly string[]
    teams: readonly string[]
    bots: readonly string[]
    inboxes: readonly string[]
  },
): Promise<Set<string>> {
  return on.set(sql`
    select id from users where tenant_id = ${tenantId} and id = any(${ids.users}) and not disabled
    union all select id from teams where tenant_id = ${tenantId} and id = any(${ids.teams})
    union all select bot_id from bot_assignments where tenant_id = ${tenantId} and bot_id = any(${ids.bots})
    union all select id from inboxes where tenant_id = ${tenantId} and id = any(${ids.inboxes}) and deleted_at is null`)
}

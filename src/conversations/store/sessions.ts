import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export async function closeSessions(tx: Tx, tenantId: string, conversationId: string): Promise<void> {
  await tx.run(sql`
    update conversation_sessions set closed_at = greatest(${tx.now}::timestamptz, opened_at)
    where tenant_id = ${tenantId} and conversation_id = ${conversationId} and closed_at is null`)
}

export async function updateSessionOwner(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  owner: { type: 'user' | 'team' | 'bot'; id: string } | null,
): Promise<void> {
  await tx.run(sql`
    update conversation_sessions set owner_type = ${owner?.type ?? null}, owner_id = ${owner?.id ?? null},
      taken_by_person = taken_by_person or ${owner?.type === 'user'}
    where tenant_id = ${tenantId} and id = ${sessionId}`)
}

export async function updateSessionTeam(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  teamId: string,
): Promise<void> {
  await tx.run(
    sql`update conversation_sessions set team_id = ${teamId} where tenant_id = ${tenantId} and id = ${sessionId}`,
  )
}

/** Returns the bot of the team, else the one for all other teams. */
export async function findAssignedBot(
  on: Queryable,
  tenantId: string,
  teamId: string | null,
): Promise<string | undefined> {
  const row = await on.maybe<{ botId: string }>(sql`
    select bot_id as "botId" from bot_assignments where tenant_id = ${tenantId} and team_id in ('', ${teamId ?? ''})
    order by team_id desc limit 1`)
  return row?.botId
}

/** Returns the teams that had no bot before. */
export async function insertBotAssignments(
  tx: Tx,
  tenantId: string,
  botId: string,
  teamIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ teamId: string }>(sql`
    insert into bot_assignments (tenant_id, team_id, bot_id)
    select ${tenantId}, team_id, ${botId} from unnest(${teamIds}::text[]) as team_id order by team_id
    on conflict do nothing returning team_id as "teamId"`)
  return new Set(rows.map(row => row.teamId))
}

export async function deleteBotAssignments(tx: Tx, tenantId: string, botId: string): Promise<void> {
  await tx.run(sql`delete from bot_assignments where tenant_id = ${tenantId} and bot_id = ${botId}`)
}

export function listOpenSessions(
  on: Queryable,
  tenantId: string,
  inboxId: string,
  limit: number,
): Promise<{ conversationId: string }[]> {
  return on.rows(sql`
    select conversation_id as "conversationId" from conversation_sessions
    where tenant_id = ${tenantId} and inbox_id = ${inboxId} and closed_at is null limit ${limit}`)
}

import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'

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

export async function reopenSession(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  { teamId, owner }: { teamId: string | null; owner: { type: 'user' | 'team' | 'bot'; id: string } | null },
): Promise<void> {
  await tx.run(sql`
    update conversation_sessions set closed_at = null, team_id = ${teamId}, owner_type = ${owner?.type ?? null},
      owner_id = ${owner?.id ?? null}
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

export type AutomaticReply = 'greeting' | 'away'

export interface AnsweredMessage {
  at: string
  /** The first message of its session. */
  isFirst: boolean
  greeted: boolean
  awaySent: boolean
}

/** Returns a customer's message with the automatic replies that its session has had. */
export function findAnsweredMessage(
  on: Queryable,
  tenantId: string,
  messageId: string,
): Promise<AnsweredMessage | undefined> {
  return on.maybe(sql`
    select m.created_at as at, s.greeted_at is not null as greeted, s.away_sent_at is not null as "awaySent",
      m.session_id is distinct from (
        select p.session_id from messages p
        where p.tenant_id = m.tenant_id and p.conversation_id = m.conversation_id and p.position < m.position
        order by p.position desc limit 1) as "isFirst"
    from messages m join conversation_sessions s on s.tenant_id = m.tenant_id and s.id = m.session_id
    where m.tenant_id = ${tenantId} and m.id = ${messageId}`)
}

export async function markReplied(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  reply: AutomaticReply,
): Promise<void> {
  const column = raw(reply === 'greeting' ? 'greeted_at' : 'away_sent_at')
  await tx.run(sql`
    update conversation_sessions set ${column} = ${tx.now} where tenant_id = ${tenantId} and id = ${sessionId}`)
}

/** Lists the bots that reply for the team, then those for all teams, each in their order. */
export function listAssignedBots(on: Queryable, tenantId: string, teamId: string | null): Promise<string[]> {
  return on.values<string>(sql`
    select bot_id from bot_assignments where tenant_id = ${tenantId} and team_id in ('', ${teamId ?? ''})
    order by team_id desc, position, bot_id`)
}

/** Whether the bot is active: it may reply in the sessions of some team. */
export async function botExists(on: Queryable, tenantId: string, botId: string): Promise<boolean> {
  const rows = await on.rows(
    sql`select from bot_assignments where tenant_id = ${tenantId} and bot_id = ${botId} limit 1`,
  )
  return rows.length > 0
}

export async function insertBotAssignments(
  tx: Tx,
  tenantId: string,
  { botId, position }: { botId: string; position: number },
  teamIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    insert into bot_assignments (tenant_id, team_id, bot_id, position)
    select ${tenantId}, team_id, ${botId}, ${position} from unnest(${teamIds}::text[]) as team_id
    on conflict do nothing`)
}

export async function updateBotPositions(
  tx: Tx,
  tenantId: string,
  positions: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.run(sql`
    update bot_assignments a set position = given.position
    from unnest(${[...positions.keys()]}::text[], ${[...positions.values()]}::int[]) as given (bot_id, position)
    where a.tenant_id = ${tenantId} and a.bot_id = given.bot_id`)
}

export async function deleteBotAssignments(
  tx: Tx,
  tenantId: string,
  botIds: readonly string[],
): Promise<void> {
  await tx.run(sql`delete from bot_assignments where tenant_id = ${tenantId} and bot_id = any(${botIds})`)
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

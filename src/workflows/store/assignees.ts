/** Whom in a team a conversation goes to. Held by the row of the team's turn, one after the other. */
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** The member after the one who had the last turn; disabled ones are passed over. */
export async function pickRoundRobin(tx: Tx, tenantId: string, teamId: string): Promise<string | undefined> {
  await tx.run(sql`
    insert into round_robin_cursors (tenant_id, team_id, last_user_id)
    select ${tenantId}, id, '' from teams where tenant_id = ${tenantId} and id = ${teamId} on conflict do nothing`)
  const turn = await tx.maybe<{ userId: string }>(sql`
    select last_user_id as "userId" from round_robin_cursors
    where tenant_id = ${tenantId} and team_id = ${teamId} for no key update`)
  const chosen = await tx.maybe<{ userId: string }>(sql`
    select m.user_id as "userId" from team_members m
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id and not u.disabled
    where m.tenant_id = ${tenantId} and m.team_id = ${teamId}
    order by m.user_id <= ${turn?.userId ?? ''}, m.user_id limit 1`)
  if (!chosen) return undefined
  await tx.run(sql`
    update round_robin_cursors set last_user_id = ${chosen.userId}
    where tenant_id = ${tenantId} and team_id = ${teamId}`)
  return chosen.userId
}

/** The member with the fewest open conversations; of several, whoever was there first. */
export async function pickLeastBusy(tx: Tx, tenantId: string, teamId: string): Promise<string | undefined> {
  // Two that ask at once are answered one after the other, so that they do not both see the same person idle.
  await tx.run(sql`select from teams where tenant_id = ${tenantId} and id = ${teamId} for no key update`)
  const chosen = await tx.maybe<{ userId: string }>(sql`
    select m.user_id as "userId" from team_members m
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id and not u.disabled
    where m.tenant_id = ${tenantId} and m.team_id = ${teamId}
    order by (
      select count(*) from conversation_sessions s
      where s.tenant_id = m.tenant_id and s.owner_id = m.user_id and s.owner_type = 'user' and s.closed_at is null
    ), m.user_id limit 1`)
  return chosen?.userId
}

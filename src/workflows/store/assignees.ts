/** Picks the member of a team that a conversation is assigned to. Concurrent picks of one team are serialized. */
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Picks the enabled member after the last picked one. */
export async function pickRoundRobin(tx: Tx, tenantId: string, teamId: string): Promise<string | undefined> {
  await tx.run(sql`
    insert into round_robin_cursors (tenant_id, team_id, last_user_id)
    select ${tenantId}, id, '' from teams where tenant_id = ${tenantId} and id = ${teamId} on conflict do nothing`)
  const cursor = await tx.maybe<{ userId: string }>(sql`
    select last_user_id as "userId" from round_robin_cursors
    where tenant_id = ${tenantId} and team_id = ${teamId} for no key update`)
  const picked = await tx.maybe<{ userId: string }>(sql`
    select m.user_id as "userId" from team_members m
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id and not u.disabled
    where m.tenant_id = ${tenantId} and m.team_id = ${teamId}
    order by m.user_id <= ${cursor?.userId ?? ''}, m.user_id limit 1`)
  if (!picked) return undefined
  await tx.run(sql`
    update round_robin_cursors set last_user_id = ${picked.userId}
    where tenant_id = ${tenantId} and team_id = ${teamId}`)
  return picked.userId
}

/** Picks the enabled member with the fewest open conversations; of several, the one with the lowest id. */
export async function pickLeastBusy(tx: Tx, tenantId: string, teamId: string): Promise<string | undefined> {
  // The lock prevents two concurrent picks from choosing the same member.
  await tx.run(sql`select from teams where tenant_id = ${tenantId} and id = ${teamId} for no key update`)
  const picked = await tx.maybe<{ userId: string }>(sql`
    select m.user_id as "userId" from team_members m
    join users u on u.tenant_id = m.tenant_id and u.id = m.user_id and not u.disabled
    where m.tenant_id = ${tenantId} and m.team_id = ${teamId}
    order by (
      select count(*) from conversation_sessions s
      where s.tenant_id = m.tenant_id and s.owner_id = m.user_id and s.owner_type = 'user' and s.closed_at is null
    ), m.user_id limit 1`)
  return picked?.userId
}

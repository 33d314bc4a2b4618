import type { Static } from 'typebox'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Team } from '../schemas.ts'
import { normalize } from './users.ts'

export type TeamRow = Static<typeof Team>

const columns = sql`t.id, t.name, t.created_at as "createdAt", t.updated_at as "updatedAt",
  array(select m.user_id from team_members m where m.tenant_id = t.tenant_id and m.team_id = t.id order by m.user_id) as "memberIds"`

export function listTeams(db: Queryable, tenantId: string): Promise<TeamRow[]> {
  return db.rows<TeamRow>(
    sql`select ${columns} from teams t where t.tenant_id = ${tenantId} order by t.id desc`,
  )
}

export function findTeam(db: Queryable, tenantId: string, id: string): Promise<TeamRow | undefined> {
  return db.maybe<TeamRow>(
    sql`select ${columns} from teams t where t.tenant_id = ${tenantId} and t.id = ${id}`,
  )
}

export async function insertTeam(
  tx: Tx,
  tenantId: string,
  team: { id: string; name: string },
): Promise<void> {
  await tx.run(sql`
    insert into teams (tenant_id, id, name, name_key, created_at, updated_at)
    values (${tenantId}, ${team.id}, ${team.name}, ${normalize(team.name)}, ${tx.now}, ${tx.now})`)
}

export function renameTeam(tx: Tx, tenantId: string, id: string, name: string): Promise<number> {
  return tx.run(sql`
    update teams set name = ${name}, name_key = ${normalize(name)}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

export function deleteTeamRow(tx: Tx, tenantId: string, id: string): Promise<number> {
  return tx.run(sql`delete from teams where tenant_id = ${tenantId} and id = ${id}`)
}

export function insertTeamMember(tx: Tx, tenantId: string, teamId: string, userId: string): Promise<number> {
  return tx.run(sql`
    insert into team_members (tenant_id, team_id, user_id) values (${tenantId}, ${teamId}, ${userId}) on conflict do nothing`)
}

export function deleteTeamMember(tx: Tx, tenantId: string, teamId: string, userId: string): Promise<number> {
  return tx.run(
    sql`delete from team_members where tenant_id = ${tenantId} and team_id = ${teamId} and user_id = ${userId}`,
  )
}

/** Returns the given ids that are teams of the workspace, and locks them against deletion. */
export function lockTeams(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  return tx.set<string>(
    sql`select id from teams where tenant_id = ${tenantId} and id = any(${ids}) order by id for key share`,
  )
}

export async function replaceTeamsOfUser(
  tx: Tx,
  tenantId: string,
  userId: string,
  teamIds: readonly string[],
): Promise<void> {
  await tx.run(
    sql`delete from team_members where tenant_id = ${tenantId} and user_id = ${userId} and team_id <> all(${teamIds})`,
  )
  await tx.run(sql`
    insert into team_members (tenant_id, team_id, user_id)
    select ${tenantId}, id, ${userId} from unnest(${teamIds}::text[]) as id on conflict do nothing`)
}

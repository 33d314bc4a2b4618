/** Teams: groups of users that inboxes route to. Team membership determines which conversations agents see. */
import { isForeignKeyViolation, isUniqueViolation, type Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import { emitChanged, pendingChange } from '../platform/events/changed.ts'
import { emitMany } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import { recordAudit } from './audit.ts'
import { TeamInUse, TeamNameTaken, TeamNotFound } from './errors.ts'
import { callersChanged } from './rights/reauthorize.ts'
import { TeamId } from './schemas.ts'
import {
  deleteTeamMember,
  deleteTeamRow,
  findTeam,
  insertTeam,
  insertTeamMember,
  lockTeams,
  renameTeam,
  type TeamRow,
} from './store/teams.ts'
import { getUser } from './users/users.ts'

export { findTeam, listTeams, lockTeams } from './store/teams.ts'

export async function getTeam(tx: Tx, tenantId: string, id: string): Promise<TeamRow> {
  return (await findTeam(tx, tenantId, id)) ?? fail(TeamNotFound)
}

async function mapNameTaken<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error, 'teams_name')) fail(TeamNameTaken, `"${name}" is taken; choose another name`)
    throw error
  }
}

export async function createTeam(tx: Tx, caller: Caller, name: string): Promise<TeamRow> {
  const id = TeamId.create()
  await mapNameTaken(name, insertTeam(tx, caller.tenantId, { id, name }))
  await recordAudit(tx, caller, 'team.created', id, { name })
  await emitChanged(tx, caller.tenantId, { kind: 'team', id })
  return getTeam(tx, caller.tenantId, id)
}

export async function updateTeam(
  tx: Tx,
  caller: Caller,
  id: string,
  change: { name?: string },
): Promise<TeamRow> {
  const team = await getTeam(tx, caller.tenantId, id)
  if (change.name !== undefined && change.name !== team.name) {
    await mapNameTaken(change.name, renameTeam(tx, caller.tenantId, id, change.name))
    await recordAudit(tx, caller, 'team.renamed', id, { from: team.name, to: change.name })
    await emitChanged(tx, caller.tenantId, { kind: 'team', id })
  }
  return getTeam(tx, caller.tenantId, id)
}

/** Deletes a team. Foreign keys refuse the deletion of a team that is in use. */
export async function deleteTeam(tx: Tx, caller: Caller, id: string): Promise<void> {
  const team = await getTeam(tx, caller.tenantId, id)
  try {
    if ((await deleteTeamRow(tx, caller.tenantId, id)) === 0) fail(TeamNotFound)
  } catch (error) {
    if (isForeignKeyViolation(error))
      fail(TeamInUse, 'assign its inboxes, bots and open conversations to another team first')
    throw error
  }
  await recordAudit(tx, caller, 'team.deleted', id, { name: team.name })
  await emitChanged(tx, caller.tenantId, { kind: 'team', id, revision: null })
  tx.signal(callersChanged, caller.tenantId)
}

export async function setTeamMember(
  tx: Tx,
  caller: Caller,
  teamId: string,
  userId: string,
  member: boolean,
): Promise<void> {
  if (!(await lockTeams(tx, caller.tenantId, [teamId])).has(teamId)) fail(TeamNotFound)
  await getUser(tx, caller.tenantId, userId)
  const changed = await (member ? insertTeamMember : deleteTeamMember)(tx, caller.tenantId, teamId, userId)
  if (changed === 0) return
  const action = member ? 'team.member_added' : 'team.member_removed'
  await recordAudit(tx, caller, action, teamId, { userId })
  await emitMany(tx, [
    pendingChange(caller.tenantId, { kind: 'team', id: teamId }),
    pendingChange(caller.tenantId, { kind: 'user', id: userId }),
  ])
  tx.signal(callersChanged, caller.tenantId)
}

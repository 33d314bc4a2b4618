/**
 * Users of a workspace. Roles and access change under the lock of the workspace, with the caller reloaded, so that a
 * workspace never loses its last enabled owner to concurrent changes. A user who is demoted or disabled loses their
 * open invitations and password resets.
 */
import type { Tx } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import { emit } from '../../platform/events/event.ts'
import type { Caller, Role } from '../../platform/http/caller.ts'
import { recordAudit } from '../audit.ts'
import {
  InvalidRole,
  LastOwner,
  OwnerChangeForbidden,
  RoleAssignmentDenied,
  SelfDisableForbidden,
  SelfRoleChangeForbidden,
  UserNotFound,
} from '../errors.ts'
import { accessChanged } from '../events.ts'
import { callersChanged, lockAndReload, type RoleDeps } from '../rights/reauthorize.ts'
import { roles } from '../rights/roles.ts'
import { revokeAuthSessionsOfUser } from '../store/auth-sessions.ts'
import { deleteOpenInvitationsBy, deleteOpenInvitationsFor } from '../store/invitations.ts'
import { deletePasswordResetOf, deletePasswordResetsBy } from '../store/password-resets.ts'
import { lockTeams, replaceTeamsOfUser } from '../store/teams.ts'
import { countOtherOwners, findUser, type UserRow, updateUserRow } from '../store/users.ts'

export {
  avatarUrlOf,
  findUser,
  findUserByEmail,
  joinedAt,
  listUsersById,
  selectAgentTeams,
} from '../store/users.ts'

export async function getUser(
  db: Parameters<typeof findUser>[0],
  tenantId: string,
  id: string,
): Promise<UserRow> {
  return (await findUser(db, tenantId, id)) ?? fail(UserNotFound)
}

export async function changeRole(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
  role: unknown,
): Promise<UserRow> {
  if (!isRole(role)) fail(InvalidRole)
  if (userId === caller.id) fail(SelfRoleChangeForbidden)
  const current = await lockAndReload(deps, tx, caller)
  const target = await getUser(tx, caller.tenantId, userId)
  if (target.role === 'owner' && current.role !== 'owner') fail(OwnerChangeForbidden)
  assertCanAssign(current, role)
  if (target.role === 'owner' && role !== 'owner') await assertOtherOwner(tx, caller.tenantId, target)
  if (target.role !== role) await setRole(tx, caller, target, role)
  return getUser(tx, caller.tenantId, userId)
}

function isRole(value: unknown): value is Role {
  return (roles as readonly unknown[]).includes(value)
}

async function setRole(tx: Tx, caller: Caller, target: UserRow, role: Role): Promise<void> {
  await updateUserRow(tx, caller.tenantId, target.id, { role })
  if (role !== 'owner') await revokeGrantsBy(tx, caller.tenantId, target.id)
  // A token to log in as the user with the old role must not give the new one.
  await deletePasswordResetOf(tx, caller.tenantId, target.id)
  await recordAudit(tx, caller, 'user.role_changed', target.id, { from: target.role, to: role })
  await emit(tx, accessChanged, { tenantId: caller.tenantId, data: { accountId: target.id } })
  await emitChanged(tx, caller.tenantId, { kind: 'user', id: target.id })
  tx.signal(callersChanged, caller.tenantId)
}

/** Revokes what a user or service account has granted and nobody has used yet. */
export async function revokeGrantsBy(tx: Tx, tenantId: string, creatorId: string): Promise<void> {
  await deleteOpenInvitationsBy(tx, tenantId, creatorId)
  await deletePasswordResetsBy(tx, tenantId, creatorId)
}

function assertCanAssign(caller: Caller, role: Role): void {
  if (role === 'owner' && caller.role !== 'owner')
    fail(RoleAssignmentDenied, 'only owners can assign the role owner')
  if (!caller.scopes.has(`user:assign_role_${role}`))
    fail(RoleAssignmentDenied, `the token lacks user:assign_role_${role}`)
}

async function assertOtherOwner(tx: Tx, tenantId: string, target: UserRow): Promise<void> {
  if (!target.disabled && (await countOtherOwners(tx, tenantId, target.id)) === 0) fail(LastOwner)
}

export interface UserPatch {
  teamIds?: string[]
  disabled?: boolean
}

export async function updateUser(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
  patch: UserPatch,
): Promise<UserRow> {
  const current = await lockAndReload(deps, tx, caller)
  const target = await getUser(tx, caller.tenantId, userId)
  if (target.role === 'owner' && current.role !== 'owner') fail(OwnerChangeForbidden)
  if (patch.teamIds) await setTeams(tx, caller, target, patch.teamIds)
  if (patch.disabled !== undefined && patch.disabled !== target.disabled)
    await setDisabled(tx, caller, target, patch.disabled)
  await emitChanged(tx, caller.tenantId, { kind: 'user', id: userId })
  tx.signal(callersChanged, caller.tenantId)
  return getUser(tx, caller.tenantId, userId)
}

async function setTeams(tx: Tx, caller: Caller, target: UserRow, teamIds: string[]): Promise<void> {
  await lockExistingTeams(tx, caller.tenantId, teamIds)
  if (hasSameMembers(target.teamIds, teamIds)) return
  await replaceTeamsOfUser(tx, caller.tenantId, target.id, teamIds)
  await recordAudit(tx, caller, 'user.teams_changed', target.id, { from: target.teamIds, to: teamIds })
}

function hasSameMembers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every(id => b.includes(id))
}

export async function lockExistingTeams(tx: Tx, tenantId: string, teamIds: readonly string[]): Promise<void> {
  const known = await lockTeams(tx, tenantId, teamIds)
  const unknown = teamIds.flatMap((id, i) =>
    known.has(id) ? [] : [violation(`teamIds[${i}]`, 'unknown_team', 'is not a team of this workspace')],
  )
  if (unknown.length > 0) invalid(...unknown)
}

async function setDisabled(tx: Tx, caller: Caller, target: UserRow, disabled: boolean): Promise<void> {
  if (disabled && target.id === caller.id) fail(SelfDisableForbidden)
  if (disabled && target.role === 'owner') await assertOtherOwner(tx, caller.tenantId, target)
  await updateUserRow(tx, caller.tenantId, target.id, { disabled })
  if (disabled) {
    await revokeAuthSessionsOfUser(tx, caller.tenantId, target.id)
    await revokeGrantsBy(tx, caller.tenantId, target.id)
    await deletePasswordResetOf(tx, caller.tenantId, target.id)
    await emit(tx, accessChanged, { tenantId: caller.tenantId, data: { accountId: target.id } })
  }
  // An invitation from before must neither enable the user nor demote them.
  await deleteOpenInvitationsFor(tx, caller.tenantId, target.email)
  const action = disabled ? 'user.disabled' : 'user.enabled'
  await recordAudit(tx, caller, action, target.id)
}

export async function updateProfile(
  tx: Tx,
  caller: Caller,
  change: { name?: string; avatarUrl?: string | null },
): Promise<UserRow> {
  await updateUserRow(tx, caller.tenantId, caller.id, change)
  await emitChanged(tx, caller.tenantId, { kind: 'user', id: caller.id })
  return getUser(tx, caller.tenantId, caller.id)
}

/** Changes the profile on request: a picture of this service is set by its upload and can only be repeated. */
export async function editProfile(
  tx: Tx,
  caller: Caller,
  change: Parameters<typeof updateProfile>[2],
): Promise<UserRow> {
  const { avatarUrl } = change
  if (avatarUrl?.startsWith('/')) {
    const { avatarUrl: current } = await getUser(tx, caller.tenantId, caller.id)
    if (avatarUrl !== current)
      invalid(violation('avatarUrl', 'not_current', 'must be your current picture, or a URL; upload others'))
  }
  return updateProfile(tx, caller, change)
}

/**
 * Reloads the caller inside a transaction. The authenticated caller may be up to a second old, but grants are
 * permanent: accounts, keys, invitations, roles and versions of workflows are granted under the lock of the workspace, by
 * the reloaded caller.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, RoleMissing } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findServiceAccount, hasUnrevokedKey } from '../store/service-accounts.ts'
import { findUser, lockTenant } from '../store/users.ts'
import { getEffectiveScopes } from './roles.ts'

/** Signal about a workspace, sent with `tx.signal` by every change of a caller's access. */
export const callersChanged = 'identity.callers_changed'

export type RoleDeps = Pick<Deps, 'roleScopes'>

/** Locks the workspace and returns the reloaded caller. Throws if the caller is no longer an owner or admin. */
export async function lockAndReload(deps: RoleDeps, tx: Tx, caller: Caller): Promise<Caller> {
  await lockTenant(tx, caller.tenantId)
  const current = await reloadCaller(deps, tx, caller)
  if (!current || current.role === 'agent') fail(RoleMissing, 'your own role has changed')
  return current
}

/** The rights of a user or service account. */
export type Access = Pick<Caller, 'role' | 'scopes' | 'teamIds'>

/**
 * Returns the current rights of a user or service account; undefined if it is disabled or deleted, or if the last key of a
 * service account was revoked.
 */
export async function findAccess(
  { roleScopes }: RoleDeps,
  on: Queryable,
  tenantId: string,
  id: string,
): Promise<Access | undefined> {
  const user = await findUser(on, tenantId, id)
  if (user)
    return user.disabled
      ? undefined
      : { role: user.role, scopes: roleScopes[user.role], teamIds: user.teamIds }
  const account = await findServiceAccount(on, tenantId, id)
  if (!account?.isActive || !(await hasUnrevokedKey(on, tenantId, id))) return undefined
  const { role } = account
  return { role, scopes: getEffectiveScopes({ roleScopes }, role, account.scopes), teamIds: [] }
}

/** Locks the workspace against changes of access and returns the reloaded caller. */
export async function lockCaller(deps: RoleDeps, tx: Tx, caller: Caller): Promise<Caller> {
  await lockTenant(tx, caller.tenantId)
  return (await reloadCaller(deps, tx, caller)) ?? fail(RoleMissing, 'your account was disabled')
}

/** Returns the caller with current role, scopes and teams; undefined if disabled or deleted. */
export async function reloadCaller(deps: RoleDeps, tx: Tx, caller: Caller): Promise<Caller | undefined> {
  // Service accounts are never owners: this is the operator at the command line.
  if (caller.kind === 'service' && caller.role === 'owner') return caller
  const access = await findAccess(deps, tx, caller.tenantId, caller.id)
  return access && { ...caller, ...access }
}

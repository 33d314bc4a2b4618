/**
 * Reloads the caller inside a transaction. The authenticated caller may be up to a second old, but grants are
 * permanent: accounts, keys, invitations and roles are granted under the lock of the workspace, by the reloaded caller.
 */
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, RoleMissing } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { getEffectiveScopes } from './roles.ts'
import { findServiceAccount } from './store/service-accounts.ts'
import { findUser, lockTenant } from './store/users.ts'

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

/** Returns the caller with current role, scopes and teams; undefined if disabled or deleted. */
export async function reloadCaller(deps: RoleDeps, tx: Tx, caller: Caller): Promise<Caller | undefined> {
  // Service accounts are never owners: this is the operator at the command line.
  if (caller.kind === 'service' && caller.role === 'owner') return caller
  if (caller.kind === 'service') {
    const account = await findServiceAccount(tx, caller.tenantId, caller.id)
    return account?.isActive
      ? { ...caller, role: account.role, scopes: getEffectiveScopes(deps, account.role, account.scopes) }
      : undefined
  }
  const user = await findUser(tx, caller.tenantId, caller.id)
  return user && !user.disabled
    ? { ...caller, role: user.role, scopes: deps.roleScopes[user.role], teamIds: user.teamIds }
    : undefined
}

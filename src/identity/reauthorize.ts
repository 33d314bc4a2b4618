/**
 * Who decides about others is looked at again. What the caller may do is known from up to a second ago, but what they
 * grant with it stays: so accounts, keys, invitations and roles are given out behind the lock of the workspace, by the
 * caller as they are at that moment.
 */
import type { Tx } from '../platform/db/db.ts'
import { fail, RoleMissing } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { getEffectiveScopes, roleScopes } from './roles.ts'
import { findServiceAccount } from './store/service-accounts.ts'
import { findUser, lockTenant } from './store/users.ts'

export async function lockAndReload(tx: Tx, caller: Caller): Promise<Caller> {
  await lockTenant(tx, caller.tenantId)
  const current = await reloadCaller(tx, caller)
  if (!current || current.role === 'agent') fail(RoleMissing, 'your own role has changed')
  return current
}

/** The caller as they are now; nothing when they may do nothing any more. Also for work that goes on after its request. */
export async function reloadCaller(tx: Tx, caller: Caller): Promise<Caller | undefined> {
  // No service account is an owner: this is the operator of the installation.
  if (caller.kind === 'service' && caller.role === 'owner') return caller
  if (caller.kind === 'service') {
    const account = await findServiceAccount(tx, caller.tenantId, caller.id)
    return account?.isActive
      ? { ...caller, role: account.role, scopes: getEffectiveScopes(account.role, account.scopes) }
      : undefined
  }
  const user = await findUser(tx, caller.tenantId, caller.id)
  return user && !user.disabled
    ? { ...caller, role: user.role, scopes: roleScopes[user.role], teamIds: user.teamIds }
    : undefined
}

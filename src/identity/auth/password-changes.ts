/**
 * Changes of passwords: by the user, with the current one, or with a one-time token that an administrator passes
 * on. A changed password ends the user's other sessions.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { recordAudit } from '../audit.ts'
import {
  OwnerChangeForbidden,
  PasswordNotUsed,
  PasswordResetInvalid,
  PasswordWrong,
  SelfPasswordResetForbidden,
  UserDisabled,
} from '../errors.ts'
import { callersChanged, lockAndReload, type RoleDeps } from '../rights/reauthorize.ts'
import { assertCanGrant } from '../rights/roles.ts'
import { revokeAuthSessionsOfUser } from '../store/auth-sessions.ts'
import {
  consumePasswordReset,
  deletePasswordResetOf,
  findOpenPasswordReset,
  replacePasswordReset,
} from '../store/password-resets.ts'
import { findPassword, type PasswordRow, setPasswordHash, type UserRow } from '../store/users.ts'
import { getUser } from '../users/users.ts'
import { takeAttempt } from './login-throttle.ts'
import { assertStrongPassword } from './password-strength.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { generateSecretToken, hashSecret } from './tokens.ts'

const resetTtlMs = 24 * 3_600_000

/** Throws unless this is the caller's password. A wrong one counts as a failed login. */
export async function verifyOwnPassword(
  deps: Deps,
  caller: Caller,
  password: string,
  address: string,
): Promise<PasswordRow & { passwordHash: string }> {
  const account = await findPassword(deps.db, caller.tenantId, caller.id)
  if (!account?.passwordHash) fail(PasswordNotUsed, 'change the password at your identity provider')
  const { refund } = await takeAttempt(deps, { email: account.email, password, address }, [caller])
  if (!(await verifyPassword(account.passwordHash, password))) fail(PasswordWrong)
  await refund()
  return { ...account, passwordHash: account.passwordHash }
}

export interface PasswordChange {
  current: string
  new: string
  address: string
  /** The session of the request, which is kept. */
  sessionId: string | undefined
}

export async function changePassword(deps: Deps, caller: Caller, change: PasswordChange): Promise<void> {
  const { tenantId, id } = caller
  const account = await verifyOwnPassword(deps, caller, change.current, change.address)
  assertStrongPassword('new', change.new, account)
  const passwordHash = await hashPassword(change.new)
  await transact(deps.db, async tx => {
    if (!(await setPasswordHash(tx, tenantId, id, passwordHash, account.passwordHash)))
      fail(PasswordWrong, 'the password was changed at the same time')
    await endOtherAccess(tx, tenantId, id, change.sessionId)
    await recordAudit(tx, caller, 'user.password_changed', id)
  })
}

/** Ends what the old password, or a token to replace it, gave access to. */
async function endOtherAccess(tx: Tx, tenantId: string, userId: string, keptSessionId?: string) {
  await revokeAuthSessionsOfUser(tx, tenantId, userId, keptSessionId)
  await deletePasswordResetOf(tx, tenantId, userId)
  tx.signal(callersChanged, tenantId)
}

/** Locks and returns a user whose way to log in the caller may replace: a caller must hold what the user may do. */
export async function lockManagedUser(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
): Promise<UserRow> {
  const current = await lockAndReload(deps, tx, caller)
  const target = await getUser(tx, caller.tenantId, userId)
  if (target.role === 'owner' && current.role !== 'owner') fail(OwnerChangeForbidden)
  assertCanGrant(current, target.role, deps.roleScopes[target.role])
  return target
}

export async function requestPasswordReset(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
): Promise<{ token: string; expiresAt: string }> {
  if (userId === caller.id) fail(SelfPasswordResetForbidden, 'use PUT /users/me/password')
  const target = await lockManagedUser(deps, tx, caller, userId)
  if (target.disabled) fail(UserDisabled, 'enable the user first')
  if (target.provider !== 'password') fail(PasswordNotUsed, 'reset the password at the identity provider')
  const { token, hash } = generateSecretToken('pwr', caller.tenantId)
  const expiresAt = new Date(Date.parse(tx.now) + resetTtlMs).toISOString()
  await replacePasswordReset(tx, caller.tenantId, {
    userId,
    tokenHash: hash,
    createdBy: caller.id,
    expiresAt,
  })
  await recordAudit(tx, caller, 'user.password_reset_requested', userId)
  return { token, expiresAt }
}

export async function resetPassword(deps: Deps, token: string, password: string): Promise<void> {
  const tokenHash = hashSecret(token)
  const account = await findOpenPasswordReset(deps.db, tokenHash)
  if (!account) fail(PasswordResetInvalid, 'ask an administrator for a new one')
  assertStrongPassword('password', password, account)
  const { tenantId, userId } = account
  const passwordHash = await hashPassword(password)
  await transact(deps.db, async tx => {
    if (
      !(await consumePasswordReset(tx, tokenHash)) ||
      !(await setPasswordHash(tx, tenantId, userId, passwordHash))
    )
      fail(PasswordResetInvalid, 'ask an administrator for a new one')
    await endOtherAccess(tx, tenantId, userId)
    await recordAudit(tx, { kind: 'user', id: userId, tenantId }, 'user.password_reset', userId)
  })
}

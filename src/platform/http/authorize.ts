/** The first three checks of every request: token (401), role (403), scope (403). */
import { fail, problemKind, RoleMissing, ScopeMissing, Unauthenticated } from '../errors.ts'
import type { Authenticate, Caller, Scope } from './caller.ts'
import type { Access } from './route.ts'

export const UserRequired = problemKind(
  403,
  'auth_user_required',
  'This operation is for users, not for service accounts',
)

export const SecondFactorMissing = problemKind(
  403,
  'auth_second_factor_missing',
  'The workspace requires a second factor',
)

export async function authenticateHeader(
  authenticate: Authenticate,
  header: string | undefined,
): Promise<Caller> {
  if (header === undefined) fail(Unauthenticated, 'send Authorization: Bearer <token>')
  const token = /^Bearer +([\x21-\x7e]{1,8192})$/i.exec(header)?.[1]
  if (token === undefined) fail(Unauthenticated, 'the Authorization header must be: Bearer <token>')
  const caller = await authenticate(token)
  if (caller === undefined) fail(Unauthenticated, 'the token is invalid, expired or revoked')
  return caller
}

export function authorize(access: Access, caller: Caller): void {
  if (!access.roles.includes(caller.role))
    fail(RoleMissing, `requires one of the roles ${access.roles.join(', ')}`)
  if (!caller.secondFactorMissing) requireScopes(access.scopes, caller)
  else if (!access.beforeSecondFactor)
    fail(SecondFactorMissing, 'set it up with POST /users/me/second-factor, then confirm it')
  if (access.userOnly && caller.kind !== 'user') fail(UserRequired, 'log in as a user')
}

export function requireScopes(scopes: readonly Scope[], caller: Caller): void {
  const missing = scopes.filter(scope => !caller.scopes.has(scope))
  if (missing.length > 0) fail(ScopeMissing, `the token lacks ${missing.join(', ')}`)
}

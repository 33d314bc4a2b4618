/**
 * Logins. Each is a family of refresh tokens of which only the newest works; an older one coming back means that
 * somebody has a copy, and ends the family. Wrong passwords are slow, few, and tell nothing about who exists.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import { recordAudit } from '../audit.ts'
import { LoginFailed, RefreshTokenInvalid, TenantRequired } from '../errors.ts'
import { AuthSessionId } from '../schemas.ts'
import {
  insertAuthSession,
  insertRefreshToken,
  lockRefreshToken,
  markRefreshTokenUsed,
  type RefreshTokenState,
  revokeAuthSession,
} from '../store/auth-sessions.ts'
import { type Credentials, findUser, listCredentials, type UserRow } from '../store/users.ts'
import { callersChanged } from './authenticate.ts'
import { filterAllowedAccounts, hashOrigin, type LoginAttempt, takeAttempt } from './login-throttle.ts'
import { verifyPassword } from './passwords.ts'
import { accessTokenSeconds, createAccessTokens, generateSecretToken, hashSecret } from './tokens.ts'

const sessionTtlDays = 30
/** Refused logins are answered at multiples of this, so that the work behind the answer cannot be timed. */
const failureIntervalMs = 1_000
const maxTenants = 10

export interface LoginResult {
  accessToken: string
  tokenType: 'Bearer'
  expiresIn: number
  refreshToken: string
  user: UserRow
}

export async function logIn(deps: Deps, attempt: LoginAttempt): Promise<LoginResult> {
  const matching = await delayFailures(() => authenticateAccounts(deps, attempt))
  if (matching.length > 1) {
    const tenants = matching.map(account => ({ id: account.tenantId, name: account.tenantName }))
    fail(TenantRequired, 'send tenantId with one of these', { members: { tenants } })
  }
  const { tenantId, id } = matching[0]!
  return transact(deps.db, tx =>
    createAuthSession(deps, tx, { tenantId, userId: id, address: attempt.address }),
  )
}

async function authenticateAccounts(deps: Deps, attempt: LoginAttempt): Promise<Credentials[]> {
  const refund = await takeAttempt(deps, attempt)
  const candidates = await listCredentials(deps.db, attempt.email, attempt.tenantId, maxTenants)
  const allowed = await filterAllowedAccounts(deps, attempt, candidates)
  const matching = await filterMatchingAccounts(allowed, attempt.password)
  if (matching.length === 0) fail(LoginFailed)
  await refund()
  return matching
}

async function filterMatchingAccounts(candidates: Credentials[], password: string): Promise<Credentials[]> {
  if (candidates.length === 0) await verifyPassword(null, password)
  const verdicts = await Promise.all(
    candidates.map(account => verifyPassword(account.passwordHash, password)),
  )
  return candidates.filter((account, i) => verdicts[i] && !account.disabled)
}

async function delayFailures<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } catch (error) {
    const elapsed = performance.now() - started
    await sleep(Math.ceil(elapsed / failureIntervalMs) * failureIntervalMs - elapsed)
    throw error
  }
}

export interface SessionInput {
  tenantId: string
  userId: string
  /** Where they came from, when it was over HTTP. */
  address?: string
}

/** Makes a login for a user whose identity is established. */
export async function createAuthSession(
  deps: Deps,
  tx: Tx,
  { tenantId, userId, address }: SessionInput,
): Promise<LoginResult> {
  const sessionId = AuthSessionId.create()
  const expiresAt = new Date(Date.parse(tx.now) + sessionTtlDays * 86_400_000).toISOString()
  const origin = address === undefined ? null : hashOrigin(deps, address)
  if (!(await insertAuthSession(tx, tenantId, { id: sessionId, userId, origin, expiresAt })))
    fail(LoginFailed)
  return issueTokens(deps, tx, { tenantId, userId, sessionId })
}

async function issueTokens(
  deps: Deps,
  tx: Tx,
  claims: { tenantId: string; userId: string; sessionId: string },
): Promise<LoginResult> {
  const refresh = generateSecretToken('rt')
  await insertRefreshToken(tx, claims.tenantId, claims.sessionId, refresh.hash)
  const user = await findUser(tx, claims.tenantId, claims.userId)
  const accessToken = await createAccessTokens(deps.keys, deps.clock).issue(claims)
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: accessTokenSeconds,
    refreshToken: refresh.token,
    user: user!,
  }
}

export async function refreshTokens(deps: Deps, refreshToken: string): Promise<LoginResult> {
  const hash = hashSecret(refreshToken)
  const result = await transact(deps.db, async tx => {
    const state = await lockRefreshToken(tx, hash)
    if (!state?.alive) return undefined
    if (state.used) {
      await revokeReusedSession(tx, state)
      return undefined
    }
    await markRefreshTokenUsed(tx, hash)
    return issueTokens(deps, tx, state)
  })
  return result ?? fail(RefreshTokenInvalid, 'log in again')
}

async function revokeReusedSession(
  tx: Tx,
  { tenantId, sessionId, userId }: RefreshTokenState,
): Promise<void> {
  await revokeAuthSession(tx, tenantId, sessionId)
  await recordAudit(
    tx,
    tenantId,
    { kind: 'system' },
    {
      action: 'login.revoked',
      targetType: 'user',
      targetId: userId,
      details: { reason: 'refresh_token_reused' },
    },
  )
  tx.signal(callersChanged, tenantId)
}

export async function logOut(tx: Tx, tenantId: string, sessionId: string): Promise<void> {
  await revokeAuthSession(tx, tenantId, sessionId)
  tx.signal(callersChanged, tenantId)
}

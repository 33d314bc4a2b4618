/**
 * Auth sessions. Each is a family of refresh tokens of which only the newest is valid; reuse of an older one means that
 * it was copied, and revokes the session. Failed logins are slow, limited, and do not reveal which accounts exist.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from 'typebox'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import { recordAudit } from '../audit.ts'
import { LoginFailed, RefreshTokenInvalid, SecondFactorCodeRequired, TenantRequired } from '../errors.ts'
import { callersChanged } from '../rights/reauthorize.ts'
import { AuthSessionId, type LoginResponse } from '../schemas.ts'
import {
  insertAuthSession,
  insertRefreshToken,
  lockRefreshToken,
  markRefreshTokenUsed,
  type RefreshTokenState,
  revokeAuthSession,
} from '../store/auth-sessions.ts'
import { type Credentials, findUser, listCredentials } from '../store/users.ts'
import { filterAllowedAccounts, hashOrigin, type LoginAttempt, takeAttempt } from './login-throttle.ts'
import { verifyPassword } from './passwords.ts'
import { challengeSeconds, createChallenge, verifySecondFactor } from './second-factor.ts'
import { accessTokenSeconds, createAccessTokens, generateSecretToken, hashSecret } from './tokens.ts'

const sessionTtlDays = 30
/** Failed logins respond at multiples of this time, so that response times reveal nothing. */
const failureIntervalMs = 1_000
const maxTenants = 10

export type LoginResult = Static<typeof LoginResponse>

type ClientLogin = LoginAttempt & { userAgent?: string | undefined }

export async function logIn(deps: Deps, attempt: ClientLogin): Promise<LoginResult> {
  const { cell, account } = await verifyLogin(deps, attempt)
  const { address, userAgent } = attempt
  return startSession(cell, { tenantId: account.tenantId, userId: account.id, address, userAgent })
}

export interface VerifiedAccount {
  cell: Deps
  account: Credentials
}

/** Returns the account of a login. Throws if it does not exist, is one of several, or needs a code as well. */
export async function verifyLogin(deps: Deps, attempt: LoginAttempt): Promise<VerifiedAccount> {
  const matching = await delayFailures(() => authenticateAccounts(deps, attempt))
  if (matching.length > 1) {
    const tenants = matching.map(({ account }) => ({ id: account.tenantId, name: account.tenantName }))
    fail(TenantRequired, 'send tenantId with one of these', { members: { tenants } })
  }
  const { cell, account } = matching[0]!
  if (account.hasSecondFactor)
    fail(SecondFactorCodeRequired, 'send challenge and code to POST /auth/second-factor', {
      members: { challenge: createChallenge(cell, account), expiresIn: challengeSeconds },
    })
  return { cell, account }
}

/** Ends a login that was answered with a challenge. */
export async function completeLogin(
  deps: Deps,
  input: { challenge: string; code: string; address: string; userAgent?: string | undefined },
): Promise<LoginResult> {
  const user = await verifySecondFactor(deps, input)
  return startSession(deps, { ...user, address: input.address, userAgent: input.userAgent })
}

/** Creates the session of a login and records it. */
function startSession(deps: Deps, session: SessionInput): Promise<LoginResult> {
  const { tenantId, userId, address } = session
  return transact(deps.db, async tx => {
    const result = await createAuthSession(deps, tx, session)
    const user = { type: 'user', id: userId }
    await recordAudit(tx, { kind: 'user', id: userId, tenantId }, 'login.succeeded', user, { address })
    return result
  })
}

interface CandidatesOfCell {
  cell: Deps
  candidates: Credentials[]
}

/** Returns the matching accounts of all cells. Attempts are limited in each cell that knows the address. */
async function authenticateAccounts({ cells }: Deps, attempt: LoginAttempt): Promise<VerifiedAccount[]> {
  const { email, tenantId } = attempt
  const searched = tenantId === undefined ? cells.usable() : [await cells.of(tenantId)]
  const found = await Promise.all(
    searched.map(async cell => ({
      cell,
      candidates: await listCredentialsIn(cell, email, tenantId),
    })),
  )
  const knowing = found.filter(({ candidates }) => candidates.length > 0)
  if (knowing.length === 0 && tenantId === undefined) cells.assertComplete()
  const tried = knowing.length > 0 ? knowing : found.slice(0, 1)
  const results = await Promise.allSettled(tried.map(each => authenticateInCell(each, attempt)))
  const matching = results.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
  const failed = results.find(result => result.status === 'rejected')
  if (matching.length === 0 && failed) throw failed.reason
  if (matching.length === 0) fail(LoginFailed)
  return matching.slice(0, maxTenants)
}

/** A workspace that moves is in two cells for a while. */
async function listCredentialsIn(
  cell: Deps,
  email: string,
  tenantId: string | undefined,
): Promise<Credentials[]> {
  const found = await listCredentials(cell.db, email, tenantId, maxTenants)
  if (cell.cells.size === 1) return found
  const cells = await Promise.all(found.map(each => cell.cells.of(each.tenantId)))
  return found.filter((_, n) => cells[n]!.cell.name === cell.cell.name)
}

async function authenticateInCell(
  { cell, candidates }: CandidatesOfCell,
  attempt: LoginAttempt,
): Promise<VerifiedAccount[]> {
  const taken = await takeAttempt(cell, attempt, candidates)
  const allowed = await filterAllowedAccounts(cell, attempt, taken.allowed)
  const matching = await filterMatchingAccounts(allowed, attempt.password)
  if (matching.length > 0) await taken.refund()
  return matching.map(account => ({ cell, account }))
}

async function filterMatchingAccounts(candidates: Credentials[], password: string): Promise<Credentials[]> {
  if (candidates.length === 0) await verifyPassword(null, password)
  const matches = await Promise.all(candidates.map(account => verifyPassword(account.passwordHash, password)))
  return candidates.filter((account, i) => matches[i] && !account.disabled)
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
  /** The client address, for logins over HTTP. */
  address?: string | undefined
  userAgent?: string | undefined
}

export async function createAuthSession(
  deps: Deps,
  tx: Tx,
  { tenantId, userId, address, userAgent }: SessionInput,
): Promise<LoginResult> {
  const sessionId = AuthSessionId.create()
  const expiresAt = new Date(Date.parse(tx.now) + sessionTtlDays * 86_400_000).toISOString()
  const origin = address === undefined ? null : hashOrigin(deps, address)
  const session = { id: sessionId, userId, origin, expiresAt, address, userAgent }
  if (!(await insertAuthSession(tx, tenantId, session))) fail(LoginFailed)
  return issueTokens(deps, tx, { tenantId, userId, sessionId })
}

async function issueTokens(
  deps: Deps,
  tx: Tx,
  claims: { tenantId: string; userId: string; sessionId: string },
): Promise<LoginResult> {
  const refresh = generateSecretToken('rt', claims.tenantId)
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
    { kind: 'system', tenantId },
    'login.revoked',
    { type: 'user', id: userId },
    { reason: 'refresh_token_reused' },
  )
  tx.signal(callersChanged, tenantId)
}

export async function logOut(tx: Tx, tenantId: string, sessionId: string): Promise<void> {
  await revokeAuthSession(tx, tenantId, sessionId)
  tx.signal(callersChanged, tenantId)
}

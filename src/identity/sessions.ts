/**
 * Logins. Each is a family of refresh tokens of which only the newest works; an older one coming back means that
 * somebody has a copy, and ends the family. Wrong passwords are slow, few, and tell nothing about who exists.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { type Attempt, heardAccounts, originOf, takeTurn } from './attempts.ts'
import { recordAudit } from './audit.ts'
import { callersChanged } from './callers.ts'
import { LoginFailed, RefreshTokenInvalid, TenantRequired } from './errors.ts'
import { passwordMatches } from './passwords.ts'
import {
  insertLogin,
  insertRefreshToken,
  lockRefreshToken,
  type RefreshState,
  revokeLogin,
  useRefreshToken,
} from './store/logins.ts'
import { type Credentials, findUser, listCredentials, type UserRow } from './store/users.ts'
import { accessTokenSeconds, accessTokens, hashSecret, makeSecretToken } from './tokens.ts'

const loginDays = 30
/** Refused logins are answered at multiples of this, so that the work behind the answer cannot be timed. */
const beatMs = 1_000
const mostTenants = 10

export interface LoginResult {
  accessToken: string
  tokenType: 'Bearer'
  expiresIn: number
  refreshToken: string
  user: UserRow
}

export async function login(deps: Deps, attempt: Attempt): Promise<LoginResult> {
  const matching = await refusingOnBeat(() => provenAccounts(deps, attempt))
  if (matching.length > 1) {
    const tenants = matching.map(account => ({ id: account.tenantId, name: account.tenantName }))
    fail(TenantRequired, 'send tenantId with one of these', { members: { tenants } })
  }
  const { tenantId, id } = matching[0]!
  return transact(deps.db, tx => openLogin(deps, tx, { tenantId, userId: id, address: attempt.address }))
}

async function provenAccounts(deps: Deps, attempt: Attempt): Promise<Credentials[]> {
  const giveBack = await takeTurn(deps, attempt)
  const candidates = await listCredentials(deps.db, attempt.email, attempt.tenantId, mostTenants)
  const heard = await heardAccounts(deps, attempt, candidates)
  const matching = await matchingAccounts(heard, attempt.password)
  if (matching.length === 0) fail(LoginFailed)
  await giveBack()
  return matching
}

async function matchingAccounts(candidates: Credentials[], password: string): Promise<Credentials[]> {
  if (candidates.length === 0) await passwordMatches(null, password)
  const verdicts = await Promise.all(
    candidates.map(account => passwordMatches(account.passwordHash, password)),
  )
  return candidates.filter((account, i) => verdicts[i] && !account.disabled)
}

async function refusingOnBeat<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } catch (error) {
    const spent = performance.now() - started
    await sleep(Math.ceil(spent / beatMs) * beatMs - spent)
    throw error
  }
}

export interface Proven {
  tenantId: string
  userId: string
  /** Where they came from, when it was over HTTP. */
  address?: string
}

/** Makes a login for a user whose identity is established. */
export async function openLogin(
  deps: Deps,
  tx: Tx,
  { tenantId, userId, address }: Proven,
): Promise<LoginResult> {
  const loginId = newId('login')
  const expiresAt = new Date(Date.parse(tx.now) + loginDays * 86_400_000).toISOString()
  const origin = address === undefined ? null : originOf(deps, address)
  if (!(await insertLogin(tx, tenantId, { id: loginId, userId, origin, expiresAt }))) fail(LoginFailed)
  return issue(deps, tx, { tenantId, userId, loginId })
}

async function issue(
  deps: Deps,
  tx: Tx,
  claims: { tenantId: string; userId: string; loginId: string },
): Promise<LoginResult> {
  const refresh = makeSecretToken('rt')
  await insertRefreshToken(tx, claims.tenantId, claims.loginId, refresh.hash)
  const user = await findUser(tx, claims.tenantId, claims.userId)
  const accessToken = await accessTokens(deps.keys, deps.clock).issue(claims)
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: accessTokenSeconds,
    refreshToken: refresh.token,
    user: user!,
  }
}

export async function refresh(deps: Deps, refreshToken: string): Promise<LoginResult> {
  const hash = hashSecret(refreshToken)
  const result = await transact(deps.db, async tx => {
    const state = await lockRefreshToken(tx, hash)
    if (!state?.alive) return undefined
    if (state.used) {
      await endStolen(tx, state)
      return undefined
    }
    await useRefreshToken(tx, hash)
    return issue(deps, tx, state)
  })
  return result ?? fail(RefreshTokenInvalid, 'log in again')
}

async function endStolen(tx: Tx, { tenantId, loginId, userId }: RefreshState): Promise<void> {
  await revokeLogin(tx, tenantId, loginId)
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

export async function logout(tx: Tx, tenantId: string, loginId: string): Promise<void> {
  await revokeLogin(tx, tenantId, loginId)
  tx.signal(callersChanged, tenantId)
}

/**
 * Sessions of browsers: an auth session with an opaque cookie, of which only the hash is stored. A session ends after 30
 * days without use and 90 days after the login. The cookie never changes, so concurrent tabs cannot invalidate it.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, Problem, Unavailable } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { sessionTokenPrefix } from '../../platform/http/session-cookie.ts'
import { recordAudit } from '../audit.ts'
import { AuthSessionNotFound, LoginFailed } from '../errors.ts'
import { callersChanged } from '../rights/reauthorize.ts'
import { AuthSessionId } from '../schemas.ts'
import {
  extendBrowserSession,
  insertAuthSession,
  revokeBrowserSession,
  revokeOwnAuthSession,
} from '../store/auth-sessions.ts'
import { type BrowserSession, findBrowserSession } from '../store/callers.ts'
import { locateSession } from './locate.ts'
import { hashOrigin, type LoginAttempt } from './login-throttle.ts'
import { verifySecondFactor } from './second-factor.ts'
import { type SessionInput, verifyLogin } from './sessions.ts'
import { generateSecretToken, hashSecret } from './tokens.ts'

const dayMs = 86_400_000
const idleTtlMs = 30 * dayMs
const maxTtlMs = 90 * dayMs
/** The last use is written at most this often, and the expiry extended at most once a day. */
const touchIntervalMs = 5 * 60_000
const extendIntervalMs = dayMs

export interface IssuedSession {
  token: string
  maxAgeSeconds: number
}

type Client = { address: string; userAgent?: string | undefined; replacedToken?: string | undefined }

export async function logInBrowser(deps: Deps, attempt: LoginAttempt & Client): Promise<IssuedSession> {
  const { cell, account } = await verifyLogin(deps, attempt)
  return startBrowserSession(cell, { ...attempt, tenantId: account.tenantId, userId: account.id })
}

/** Ends a login that was answered with a challenge. */
export async function completeBrowserLogin(
  deps: Deps,
  input: Client & { challenge: string; code: string },
): Promise<IssuedSession> {
  return startBrowserSession(deps, { ...input, ...(await verifySecondFactor(deps, input)) })
}

/** Creates the session of a login and records it. The session of a cookie that is replaced by this login ends. */
export async function startBrowserSession(
  deps: Deps,
  session: SessionInput & Pick<Client, 'replacedToken'>,
): Promise<IssuedSession> {
  const { replacedToken } = session
  const replaced = replacedToken === undefined ? undefined : await locateReplaced(deps, replacedToken)
  const issued = await transact(deps.db, async tx => {
    if (replacedToken && replaced?.cell.name === deps.cell.name) await endReplacedSession(tx, replacedToken)
    const { tenantId, userId, address } = session
    const issued = await createBrowserSession(deps, tx, session)
    await recordAudit(
      tx,
      { kind: 'user', id: userId, tenantId },
      'login.succeeded',
      { type: 'user', id: userId },
      { address },
    )
    return issued
  })
  if (replacedToken && replaced && replaced.cell.name !== deps.cell.name)
    await transact(replaced.db, tx => endReplacedSession(tx, replacedToken))
  return issued
}

/** Returns the cell of a replaced session; undefined if it is unreachable: a login does not depend on it. */
function locateReplaced({ cells }: Deps, token: string): Promise<Deps | undefined> {
  return locateSession(cells, token).catch(error => {
    if (error instanceof Problem && error.kind === Unavailable) return undefined
    throw error
  })
}

export async function createBrowserSession(
  deps: Deps,
  tx: Tx,
  { tenantId, userId, address, userAgent }: SessionInput,
): Promise<IssuedSession> {
  const { token, hash } = generateSecretToken(sessionTokenPrefix, tenantId)
  const inserted = await insertAuthSession(tx, tenantId, {
    id: AuthSessionId.create(),
    userId,
    origin: address === undefined ? null : hashOrigin(deps, address),
    expiresAt: new Date(Date.parse(tx.now) + idleTtlMs).toISOString(),
    cookieHash: hash,
    address,
    userAgent,
  })
  if (!inserted) fail(LoginFailed)
  return { token, maxAgeSeconds: idleTtlMs / 1000 }
}

async function endReplacedSession(tx: Tx, token: string): Promise<void> {
  const revoked = await revokeBrowserSession(tx, hashSecret(token))
  if (revoked) tx.signal(callersChanged, revoked.tenantId)
}

/** Returns the user of a session cookie, and extends the session. The writes do not delay the request. */
export async function loadBrowserSession(
  deps: Deps,
  token: string,
): Promise<(BrowserSession & { cookieSeconds?: number }) | undefined> {
  const now = deps.clock.now().getTime()
  const session = await findBrowserSession(deps.db, hashSecret(token), new Date(now).toISOString())
  if (!session) return undefined
  const latest = Math.min(now + idleTtlMs, Date.parse(session.createdAt) + maxTtlMs)
  const mustExtend = latest - Date.parse(session.expiresAt) >= extendIntervalMs
  if (!mustExtend && now - Date.parse(session.lastUsedAt) < touchIntervalMs) return session
  const expiresAt = mustExtend ? new Date(latest).toISOString() : session.expiresAt
  extendBrowserSession(deps.db, session.tenantId, session.sessionId, {
    usedAt: new Date(now).toISOString(),
    expiresAt,
  }).catch(error => deps.log.debug({ err: error }, 'the use of a session was not recorded'))
  return mustExtend ? { ...session, cookieSeconds: Math.floor((latest - now) / 1000) } : session
}

/** Ends one of the caller's sessions. Its sockets are closed. */
export async function revokeOwnSession(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (!(await revokeOwnAuthSession(tx, caller.tenantId, caller.id, id))) fail(AuthSessionNotFound)
  const user = { type: 'user', id: caller.id }
  await recordAudit(tx, caller, 'login.revoked', user, { reason: 'revoked_by_user', sessionId: id })
  tx.signal(callersChanged, caller.tenantId)
}

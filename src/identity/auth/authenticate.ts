/**
 * Authenticates bearer tokens and session cookies. A caller is cached for less than a second and not reused after this process has changed
 * its workspace, so revoked tokens, disabled users and changed roles take effect immediately in this process and within
 * a second in others.
 */
import { LRUCache } from 'lru-cache'
import { recordUses } from '../../platform/db/last-uses.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Authenticate, Caller } from '../../platform/http/caller.ts'
import { sessionTokenPrefix } from '../../platform/http/session-cookie.ts'
import { callersChanged } from '../rights/reauthorize.ts'
import { getEffectiveScopes } from '../rights/roles.ts'
import { findApiKeyAccount, findSessionUser, type UserAccess } from '../store/callers.ts'
import { type KeyUse, updateKeyUses } from '../store/service-accounts.ts'
import { loadBrowserSession } from './browser-sessions.ts'
import { locateCaller } from './locate.ts'
import { createOidcUserFinder } from './oidc-users.ts'
import { type AccessClaims, apiKeyPrefix, createAccessTokens, hashSecret, isApiKey } from './tokens.ts'

const cacheTtlMs = 800
const maxTrackedChanges = 10_000
const useIntervalMs = 60_000

/** Records when and from where API keys are used, accurate to a minute. */
const recordKeyUse = recordUses<KeyUse>(useIntervalMs, (db, uses) => updateKeyUses(db, uses, useIntervalMs))

interface CacheEntry {
  caller: Promise<Caller | undefined>
  loadedAt: number
  /** Number of changes when loading began: the loaded caller may be older than any later change. */
  revision: number
  /** Undefined while loading: until then a change of any workspace may affect the entry. */
  tenantId?: string
}

/** Authenticates callers of all cells, each in its own. */
export function createAuthenticator(deps: Pick<Deps, 'cells' | 'config'>): Authenticate {
  const { all, size } = deps.cells
  const [only] = all
  if (only && size === 1) return createCellAuthenticator(only)
  const ofCell = new Map(all.map(cell => [cell, createCellAuthenticator(cell)]))
  return async (token, address) => {
    const cell = await locateCaller(deps, token)
    return cell && ofCell.get(cell)!(token, address)
  }
}

function createCellAuthenticator(deps: Deps): Authenticate {
  const cache = new LRUCache<string, CacheEntry>({ max: 20_000 })
  const load = createCallerLoader(deps)
  const { changedSince, getRevision } = trackChanges(deps, () => cache.clear())
  // Monotonic, but advanced by tests that advance the clock.
  const now = () => performance.now() + deps.clock.offsetMs()
  const isFresh = (entry: CacheEntry) => now() - entry.loadedAt < cacheTtlMs && !changedSince(entry)
  const find = (token: string) => {
    const cached = cache.get(token)
    if (cached && isFresh(cached)) return cached.caller
    const entry: CacheEntry = { caller: load(token), loadedAt: now(), revision: getRevision() }
    cache.set(token, entry)
    // A failed or empty result is not cached: the next request loads again.
    const drop = () => cache.get(token) === entry && cache.delete(token)
    entry.caller.then(caller => {
      if (caller) entry.tenantId = caller.tenantId
      else drop()
    }, drop)
    return entry.caller
  }
  return (token, address) => {
    const caller = find(token)
    if (address !== undefined && token.startsWith(apiKeyPrefix))
      caller.then(
        found =>
          found?.apiKeyId &&
          recordKeyUse(deps, { tenantId: found.tenantId, id: found.apiKeyId, from: address }),
        () => {},
      )
    return caller
  }
}

/** Tracks which workspaces this process has changed, and in which order. Clears the cache after too many changes. */
function trackChanges(deps: Deps, clearCache: () => void) {
  const changes = new Map<string, number>()
  let revision = 0
  deps.db.signals.on(callersChanged, (tenantId: string) => {
    if (changes.size >= maxTrackedChanges) {
      changes.clear()
      clearCache()
    }
    changes.set(tenantId, ++revision)
  })
  return {
    getRevision: () => revision,
    changedSince: ({ tenantId, revision: seen }: CacheEntry) =>
      tenantId === undefined ? revision > seen : (changes.get(tenantId) ?? 0) > seen,
  }
}

/** Returns an authenticator that always reads the caller's current access. */
export function createCallerLoader(deps: Deps): Authenticate {
  const { db, clock } = deps
  const tokens = createAccessTokens(deps.keys, clock)
  const claimsCache = new LRUCache<string, AccessClaims & { expiresAt: number }>({ max: 20_000 })
  const findOidcUser = deps.config.oidc ? createOidcUserFinder(deps, deps.config.oidc) : undefined

  async function verifyOwnToken(token: string): Promise<AccessClaims | undefined> {
    const cached = claimsCache.get(token)
    if (cached && cached.expiresAt > clock.now().getTime()) return cached
    const verified = await tokens.verify(token)
    if (verified) claimsCache.set(token, { ...verified, expiresAt: getExpiryMs(token) })
    return verified
  }

  async function loadApiKey(token: string): Promise<Caller | undefined> {
    if (!isApiKey(token)) return undefined
    const account = await findApiKeyAccount(db, hashSecret(token), clock.now().toISOString())
    const scopes = account && getEffectiveScopes(deps, account.role, account.scopes)
    return account && { ...account, kind: 'service', scopes: scopes!, teamIds: [] }
  }

  const toUserCaller = (
    account: Pick<Caller, 'tenantId' | 'id' | 'sessionId' | 'cookieSeconds'>,
    user: UserAccess | undefined,
  ): Caller | undefined =>
    user && {
      ...account,
      kind: 'user',
      role: user.role,
      teamIds: user.teamIds,
      ...(user.secondFactorMissing ? { secondFactorMissing: true } : {}),
      scopes: user.secondFactorMissing ? new Set() : deps.roleScopes[user.role],
    }

  async function loadCookie(token: string): Promise<Caller | undefined> {
    const session = await loadBrowserSession(deps, token)
    if (!session) return undefined
    const { tenantId, id, sessionId, cookieSeconds } = session
    const renewal = cookieSeconds === undefined ? {} : { cookieSeconds }
    return toUserCaller({ tenantId, id, sessionId, ...renewal }, session)
  }

  return async token => {
    if (token.startsWith(apiKeyPrefix)) return loadApiKey(token)
    if (token.startsWith(`${sessionTokenPrefix}_`)) return loadCookie(token)
    if (token.split('.').length !== 3) return undefined
    const claims = await verifyOwnToken(token)
    if (claims) {
      const { tenantId, userId, sessionId } = claims
      const user = await findSessionUser(db, tenantId, userId, sessionId)
      return toUserCaller({ tenantId, id: userId, sessionId }, user)
    }
    const found = await findOidcUser?.(token)
    return found && toUserCaller({ tenantId: found.tenantId, id: found.userId }, found.user)
  }
}

function getExpiryMs(token: string): number {
  const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number }
  return payload.exp * 1000
}

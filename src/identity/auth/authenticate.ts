/**
 * Who is behind a bearer token. An answer is kept for less than a second and not used again once this process has
 * changed something in its workspace, so revocation, disabling and role changes act at once here and within a second
 * elsewhere.
 */
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../platform/deps.ts'
import type { Authenticate, Caller } from '../../platform/http/caller.ts'
import { getEffectiveScopes, roleScopes } from '../roles.ts'
import { findApiKeyAccount, findSessionUser, type UserAccess } from '../store/callers.ts'
import { createOidcUserFinder } from './oidc-users.ts'
import { type AccessClaims, createAccessTokens, hashSecret, isApiKey } from './tokens.ts'

/** Sent with `tx.signal`, about the workspace, by everything that changes what somebody may do. */
export const callersChanged = 'identity.callers_changed'

const cacheTtlMs = 800
const maxTrackedChanges = 10_000

interface CacheEntry {
  caller: Promise<Caller | undefined>
  loadedAt: number
  /** How many changes there had been when loading began: what comes back may be older than any later one. */
  revision: number
  /** Known once loaded; until then any workspace's change may be about it. */
  tenantId?: string
}

export function createAuthenticator(deps: Deps): Authenticate {
  const cache = new LRUCache<string, CacheEntry>({ max: 20_000 })
  const load = createLoader(deps)
  const { changedSince, revision: turn } = trackChanges(deps, () => cache.clear())
  // Monotonic, yet moved by a test that moves the clock.
  const now = () => performance.now() + deps.clock.offsetMs()
  const isFresh = (entry: CacheEntry) => now() - entry.loadedAt < cacheTtlMs && !changedSince(entry)
  return token => {
    const cached = cache.get(token)
    if (cached && isFresh(cached)) return cached.caller
    const entry: CacheEntry = { caller: load(token), loadedAt: now(), revision: turn() }
    cache.set(token, entry)
    // A failed or empty answer is not kept: the next request asks again.
    const drop = () => cache.get(token) === entry && cache.delete(token)
    entry.caller.then(caller => {
      if (caller) entry.tenantId = caller.tenantId
      else drop()
    }, drop)
    return entry.caller
  }
}

/** Which workspaces this process changed, in which order; starts anew when there were very many. */
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
    revision: () => revision,
    changedSince: ({ tenantId, revision: seenRevision }: CacheEntry) =>
      tenantId === undefined ? revision > seenRevision : (changes.get(tenantId) ?? 0) > seenRevision,
  }
}

function createLoader(deps: Deps): Authenticate {
  const { db, clock } = deps
  const tokens = createAccessTokens(deps.keys, clock)
  const claims = new LRUCache<string, AccessClaims & { until: number }>({ max: 20_000 })
  const findOidcUser = deps.config.oidc ? createOidcUserFinder(deps, deps.config.oidc) : undefined

  async function verifyOwnToken(token: string): Promise<AccessClaims | undefined> {
    const cached = claims.get(token)
    if (cached && cached.until > clock.now().getTime()) return cached
    const verified = await tokens.verify(token)
    if (verified) claims.set(token, { ...verified, until: getExpiryMs(token) })
    return verified
  }

  return async token => {
    if (token.startsWith('pk_')) {
      if (!isApiKey(token)) return undefined
      const holder = await findApiKeyAccount(db, hashSecret(token), clock.now().toISOString())
      return (
        holder && {
          ...holder,
          kind: 'service',
          scopes: getEffectiveScopes(holder.role, holder.scopes),
          teamIds: [],
        }
      )
    }
    if (token.split('.').length !== 3) return undefined
    const own = await verifyOwnToken(token)
    if (own)
      return toUserCaller(
        own.tenantId,
        own.userId,
        await findSessionUser(db, own.tenantId, own.userId, own.loginId),
      )
    const found = await findOidcUser?.(token)
    return found && toUserCaller(found.tenantId, found.userId, found.user)
  }
}

function getExpiryMs(token: string): number {
  const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number }
  return payload.exp * 1000
}

function toUserCaller(tenantId: string, id: string, user: UserAccess | undefined): Caller | undefined {
  return (
    user && {
      tenantId,
      id,
      kind: 'user',
      role: user.role,
      scopes: roleScopes[user.role],
      teamIds: user.teamIds,
    }
  )
}

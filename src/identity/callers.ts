/**
 * Who is behind a bearer token. An answer is kept for less than a second and not used again once this process has
 * changed something in its workspace, so revocation, disabling and role changes act at once here and within a second
 * elsewhere.
 */
import { LRUCache } from 'lru-cache'
import type { Deps } from '../platform/deps.ts'
import type { Authenticate, Caller } from '../platform/http/caller.ts'
import { outsideUsers } from './oidc.ts'
import { heldScopes, roleScopes } from './roles.ts'
import { findKeyHolder, findLoggedIn, type LoggedIn } from './store/callers.ts'
import { type AccessClaims, accessTokens, hashSecret, isApiKey } from './tokens.ts'

/** Sent with `tx.signal`, about the workspace, by everything that changes what somebody may do. */
export const callersChanged = 'identity.callers_changed'

const freshMs = 800
const mostChanges = 10_000

interface Kept {
  caller: Promise<Caller | undefined>
  loadedAt: number
  /** How many changes there had been when loading began: what comes back may be older than any later one. */
  turn: number
  /** Known once loaded; until then any workspace's change may be about it. */
  tenantId?: string
}

export function authenticator(deps: Deps): Authenticate {
  const kept = new LRUCache<string, Kept>({ max: 20_000 })
  const load = loader(deps)
  const { changedSince, turn } = changesOf(deps, () => kept.clear())
  // Monotonic, yet moved by a test that moves the clock.
  const now = () => performance.now() + deps.clock.offsetMs()
  const isFresh = (entry: Kept) => now() - entry.loadedAt < freshMs && !changedSince(entry)
  return token => {
    const known = kept.get(token)
    if (known && isFresh(known)) return known.caller
    const entry: Kept = { caller: load(token), loadedAt: now(), turn: turn() }
    kept.set(token, entry)
    // A failed or empty answer is not kept: the next request asks again.
    const drop = () => kept.get(token) === entry && kept.delete(token)
    entry.caller.then(caller => {
      if (caller) entry.tenantId = caller.tenantId
      else drop()
    }, drop)
    return entry.caller
  }
}

/** Which workspaces this process changed, in which order; starts anew when there were very many. */
function changesOf(deps: Deps, forgetAll: () => void) {
  const changes = new Map<string, number>()
  let turn = 0
  deps.db.signals.on(callersChanged, (tenantId: string) => {
    if (changes.size >= mostChanges) {
      changes.clear()
      forgetAll()
    }
    changes.set(tenantId, ++turn)
  })
  return {
    turn: () => turn,
    changedSince: ({ tenantId, turn: seen }: Kept) =>
      tenantId === undefined ? turn > seen : (changes.get(tenantId) ?? 0) > seen,
  }
}

function loader(deps: Deps): Authenticate {
  const { db, clock } = deps
  const tokens = accessTokens(deps.keys, clock)
  const claims = new LRUCache<string, AccessClaims & { until: number }>({ max: 20_000 })
  const outside = deps.config.oidc ? outsideUsers(deps, deps.config.oidc) : undefined

  async function ownClaims(token: string): Promise<AccessClaims | undefined> {
    const known = claims.get(token)
    if (known && known.until > clock.now().getTime()) return known
    const verified = await tokens.verify(token)
    if (verified) claims.set(token, { ...verified, until: expiryOf(token) })
    return verified
  }

  return async token => {
    if (token.startsWith('pk_')) {
      if (!isApiKey(token)) return undefined
      const holder = await findKeyHolder(db, hashSecret(token), clock.now().toISOString())
      return (
        holder && { ...holder, kind: 'service', scopes: heldScopes(holder.role, holder.scopes), teamIds: [] }
      )
    }
    if (token.split('.').length !== 3) return undefined
    const own = await ownClaims(token)
    if (own)
      return asUser(own.tenantId, own.userId, await findLoggedIn(db, own.tenantId, own.userId, own.loginId))
    const found = await outside?.(token)
    return found && asUser(found.tenantId, found.userId, found.user)
  }
}

function expiryOf(token: string): number {
  const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number }
  return payload.exp * 1000
}

function asUser(tenantId: string, id: string, user: LoggedIn | undefined): Caller | undefined {
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

/** Describes the caller of a request: who it is, and what its token or key may do. */
import type { Db } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { hashSecret, isApiKey } from './auth/tokens.ts'
import { getServiceAccount } from './service-accounts.ts'
import { findApiKeyByHash } from './store/service-accounts.ts'
import { getUser } from './users/users.ts'

/** Returns the user of the caller with the scopes of this request. */
export async function getCurrentUser(db: Db, caller: Caller) {
  return { ...(await getUser(db, caller.tenantId, caller.id)), scopes: [...caller.scopes].sort() }
}

export async function getMe(db: Db, caller: Caller, token: string) {
  const { tenantId, id, kind, role, teamIds } = caller
  const [{ name }, apiKey] = await Promise.all([
    kind === 'user' ? getUser(db, tenantId, id) : getServiceAccount(db, tenantId, id),
    isApiKey(token) ? findApiKeyByHash(db, tenantId, hashSecret(token)) : undefined,
  ])
  return {
    type: kind === 'user' ? ('user' as const) : ('serviceAccount' as const),
    id,
    tenantId,
    name,
    role,
    scopes: [...caller.scopes].sort(),
    teamIds: [...teamIds],
    apiKey: apiKey ?? null,
  }
}

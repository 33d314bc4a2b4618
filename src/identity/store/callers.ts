/** Reads of authentication: one statement per kind of token. */
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Role } from '../../platform/http/caller.ts'
import { hasSecondFactor } from './second-factors.ts'

export interface ApiKeyAccount {
  tenantId: string
  id: string
  apiKeyId: string
  role: Role
  scopes: string[] | null
}

export function findApiKeyAccount(db: Db, hash: Buffer, now: string): Promise<ApiKeyAccount | undefined> {
  return db.maybe<ApiKeyAccount>(sql`
    select k.tenant_id as "tenantId", k.id as "apiKeyId", a.id, a.role, a.scopes
    from api_keys k join service_accounts a on a.tenant_id = k.tenant_id and a.id = k.service_account_id
    where k.hash = ${hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
      and a.is_active and a.deleted_at is null`)
}

/** Users of an identity provider have their second factor there. */
const secondFactorMissing = sql`(t.second_factor_required and u.subject is null and not ${hasSecondFactor})`

export interface UserAccess {
  role: Role
  teamIds: string[]
  /** The workspace requires a second factor, and the user has none. */
  secondFactorMissing?: boolean
}

export function findSessionUser(
  db: Db,
  tenantId: string,
  userId: string,
  sessionId: string,
): Promise<UserAccess | undefined> {
  return db.maybe<UserAccess>(sql`
    select u.role, array(select team_id from team_members m where m.tenant_id = u.tenant_id and m.user_id = u.id) as "teamIds",
      ${secondFactorMissing} as "secondFactorMissing"
    from users u join tenants t on t.id = u.tenant_id join auth_sessions s on s.tenant_id = u.tenant_id and s.user_id = u.id
    where u.tenant_id = ${tenantId} and u.id = ${userId} and not u.disabled and s.id = ${sessionId} and s.revoked_at is null`)
}

export interface BrowserSession extends UserAccess {
  tenantId: string
  id: string
  sessionId: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
}

export function findBrowserSession(
  db: Db,
  cookieHash: Buffer,
  now: string,
): Promise<BrowserSession | undefined> {
  return db.maybe<BrowserSession>(sql`
    select u.tenant_id as "tenantId", u.id, u.role, s.id as "sessionId", s.created_at as "createdAt",
      coalesce(s.last_used_at, s.created_at) as "lastUsedAt", s.expires_at as "expiresAt",
      array(select team_id from team_members m where m.tenant_id = u.tenant_id and m.user_id = u.id) as "teamIds",
      ${secondFactorMissing} as "secondFactorMissing"
    from auth_sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id join tenants t on t.id = u.tenant_id
    where s.cookie_hash = ${cookieHash} and s.revoked_at is null and s.expires_at > ${now} and not u.disabled`)
}

export function findEnabledUser(db: Db, tenantId: string, userId: string): Promise<UserAccess | undefined> {
  return db.maybe<UserAccess>(sql`
    select u.role, array(select team_id from team_members m where m.tenant_id = u.tenant_id and m.user_id = u.id) as "teamIds"
    from users u where u.tenant_id = ${tenantId} and u.id = ${userId} and not u.disabled`)
}

import type { Static } from 'typebox'
import type { Db, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { AuthSession } from '../schemas.ts'

const maxUserAgent = 500

export interface NewAuthSession {
  id: string
  userId: string
  /** Hash of the client network. */
  origin: Buffer | null
  expiresAt: string
  /** Of a browser session. */
  cookieHash?: Buffer
  address?: string | undefined
  userAgent?: string | undefined
}

/** Inserts the session unless the user is disabled. The row lock serializes this with disabling the user. */
export async function insertAuthSession(tx: Tx, tenantId: string, session: NewAuthSession): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into auth_sessions (tenant_id, id, user_id, origin, created_at, expires_at, cookie_hash, address, user_agent)
    select u.tenant_id, ${session.id}, u.id, ${session.origin}, ${tx.now}, ${session.expiresAt},
      ${session.cookieHash ?? null}, ${session.address ?? null}, ${session.userAgent?.slice(0, maxUserAgent) ?? null}
    from users u where u.tenant_id = ${tenantId} and u.id = ${session.userId} and not u.disabled for share`)
  return inserted === 1
}

export async function hasSessionFrom(
  db: Db,
  tenantId: string,
  userId: string,
  origin: Buffer,
): Promise<boolean> {
  const row = await db.maybe(sql`
    select from auth_sessions where tenant_id = ${tenantId} and user_id = ${userId} and origin = ${origin} limit 1`)
  return row !== undefined
}

export async function insertRefreshToken(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  hash: Buffer,
): Promise<void> {
  await tx.run(sql`
    insert into refresh_tokens (hash, tenant_id, auth_session_id, created_at) values (${hash}, ${tenantId}, ${sessionId}, ${tx.now})`)
}

export function findRefreshTokenTenant(db: Db, hash: Buffer): Promise<string | undefined> {
  return db.value<string>(sql`select tenant_id from refresh_tokens where hash = ${hash}`)
}

export interface RefreshTokenState {
  tenantId: string
  sessionId: string
  userId: string
  alive: boolean
}

/** Locks the session, so that concurrent uses of one token are serialized. */
export async function lockRefreshToken(
  tx: Tx,
  hash: Buffer,
): Promise<(RefreshTokenState & { used: boolean }) | undefined> {
  const session = await tx.maybe<RefreshTokenState>(sql`
    select s.tenant_id as "tenantId", s.id as "sessionId", s.user_id as "userId",
      s.revoked_at is null and s.expires_at > ${tx.now} and not u.disabled as alive
    from refresh_tokens r join auth_sessions s on s.tenant_id = r.tenant_id and s.id = r.auth_session_id
      join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    where r.hash = ${hash} for update of s`)
  if (!session) return undefined
  const { used } = await tx.one<{ used: boolean }>(
    sql`select used_at is not null as used from refresh_tokens where hash = ${hash}`,
  )
  return { ...session, used }
}

export async function markRefreshTokenUsed(tx: Tx, hash: Buffer): Promise<void> {
  await tx.run(sql`
    with used as (
      update refresh_tokens set used_at = ${tx.now} where hash = ${hash} returning tenant_id, auth_session_id)
    update auth_sessions s set last_used_at = ${tx.now} from used u
    where s.tenant_id = u.tenant_id and s.id = u.auth_session_id`)
}

export async function revokeAuthSession(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(
    sql`update auth_sessions set revoked_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id} and revoked_at is null`,
  )
}

export async function revokeAuthSessionsOfUser(
  tx: Tx,
  tenantId: string,
  userId: string,
  exceptId = '',
): Promise<void> {
  await tx.run(sql`
    update auth_sessions set revoked_at = ${tx.now}
    where tenant_id = ${tenantId} and user_id = ${userId} and revoked_at is null and id <> ${exceptId}`)
}

type AuthSessionRow = Omit<Static<typeof AuthSession>, 'isCurrent'>

/** Lists the sessions of a user that have not ended, newest first. */
export function listOpenAuthSessions(
  db: Db,
  tenantId: string,
  userId: string,
  page: { limit: number; after?: SortKey | undefined },
): Promise<AuthSessionRow[]> {
  const after = page.after ? sql`and id < ${page.after[0]}` : raw('')
  return db.rows(sql`
    select id, case when cookie_hash is null then 'token' else 'browser' end as kind, address, user_agent as "userAgent",
      created_at as "createdAt", coalesce(last_used_at, created_at) as "lastUsedAt", expires_at as "expiresAt"
    from auth_sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and revoked_at is null
      and expires_at > ${db.clock.now().toISOString()} ${after}
    order by id desc limit ${page.limit + 1}`)
}

/** Returns false if the user has no such session, or if it has ended. */
export async function revokeOwnAuthSession(
  tx: Tx,
  tenantId: string,
  userId: string,
  id: string,
): Promise<boolean> {
  const revoked = await tx.run(sql`
    update auth_sessions set revoked_at = ${tx.now}
    where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id} and revoked_at is null
      and expires_at > ${tx.now}`)
  return revoked === 1
}

/** Revokes the session of a cookie; undefined if it has none that is valid. */
export function revokeBrowserSession(tx: Tx, cookieHash: Buffer): Promise<{ tenantId: string } | undefined> {
  return tx.maybe(sql`
    update auth_sessions set revoked_at = ${tx.now}
    where cookie_hash = ${cookieHash} and revoked_at is null returning tenant_id as "tenantId"`)
}

/** Records the use of a browser session. Neither time goes back. */
export function extendBrowserSession(
  db: Db,
  tenantId: string,
  id: string,
  { usedAt, expiresAt }: { usedAt: string; expiresAt: string },
): Promise<number> {
  return db.run(sql`
    update auth_sessions set last_used_at = greatest(last_used_at, ${usedAt}), expires_at = greatest(expires_at, ${expiresAt})
    where tenant_id = ${tenantId} and id = ${id} and revoked_at is null`)
}

export function deleteExpiredAuthSessions(db: Db, before: string): Promise<number> {
  return db.run(
    sql`delete from auth_sessions where expires_at < ${before} and ${notMoving('auth_sessions.tenant_id')}`,
  )
}

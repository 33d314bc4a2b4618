import type { Db, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface NewAuthSession {
  id: string
  userId: string
  /** Hash of the client network. */
  origin: Buffer | null
  expiresAt: string
}

/** Inserts the session unless the user is disabled. The row lock serializes this with disabling the user. */
export async function insertAuthSession(tx: Tx, tenantId: string, session: NewAuthSession): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into auth_sessions (tenant_id, id, user_id, origin, created_at, expires_at)
    select u.tenant_id, ${session.id}, u.id, ${session.origin}, ${tx.now}, ${session.expiresAt}
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
  await tx.run(sql`update refresh_tokens set used_at = ${tx.now} where hash = ${hash}`)
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

export function deleteExpiredAuthSessions(db: Db, before: string): Promise<number> {
  return db.run(sql`delete from auth_sessions where expires_at < ${before}`)
}

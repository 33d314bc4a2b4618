import type { Db, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { sql } from '../../platform/db/sql.ts'

export interface NewPasswordReset {
  userId: string
  tokenHash: Buffer
  createdBy: string
  expiresAt: string
}

/** Stores the reset in place of an earlier one of the user. */
export async function replacePasswordReset(tx: Tx, tenantId: string, row: NewPasswordReset): Promise<void> {
  await tx.run(sql`
    insert into password_resets (tenant_id, user_id, token_hash, created_by, created_at, expires_at)
    values (${tenantId}, ${row.userId}, ${row.tokenHash}, ${row.createdBy}, ${tx.now}, ${row.expiresAt})
    on conflict (tenant_id, user_id) do update set token_hash = excluded.token_hash,
      created_by = excluded.created_by, created_at = excluded.created_at, expires_at = excluded.expires_at`)
}

export interface OpenPasswordReset {
  tenantId: string
  userId: string
  email: string
  workspace: string
}

export function findOpenPasswordReset(db: Db, tokenHash: Buffer): Promise<OpenPasswordReset | undefined> {
  return db.maybe(sql`
    select u.tenant_id as "tenantId", u.id as "userId", u.email, t.name as workspace
    from password_resets r join users u on u.tenant_id = r.tenant_id and u.id = r.user_id
      join tenants t on t.id = r.tenant_id
    where r.token_hash = ${tokenHash} and r.expires_at > ${db.clock.now().toISOString()}`)
}

/** Returns false if a concurrent call has used the token. */
export async function consumePasswordReset(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  return (await tx.run(sql`delete from password_resets where token_hash = ${tokenHash}`)) === 1
}

export async function deletePasswordResetOf(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.run(sql`delete from password_resets where tenant_id = ${tenantId} and user_id = ${userId}`)
}

export async function deletePasswordResetsBy(tx: Tx, tenantId: string, creatorId: string): Promise<void> {
  await tx.run(sql`delete from password_resets where tenant_id = ${tenantId} and created_by = ${creatorId}`)
}

export function deleteExpiredPasswordResets(db: Db, before: string): Promise<number> {
  return db.run(
    sql`delete from password_resets where expires_at < ${before} and ${notMoving('password_resets.tenant_id')}`,
  )
}

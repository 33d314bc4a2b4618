import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'

export interface SecondFactorRow {
  /** Encrypted. */
  secret: Buffer
  confirmedAt: string | null
  recoveryCodesLeft: number
}

export function findSecondFactor(
  db: Queryable,
  tenantId: string,
  userId: string,
): Promise<SecondFactorRow | undefined> {
  return db.maybe(sql`
    select secret, confirmed_at as "confirmedAt", (
      select count(*) from recovery_codes c
      where c.tenant_id = f.tenant_id and c.user_id = f.user_id and c.used_at is null) as "recoveryCodesLeft"
    from second_factors f where tenant_id = ${tenantId} and user_id = ${userId}`)
}

/** Stores a secret that is not confirmed yet. Returns false if a confirmed one exists. */
export async function replacePendingFactor(
  tx: Tx,
  tenantId: string,
  userId: string,
  secret: Buffer,
): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into second_factors as f (tenant_id, user_id, secret, created_at)
    values (${tenantId}, ${userId}, ${secret}, ${tx.now})
    on conflict (tenant_id, user_id) do update set secret = excluded.secret, created_at = excluded.created_at
    where f.confirmed_at is null`)
  return changed === 1
}

/** Returns false if the factor was confirmed, replaced or removed meanwhile. */
export async function confirmFactor(
  tx: Tx,
  tenantId: string,
  userId: string,
  { secret, step }: { secret: Buffer; step: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update second_factors set confirmed_at = ${tx.now}, last_step = ${step}
    where tenant_id = ${tenantId} and user_id = ${userId} and secret = ${secret} and confirmed_at is null`)
  return changed === 1
}

/** Returns false if a code of this time step or a later one was accepted before. */
export async function consumeStep(db: Db, tenantId: string, userId: string, step: number): Promise<boolean> {
  const changed = await db.run(sql`
    update second_factors set last_step = ${step}
    where tenant_id = ${tenantId} and user_id = ${userId} and confirmed_at is not null and last_step < ${step}`)
  return changed === 1
}

export async function replaceRecoveryCodeHashes(
  tx: Tx,
  tenantId: string,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.run(sql`delete from recovery_codes where tenant_id = ${tenantId} and user_id = ${userId}`)
  await tx.run(sql`
    insert into recovery_codes (tenant_id, user_id, hash)
    select ${tenantId}, ${userId}, hash from unnest(${hashes}::bytea[]) as hash`)
}

export async function consumeRecoveryCode(
  db: Db,
  tenantId: string,
  userId: string,
  hash: Buffer,
): Promise<boolean> {
  const changed = await db.run(sql`
    update recovery_codes set used_at = ${db.clock.now().toISOString()}
    where tenant_id = ${tenantId} and user_id = ${userId} and hash = ${hash} and used_at is null`)
  return changed === 1
}

/** Returns whether a confirmed factor was deleted. */
export async function deleteSecondFactor(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  const row = await tx.maybe<{ confirmed: boolean }>(sql`
    delete from second_factors where tenant_id = ${tenantId} and user_id = ${userId}
    returning confirmed_at is not null as confirmed`)
  return row?.confirmed ?? false
}

/** Whether the user `u` of a query has a second factor. */
export const hasSecondFactor = raw(`exists (select from second_factors f
  where f.tenant_id = u.tenant_id and f.user_id = u.id and f.confirmed_at is not null)`)

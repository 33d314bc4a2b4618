import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface SecretRow {
  name: string
  createdAt: string
  updatedAt: string
}

export function listSecrets(on: Queryable, tenantId: string): Promise<SecretRow[]> {
  return on.rows(sql`
    select name, created_at as "createdAt", updated_at as "updatedAt" from workflow_secrets
    where tenant_id = ${tenantId} order by name`)
}

export function listSealedSecrets(
  on: Queryable,
  tenantId: string,
  names: readonly string[],
): Promise<{ name: string; sealed: Buffer }[]> {
  return on.rows(sql`
    select name, sealed from workflow_secrets where tenant_id = ${tenantId} and name = any(${names})`)
}

export function upsertSecret(tx: Tx, tenantId: string, name: string, sealed: Buffer): Promise<SecretRow> {
  return tx.one(sql`
    insert into workflow_secrets (tenant_id, name, sealed, created_at, updated_at)
    values (${tenantId}, ${name}, ${sealed}, ${tx.now}, ${tx.now})
    on conflict (tenant_id, name) do update set sealed = excluded.sealed, updated_at = excluded.updated_at
    returning name, created_at as "createdAt", updated_at as "updatedAt"`)
}

/** Returns whether the secret existed. */
export async function deleteSecretRow(tx: Tx, tenantId: string, name: string): Promise<boolean> {
  return (
    (await tx.run(sql`delete from workflow_secrets where tenant_id = ${tenantId} and name = ${name}`)) > 0
  )
}

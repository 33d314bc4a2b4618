import type { Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { raw, sql } from '../../platform/db/sql.ts'

export interface KeyRow {
  id: string
  version: number
  sealed: Buffer
  last4: string
  revealed: boolean
  createdAt: string
  expiresAt: string | null
}

const columns = raw(
  `id, version, sealed, last4, revealed, created_at as "createdAt", expires_at as "expiresAt"`,
)

export function listKeys(on: Queryable, tenantId: string, now: string): Promise<KeyRow[]> {
  return on.rows(sql`
    select ${columns} from webhook_keys
    where tenant_id = ${tenantId} and (expires_at is null or expires_at > ${now}) order by version desc`)
}

export type NewKey = Pick<KeyRow, 'id' | 'version' | 'sealed' | 'last4' | 'revealed'>

/** Returns undefined if there is an active key already. Concurrent first keys conflict on the version, too. */
export function insertKey(tx: Tx, tenantId: string, row: NewKey): Promise<KeyRow | undefined> {
  return tx.maybe(sql`
    insert into webhook_keys (tenant_id, id, version, sealed, last4, revealed, created_at)
    values (${tenantId}, ${row.id}, ${row.version}, ${row.sealed}, ${row.last4}, ${row.revealed}, ${tx.now})
    on conflict do nothing
    returning ${columns}`)
}

/** Marks keys as revealed and returns the ids of those that were not. */
export function revealKeys(tx: Tx, tenantId: string): Promise<string[]> {
  return tx.values<string>(sql`
    update webhook_keys set revealed = true where tenant_id = ${tenantId} and not revealed returning id`)
}

/** Lets the active key expire; returns undefined if there is none. */
export function expireActiveKey(
  tx: Tx,
  tenantId: string,
  expiresAt: string,
): Promise<{ version: number } | undefined> {
  return tx.maybe(sql`
    update webhook_keys set expires_at = ${expiresAt} where tenant_id = ${tenantId} and expires_at is null
    returning version`)
}

/** Lets a key that was replaced expire now; returns undefined if there is no such key. */
export function revokeReplacedKey(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ version: number } | undefined> {
  return tx.maybe(sql`
    update webhook_keys set expires_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and expires_at > ${tx.now} returning version`)
}

export async function deleteExpiredKeys(on: Queryable, now: string): Promise<void> {
  await on.run(
    sql`delete from webhook_keys where expires_at <= ${now} and ${notMoving('webhook_keys.tenant_id')}`,
  )
}

import type { Channel } from '../../platform/config.ts'
import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { sql } from '../../platform/db/sql.ts'

export interface PendingCredential {
  id: string
  resourceId: string
  credential: Buffer
}

export async function insertPending(
  tx: Tx,
  tenantId: string,
  pending: PendingCredential & { channel: Channel; expiresAt: string },
): Promise<void> {
  await tx.run(sql`
    insert into pending_credentials (tenant_id, id, channel, resource_id, credential, expires_at)
    values (${tenantId}, ${pending.id}, ${pending.channel}, ${pending.resourceId}, ${pending.credential},
      ${pending.expiresAt})`)
}

export function findPending(
  on: Queryable,
  tenantId: string,
  id: string,
  now: string,
): Promise<PendingCredential | undefined> {
  return on.maybe<PendingCredential>(sql`
    select id, resource_id as "resourceId", credential from pending_credentials
    where tenant_id = ${tenantId} and id = ${id} and expires_at > ${now}`)
}

/** Returns false if the credential was used already. */
export async function consumePending(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  return (
    (await tx.run(sql`delete from pending_credentials where tenant_id = ${tenantId} and id = ${id}`)) === 1
  )
}

export function deleteExpired(db: Db, now: string): Promise<number> {
  return db.run(
    sql`delete from pending_credentials where expires_at <= ${now} and ${notMoving('pending_credentials.tenant_id')}`,
  )
}

export async function insertGrant(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  resourceId: string,
): Promise<void> {
  await tx.run(sql`
    insert into provider_account_grants (tenant_id, channel, resource_id)
    values (${tenantId}, ${channel}, ${resourceId}) on conflict do nothing`)
}

export async function deleteGrant(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  resourceId: string,
): Promise<number> {
  return tx.run(sql`
    delete from provider_account_grants
    where tenant_id = ${tenantId} and channel = ${channel} and resource_id = ${resourceId}`)
}

export function listGranted(
  on: Queryable,
  tenantId: string,
  channel: Channel,
  resourceIds: readonly string[],
): Promise<Set<string>> {
  return on.set<string>(sql`
    select resource_id from provider_account_grants
    where tenant_id = ${tenantId} and channel = ${channel} and resource_id = any(${resourceIds})`)
}

import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'

/** True if that changed anything. */
export async function insertOptOut(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into contact_opt_outs (tenant_id, contact_id, channel, at)
    values (${tenantId}, ${contactId}, ${channel}, ${tx.now}) on conflict do nothing`)
  return made === 1
}

export async function deleteOptOut(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
): Promise<boolean> {
  const gone = await tx.run(sql`
    delete from contact_opt_outs
    where tenant_id = ${tenantId} and contact_id = ${contactId} and channel = ${channel}`)
  return gone === 1
}

/** Those of the contacts that opted out of the channel. */
export async function listOptedOut(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
  channel: Channel,
): Promise<Set<string>> {
  const rows = await on.rows<{ id: string }>(sql`
    select contact_id as id from contact_opt_outs
    where tenant_id = ${tenantId} and contact_id = any(${contactIds}) and channel = ${channel}`)
  return new Set(rows.map(row => row.id))
}

/** For statements about many: whether the contact of a conversation, by its alias, opted out of its channel. */
export const hasOptedOut = (conversation: string): Sql =>
  raw(`exists (select from contact_opt_outs o where o.tenant_id = ${conversation}.tenant_id
    and o.contact_id = ${conversation}.contact_id and o.channel = ${conversation}.channel)`)

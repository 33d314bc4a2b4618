import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'

/** Returns whether the opt-out is new. */
export async function insertOptOut(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into contact_opt_outs (tenant_id, contact_id, channel, at)
    values (${tenantId}, ${contactId}, ${channel}, ${tx.now}) on conflict do nothing`)
  return inserted === 1
}

export async function deleteOptOut(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from contact_opt_outs
    where tenant_id = ${tenantId} and contact_id = ${contactId} and channel = ${channel}`)
  return deleted === 1
}

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

/** Builds a condition: the contact of a conversation, by its alias, opted out of its channel. */
export const hasOptedOut = (conversation: string): Sql =>
  raw(`exists (select from contact_opt_outs o where o.tenant_id = ${conversation}.tenant_id
    and o.contact_id = ${conversation}.contact_id and o.channel = ${conversation}.channel)`)

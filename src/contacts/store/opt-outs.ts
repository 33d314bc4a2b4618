import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'

/**
 * Returns whether the opt-out is new. Messages in `exceptMessageIds` are still delivered; an opt-out that exists already
 * loses its exceptions, because the contact or a person repeats it.
 */
export async function insertOptOut(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
  exceptMessageIds: readonly string[] = [],
): Promise<boolean> {
  const except = exceptMessageIds.length > 0 ? exceptMessageIds : null
  const { isNew } = await tx.one<{ isNew: boolean }>(sql`
    insert into contact_opt_outs as o (tenant_id, contact_id, channel, at, except_message_ids, set_by)
    values (${tenantId}, ${contactId}, ${channel}, ${tx.now}, ${except}::text[],
      nullif(current_setting('parley.actor', true), ''))
    on conflict (tenant_id, contact_id, channel) do update
      set except_message_ids = case when ${except}::text[] is null then null else o.except_message_ids end
    returning xmax = 0 as "isNew"`)
  return isNew
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

/** Returns the channels that each of these contacts opted out of; contacts without an opt-out are left out. */
export async function listOptOutChannels(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
): Promise<Map<string, Channel[]>> {
  const rows = await on.rows<{ contactId: string; channels: Channel[] }>(sql`
    select contact_id as "contactId", array_agg(channel order by channel) as channels from contact_opt_outs
    where tenant_id = ${tenantId} and contact_id = any(${contactIds}) group by contact_id`)
  return new Map(rows.map(row => [row.contactId, row.channels]))
}

export interface OptOutRow {
  channel: Channel
  at: string
  /** The type and the id of an actor, with a colon between them. */
  setBy: string | null
}

export function listOptOuts(on: Queryable, tenantId: string, contactId: string): Promise<OptOutRow[]> {
  return on.rows(sql`
    select channel, at, set_by as "setBy" from contact_opt_outs
    where tenant_id = ${tenantId} and contact_id = ${contactId} order by channel`)
}

/** Builds a condition on a conversation and a message, by their aliases: the contact opted out, with effect for the message. */
export const hasOptedOut = (conversation: string, message: string): Sql =>
  raw(`exists (select from contact_opt_outs o where o.tenant_id = ${conversation}.tenant_id
    and o.contact_id = ${conversation}.contact_id and o.channel = ${conversation}.channel
    and (o.except_message_ids is null or ${message}.id <> all (o.except_message_ids)))`)

/** Returns whether a contact is archived and opted out of a channel. */
export async function findRefusals(
  on: Queryable,
  tenantId: string,
  contactId: string,
  channel: Channel,
): Promise<{ isArchived: boolean; isOptedOut: boolean }> {
  return on.one(sql`
    select exists (select from contacts
        where tenant_id = ${tenantId} and id = ${contactId} and archived_at is not null) as "isArchived",
      exists (select from contact_opt_outs
        where tenant_id = ${tenantId} and contact_id = ${contactId} and channel = ${channel}) as "isOptedOut"`)
}

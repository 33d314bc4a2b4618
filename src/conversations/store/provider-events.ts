import type { ProviderEvent } from '../../inboxes/providers/provider.ts'
import type { Channel } from '../../platform/config.ts'
import { dbNow } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { sql } from '../../platform/db/sql.ts'

export interface NewProviderEvent {
  channel: string
  accountId: string
  dedupeKey: string
  tenantId: string
  inboxId: string
  payload: string
}

/** Inserts events in the order of their keys; returns the ids of those that are new, by channel, account and key. */
export async function insertProviderEvents(
  tx: Tx,
  rows: readonly NewProviderEvent[],
): Promise<Map<string, number>> {
  const column = <K extends keyof NewProviderEvent>(name: K) => rows.map(row => row[name])
  const inserted = await tx.rows<{ id: number; key: string }>(sql`
    insert into provider_events (channel, account_id, dedupe_key, tenant_id, inbox_id, payload, received_at)
    select channel, account_id, dedupe_key, tenant_id, inbox_id, payload, ${dbNow(tx.clock)}
    from unnest(${column('channel')}::text[], ${column('accountId')}::text[], ${column('dedupeKey')}::text[],
        ${column('tenantId')}::text[], ${column('inboxId')}::text[], ${column('payload')}::json[])
      as i(channel, account_id, dedupe_key, tenant_id, inbox_id, payload)
    order by channel, account_id, dedupe_key on conflict do nothing
    returning id, channel || '/' || account_id || '/' || dedupe_key as key`)
  return new Map(inserted.map(row => [row.key, row.id]))
}

export interface ProviderEventRow {
  id: number
  tenantId: string
  inboxId: string
  channel: Channel
  payload: ProviderEvent
  /** Time since it was received. */
  ageMs: number
}

export function listProviderEvents(db: Db, ids: readonly number[]): Promise<ProviderEventRow[]> {
  return db.rows(sql`
    select id, tenant_id as "tenantId", inbox_id as "inboxId", channel, payload,
      extract(epoch from ${dbNow(db.clock)} - received_at)::float8 * 1000 as "ageMs"
    from provider_events where id = any(${ids}::int8[])`)
}

/** Returns whether an event about this outbound message was received since then. */
export async function hasProviderEventFor(
  db: Db,
  tenantId: string,
  messageId: string,
  since: string,
): Promise<boolean> {
  const row = await db.maybe(sql`
    select from provider_events
    where received_at >= ${since} and tenant_id = ${tenantId} and payload->>'messageId' = ${messageId} limit 1`)
  return row !== undefined
}

export function deleteOldProviderEvents(db: Db, before: string): Promise<number> {
  return db.run(
    sql`delete from provider_events where received_at < ${before} and ${notMoving('provider_events.tenant_id')}`,
  )
}

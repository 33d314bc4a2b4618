import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { EventId, emitFromSelect } from '../../platform/events/event.ts'
import { eventReceived } from '../events.ts'

export interface CustomEvent {
  tenantId: string
  contactId: string
  data: string
}

/**
 * Tells of those whose contact is there, in the order given, and keeps these contacts until the commit; for each, whether
 * it did. One statement, as there may be thousands in a minute.
 */
export async function emitCustomEvents(tx: Tx, events: readonly CustomEvent[]): Promise<boolean[]> {
  const placed = events.map((event, i) => ({ ...event, place: i + 1 }))
  // Contacts are held in one order everywhere; each through its key, whatever the planner believes of a new table.
  const keys = placed.toSorted((a, b) => compare(a.tenantId, b.tenantId) || compare(a.contactId, b.contactId))
  const rows = await tx.rows<{ place: number }>(sql`
    with held as materialized (
      select k.place, k.tenant_id, k.data
      from unnest(${keys.map(one => one.place)}::int[], ${keys.map(one => one.tenantId)}::text[],
          ${keys.map(one => one.contactId)}::text[], ${keys.map(one => one.data)}::json[])
        as k(place, tenant_id, contact_id, data)
      cross join lateral (
        select c.id from contacts c
        where c.tenant_id = k.tenant_id collate "C" and c.id = k.contact_id collate "C" and c.deleted_at is null
        limit 1 for share) c
    ), told as (
      ${emitFromSelect(
        tx,
        sql`select (${events.map(() => EventId.create())}::text[])[place], tenant_id, ${eventReceived.type},
          ${tx.now}::timestamptz, data, null::json, ${tx.causationDepth}::smallint
        from held order by place`,
      )}
    )
    select place from held`)
  const told = new Set(rows.map(row => row.place))
  return placed.map(({ place }) => told.has(place))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

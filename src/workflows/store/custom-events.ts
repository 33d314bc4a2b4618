import { insertContactEvents } from '../../contacts/activity.ts'
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { EventId, emitFromSelect } from '../../platform/events/event.ts'
import { eventReceived } from '../events.ts'

export interface CustomEvent {
  tenantId: string
  contactId: string
  name: string
  data: string
}

/**
 * Emits the events of existing contacts, in the given order, lets filters count them, and locks the contacts until the commit. Returns for each
 * event whether it was emitted. One statement, because thousands may arrive per minute.
 */
export async function emitCustomEvents(tx: Tx, events: readonly CustomEvent[]): Promise<boolean[]> {
  const ids = events.map(() => EventId.create())
  const numbered = events.map((event, i) => ({ ...event, n: i + 1 }))
  // Contacts are locked in one order everywhere. The lateral join uses the key even without fresh statistics.
  const sorted = numbered.toSorted(
    (a, b) => compare(a.tenantId, b.tenantId) || compare(a.contactId, b.contactId),
  )
  const rows = await tx.rows<{ n: number }>(sql`
    with locked as materialized (
      select k.n, k.tenant_id, k.contact_id, k.name, k.data, (${ids}::text[])[k.n] as event_id
      from unnest(${sorted.map(event => event.n)}::int[], ${sorted.map(event => event.tenantId)}::text[],
          ${sorted.map(event => event.contactId)}::text[], ${sorted.map(event => event.name)}::text[],
          ${sorted.map(event => event.data)}::json[])
        as k(n, tenant_id, contact_id, name, data)
      cross join lateral (
        select c.id from contacts c
        where c.tenant_id = k.tenant_id collate "C" and c.id = k.contact_id collate "C" and c.deleted_at is null
        limit 1 for share) c
    ), emitted as (
      ${emitFromSelect(
        tx,
        eventReceived,
        sql`select event_id, tenant_id, ${eventReceived.type},
          ${tx.now}::timestamptz, data, null::json, ${tx.causationDepth}::smallint
        from locked order by n`,
      )}
    ), counted as (
      ${insertContactEvents(sql`select tenant_id, contact_id, name, ${tx.now}::timestamptz, event_id from locked`)}
    )
    select n from locked`)
  const emitted = new Set(rows.map(row => row.n))
  return numbered.map(({ n }) => emitted.has(n))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

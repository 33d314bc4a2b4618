/**
 * What is on its way: put in by the event log's subscription and by replays, taken by the holder of the lane. Where a
 * receiver does well it is in webhook_deliveries; what has failed, or waits for a receiver that is left alone, is in
 * webhook_backlog. Rows that are taken are only touched by their holder, or by who takes over from it.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import { DeliveryId } from '../schemas.ts'
import { type EndpointLease, onConflictMarkDue } from './endpoint-state.ts'

const deliveries = raw('webhook_deliveries')
const backlog = raw('webhook_backlog')

export interface NewDelivery {
  seq: number
  eventId: string
  eventType: string
}

/**
 * Of these events, in their order, those that the workspace's settings ask for (or one of `types`, while it is
 * enabled). False when that is none.
 */
export async function insertDeliveries(
  tx: Tx,
  tenantId: string,
  events: readonly NewDelivery[],
  types?: readonly string[],
): Promise<boolean> {
  const columns = raw('tenant_id, id, seq, event_id, event_type, due_at')
  const woken = await tx.run(sql`
    with wanted as materialized (
      select settings.tenant_id, event.id, event.seq, event.event_id, event.event_type, ${tx.now}::timestamptz as due_at,
        exists (select from webhook_endpoint_state where tenant_id = ${tenantId} and blocked_until is not null) as waits
      from webhook_settings settings cross join unnest(${events.map(() => DeliveryId.createAt(tx.now))}::text[],
        ${events.map(event => event.seq)}::bigint[], ${events.map(event => event.eventId)}::text[],
        ${events.map(event => event.eventType)}::text[]) as event (id, seq, event_id, event_type)
      where settings.tenant_id = ${tenantId} and settings.enabled
        and event.event_type = any (coalesce(${types ?? null}::text[], settings.event_types))
    ), added as (
      insert into webhook_deliveries (${columns}) select ${columns} from wanted where not waits
    ), put_off as (
      insert into webhook_backlog (${columns}) select ${columns} from wanted where waits
    )
    insert into webhook_endpoint_state (tenant_id, due_at) select ${tenantId}, ${tx.now} where exists (select from wanted)
    ${onConflictMarkDue(raw('excluded.due_at'))}`)
  return woken > 0
}

export interface ClaimedDelivery {
  tenantId: string
  id: string
  isBacklog: boolean
  attemptNumber: number
  failures: number
  claimedAt: string
  dueAt: string
  eventId: string
  eventType: string
  seq: number
  timestamp: string
  /** JSON texts; null where the event has no such part. */
  contact: string | null
  conversation: string | null
  message: string | null
  /** The event is still in the log. */
  isRetained: boolean
}

export interface ClaimRequest extends EndpointLease {
  limit: number
  /** Nothing is known to be due before this: reading begins there, not among what has been dealt with already. */
  scanFrom: string
}

type ClaimedRow = Omit<ClaimedDelivery, 'id'> & { id: string | null }

/** The next due of each lane, in their order, marked as under way. By place, as no join has a better plan. */
const claimFrom = (table: Sql, now: string, places: Sql): Sql => sql`
  update ${table} delivery set taken_at = ${now},
    taken_by = (select token from mine where mine.tenant_id = delivery.tenant_id)
  where taken_by is null and ctid = any (array(
    select due.ctid from mine cross join lateral (
      select ctid from ${table}
      where tenant_id = mine.tenant_id and due_at > '-infinity' and due_at >= mine.floor and due_at <= ${now}
        and taken_by is null
      order by due_at limit ${places}
    ) due))
  returning *`

/**
 * Takes from each lane and gives what to send. A lane is in the answer when it was looked at; others are locked by
 * somebody this moment, or not ours any more. Locking it first means that whoever takes the lane over sees the marks.
 */
export async function claimDue(
  on: Queryable,
  wishes: readonly ClaimRequest[],
  now: string,
): Promise<Map<string, ClaimedDelivery[]>> {
  const rows = await on.rows<ClaimedRow>(sql`
    with mine as materialized (
      select lane.*, wish.places, wish.floor
      from unnest(${wishes.map(wish => wish.tenantId)}::text[], ${wishes.map(wish => wish.token)}::bigint[],
        ${wishes.map(wish => wish.limit)}::int[], ${wishes.map(wish => wish.scanFrom)}::timestamptz[])
        as wish (tenant_id, token, places, floor)
      cross join lateral (
        select tenant_id, token, news from webhook_endpoint_state
        where tenant_id = wish.tenant_id and token = wish.token limit 1 for no key update skip locked
      ) lane
    ), seen as (
      update webhook_endpoint_state set news = false where tenant_id = any (array(select tenant_id from mine where news))
    ), fresh as (${claimFrom(deliveries, now, raw('mine.places'))}
    ), older as (${claimFrom(backlog, now, raw('(mine.places + 1) / 2'))}
    ), taken as (
      select *, false as is_backlog from fresh union all select *, true from older
    )
    select tenant_id as "tenantId", id, is_backlog as "isBacklog", attempts + 1 as "attemptNumber", failures,
      taken_at as "takenAt", due_at as "dueAt", event_id as "eventId", event_type as "eventType", seq,
      log.*, log.timestamp is not null as kept
    from taken left join lateral (
      select at as timestamp, (data -> 'contact')::text as contact, (data -> 'conversation')::text as conversation,
        (data -> 'message')::text as message
      from event_log where tenant_id = taken.tenant_id and seq = taken.seq order by day desc limit 1
    ) log on true
    union all
    select tenant_id, null, false, 0, 0, null, null, null, null, 0, null, null, null, null, false from mine`)
  const lanes = new Map<string, ClaimedDelivery[]>()
  for (const { tenantId, id } of rows) if (id === null) lanes.set(tenantId, [])
  for (const row of rows) if (row.id !== null) lanes.get(row.tenantId)!.push(row as ClaimedDelivery)
  for (const lane of lanes.values()) lane.sort(compareDue)
  return lanes
}

function compareDue(a: ClaimedDelivery, b: ClaimedDelivery): number {
  if (a.dueAt !== b.dueAt) return a.dueAt < b.dueAt ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** How many new ones are waiting for their turn, counted up to a limit. */
export async function countDue(on: Queryable, tenantId: string, now: string, most: number): Promise<number> {
  const { due } = await on.one<{ due: number }>(sql`
    select count(*) as due from (
      (select from webhook_deliveries
       where tenant_id = ${tenantId} and due_at > '-infinity' and due_at <= ${now} limit ${most})
      union all
      (select from webhook_backlog
       where tenant_id = ${tenantId} and due_at > '-infinity' and due_at <= ${now} limit ${most})) found`)
  return Math.min(due, most)
}

/** False when there is no such delivery waiting or under way. */
export async function makeDueNow(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const hurry = (table: Sql) =>
    tx.one<{ found: boolean }>(sql`
      with hurried as (
        update ${table} set due_at = least(due_at, ${tx.now})
        where tenant_id = ${tenantId} and id = ${id} and taken_by is null
      )
      select exists (select from ${table} where tenant_id = ${tenantId} and id = ${id}) as found`)
  return (await hurry(backlog)).found || (await hurry(deliveries)).found
}

/** Some of those made before; returns how many. Those under way are left alone. */
export async function deleteDeliveriesBefore(
  on: Queryable,
  tenantId: string,
  before: string,
  limit: number,
): Promise<number> {
  let deleted = 0
  for (const table of [deliveries, backlog])
    deleted += await on.run(sql`
      delete from ${table} where taken_by is null and ctid = any (array(
        select ctid from ${table} where tenant_id = ${tenantId} and id < ${before} and taken_by is null limit ${limit}))`)
  return deleted
}

/** Workspaces whose deliveries wait for a receiver that is disabled or gone. */
export async function listDisabledTenants(on: Queryable): Promise<string[]> {
  const rows = await on.rows<{ tenantId: string }>(sql`
    select lane.tenant_id as "tenantId" from webhook_endpoint_state lane left join webhook_settings settings using (tenant_id)
    where settings.enabled is not true and (
      exists (select from webhook_deliveries where tenant_id = lane.tenant_id)
      or exists (select from webhook_backlog where tenant_id = lane.tenant_id))`)
  return rows.map(row => row.tenantId)
}

/**
 * Pending deliveries: inserted by the event consumer and by replays, claimed by the owner of the endpoint's lease. New
 * deliveries are in webhook_deliveries; failed ones and those for an open circuit are in webhook_backlog. Claimed rows are
 * changed only by the owner of the lease.
 */

import type { Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Envelope } from '../delivery/envelope.ts'
import { DeliveryId } from '../schemas.ts'
import { type EndpointKey, type EndpointLease, onConflictMarkDue } from './endpoint-state.ts'

const deliveries = raw('webhook_deliveries')
const backlog = raw('webhook_backlog')

export interface Subscription {
  endpointId: string
  eventTypes: string[]
}

/** Lists the enabled endpoints with the types they receive. */
export function listSubscriptions(on: Queryable, tenantId: string): Promise<Subscription[]> {
  return on.rows(sql`
    select id as "endpointId", event_types as "eventTypes" from webhook_settings
    where tenant_id = ${tenantId} and enabled order by id`)
}

export interface NewDelivery {
  endpointId: string
  seq: number
  eventId: string
  eventType: string
}

/** Inserts deliveries and makes their endpoints due. */
export async function insertDeliveries(
  tx: Tx,
  tenantId: string,
  rows: readonly NewDelivery[],
): Promise<void> {
  const columns = raw('tenant_id, id, endpoint_id, seq, event_id, event_type, due_at')
  const column = <K extends keyof NewDelivery>(name: K) => rows.map(row => row[name])
  await tx.run(sql`
    with wanted as materialized (
      select ${tenantId}::text as tenant_id, ${tx.now}::timestamptz as due_at, input.*, exists (
        select from webhook_endpoint_state state
        where state.tenant_id = ${tenantId} and state.endpoint_id = input.endpoint_id
          and circuit_open_until is not null) as is_deferred
      from unnest(${rows.map(() => DeliveryId.createAt(tx.now))}::text[], ${column('endpointId')}::text[],
        ${column('seq')}::bigint[], ${column('eventId')}::text[], ${column('eventType')}::text[])
        as input (id, endpoint_id, seq, event_id, event_type)
    ), added as (
      insert into webhook_deliveries (${columns}) select ${columns} from wanted where not is_deferred
    ), deferred as (
      insert into webhook_backlog (${columns}) select ${columns} from wanted where is_deferred
    )
    insert into webhook_endpoint_state (tenant_id, endpoint_id, due_at)
    select distinct tenant_id, endpoint_id, due_at from wanted order by endpoint_id
    ${onConflictMarkDue(raw('excluded.due_at'))}`)
}

export interface ClaimedDelivery extends EndpointKey, Omit<Envelope, 'id' | 'type'> {
  id: string
  isBacklog: boolean
  attemptNumber: number
  failures: number
  claimedAt: string
  dueAt: string
  eventId: string
  eventType: string
  seq: number
  /** The event is still in the log. */
  isRetained: boolean
}

export interface ClaimRequest extends EndpointLease {
  limit: number
  /** Start of the index scan; skips entries of completed deliveries. */
  scanFrom: string
}

type ClaimedRow = Omit<ClaimedDelivery, 'id'> & { id: string | null }

/** Claims the next due deliveries of each endpoint in order; by ctid, because no join has a better plan. */
const claimFrom = (table: Sql, now: string, maxRows: Sql): Sql => sql`
  update ${table} delivery set claimed_at = ${now},
    claimed_by = (select token from leased
      where leased.tenant_id = delivery.tenant_id and leased.endpoint_id = delivery.endpoint_id)
  where claimed_by is null and ctid = any (array(
    select due.ctid from leased cross join lateral (
      select ctid from ${table}
      where tenant_id = leased.tenant_id and endpoint_id = leased.endpoint_id and due_at > '-infinity'
        and due_at >= leased.scan_from and due_at <= ${now} and claimed_by is null
      order by due_at limit ${maxRows}
    ) due))
  returning *`

/** The backlog gets what new deliveries leave, and at least half as much again, so that neither starves the other. */
const backlogShare = raw(`greatest((leased.max_rows + 1) / 2, leased.max_rows - (
  select count(*) from new_claimed where tenant_id = leased.tenant_id and endpoint_id = leased.endpoint_id))`)

/**
 * Claims due deliveries and returns them with their events: at least `limit` if as many are due. Endpoints missing from the result are locked or leased by
 * another process. The endpoint rows are locked first, so that the next owner of a lease sees the claims.
 */
export async function claimDue(
  on: Queryable,
  requests: readonly ClaimRequest[],
  now: string,
): Promise<Map<string, ClaimedDelivery[]>> {
  const rows = await on.rows<ClaimedRow>(sql`
    with leased as materialized (
      select state.*, request.max_rows, request.scan_from
      from unnest(${requests.map(request => request.tenantId)}::text[],
        ${requests.map(request => request.endpointId)}::text[], ${requests.map(request => request.token)}::bigint[],
        ${requests.map(request => request.limit)}::int[], ${requests.map(request => request.scanFrom)}::timestamptz[])
        as request (tenant_id, endpoint_id, token, max_rows, scan_from)
      cross join lateral (
        select tenant_id, endpoint_id, token, has_new from webhook_endpoint_state
        where tenant_id = request.tenant_id and endpoint_id = request.endpoint_id and token = request.token
        limit 1 for no key update skip locked
      ) state
    ), reset as (
      update webhook_endpoint_state state set has_new = false from leased
      where state.tenant_id = leased.tenant_id and state.endpoint_id = leased.endpoint_id and leased.has_new
    ), new_claimed as (${claimFrom(deliveries, now, raw('leased.max_rows'))}
    ), backlog_claimed as (${claimFrom(backlog, now, backlogShare)}
    ), claimed as (
      select *, false as is_backlog from new_claimed union all select *, true from backlog_claimed
    )
    select tenant_id as "tenantId", endpoint_id as "endpointId", id, is_backlog as "isBacklog", attempts + 1 as "attemptNumber", failures,
      claimed_at as "claimedAt", due_at as "dueAt", event_id as "eventId", event_type as "eventType", seq,
      log.*, log.timestamp is not null as "isRetained"
    from claimed left join lateral (
      select at as timestamp, (data -> 'contact')::text as contact, (data -> 'conversation')::text as conversation,
        (data -> 'message')::text as message, (data -> 'inbox')::text as inbox,
        (data -> 'journey')::text as journey, (data -> 'chatbot')::text as chatbot, (data -> 'rating')::text as rating,
        (data -> 'changes')::text as changes, coalesce(public_seq, seq) as sequence
      from event_log where tenant_id = claimed.tenant_id and seq = claimed.seq order by day desc limit 1
    ) log on true
    union all
    select tenant_id, endpoint_id, null, false, 0, 0, null, null, null, null, 0, null, null, null, null, null, null, null, null,
      null, null, false from leased`)
  const claimed = new Map<string, ClaimedDelivery[]>()
  for (const { endpointId, id } of rows) if (id === null) claimed.set(endpointId, [])
  for (const row of rows) if (row.id !== null) claimed.get(row.endpointId)!.push(row as ClaimedDelivery)
  for (const list of claimed.values()) list.sort(compareDue)
  return claimed
}

function compareDue(a: ClaimedDelivery, b: ClaimedDelivery): number {
  if (a.dueAt !== b.dueAt) return a.dueAt < b.dueAt ? -1 : 1
  return a.id < b.id ? -1 : 1
}

export async function countDue(
  on: Queryable,
  { tenantId, endpointId }: EndpointKey,
  now: string,
  max: number,
): Promise<number> {
  const { due } = await on.one<{ due: number }>(sql`
    select count(*) as due from (
      (select from webhook_deliveries
       where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and due_at > '-infinity' and due_at <= ${now}
       limit ${max})
      union all
      (select from webhook_backlog
       where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and due_at > '-infinity' and due_at <= ${now}
       limit ${max})) found`)
  return Math.min(due, max)
}

/** Makes a waiting delivery due immediately. Returns false if the delivery does not exist. */
export async function makeDueNow(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const update = (table: Sql) =>
    tx.one<{ found: boolean }>(sql`
      with updated as (
        update ${table} set due_at = least(due_at, ${tx.now})
        where tenant_id = ${tenantId} and id = ${id} and claimed_by is null
      )
      select exists (select from ${table} where tenant_id = ${tenantId} and id = ${id}) as found`)
  return (await update(backlog)).found || (await update(deliveries)).found
}

/** Deletes up to `limit` unclaimed deliveries of the endpoint that were created before this id; returns their number. */
export async function deleteDeliveriesBefore(
  on: Queryable,
  { tenantId, endpointId }: EndpointKey,
  before: string,
  limit: number,
): Promise<number> {
  let deleted = 0
  for (const table of [deliveries, backlog])
    deleted += await on.run(sql`
      delete from ${table} where claimed_by is null and ctid = any (array(
        select ctid from ${table}
        where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and due_at > '-infinity' and id < ${before}
          and claimed_by is null limit ${limit}))`)
  return deleted
}

/** Lists endpoints that are disabled or deleted and may have deliveries. */
export function listDisabledEndpoints(on: Queryable): Promise<(EndpointKey & { isDeleted: boolean })[]> {
  return on.rows(sql`
    select state.tenant_id as "tenantId", state.endpoint_id as "endpointId", settings.id is null as "isDeleted"
    from webhook_endpoint_state state
    left join webhook_settings settings on settings.tenant_id = state.tenant_id and settings.id = state.endpoint_id
    where settings.enabled is not true and ${notMoving('state.tenant_id')}`)
}

/**
 * The lanes: which workspaces have something due, who is at it, and how their receivers do. Statements over many lanes
 * skip those locked by others and so never wait; they are tried again.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { CircuitState } from '../circuit-breaker.ts'

/** While a lane is held, its holder is only told; else it is due, once its receiver is not left alone any more. */
export const onConflictMarkDue = (dueAt: Sql): Sql => sql`
  on conflict (tenant_id) do update set news = true,
    due_at = case when webhook_endpoint_state.held_until is null
      then least(webhook_endpoint_state.due_at, greatest(${dueAt}, webhook_endpoint_state.blocked_until)) end`

export async function markDue(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`
    insert into webhook_endpoint_state (tenant_id, due_at) values (${tenantId}, ${tx.now}) ${onConflictMarkDue(raw('excluded.due_at'))}`)
}

export async function resetCircuit(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`
    update webhook_endpoint_state set streak = 0, blocks = 0, blocked_until = null, failed_at = null, failing_since = null
    where tenant_id = ${tenantId}`)
}

export interface EndpointLease {
  tenantId: string
  token: number
}

export interface ClaimedEndpoint extends EndpointLease, CircuitState {
  /** Its last holder's lease ran out: what that one had under way was interrupted. */
  abandoned: boolean
}

const circuitColumns = raw(`streak, blocks, blocked_until as "blockedUntil", failed_at as "failedAt",
  failing_since as "failingSince"`)
const lease = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`

export interface ClaimOptions {
  now: string
  limit: number
  leaseMs: number
}

export function claimEndpoints(
  on: Queryable,
  { now, limit, leaseMs }: ClaimOptions,
): Promise<ClaimedEndpoint[]> {
  return on.rows(sql`
    with due as (
      select tenant_id, false as abandoned from webhook_endpoint_state
      where due_at <= ${now} order by due_at limit ${limit} for update skip locked
    ), abandoned as (
      select tenant_id, true as abandoned from webhook_endpoint_state
      where held_until <= now() order by held_until limit ${limit} for update skip locked
    )
    update webhook_endpoint_state lane
    set held_until = ${lease(leaseMs)}, due_at = null, news = false, token = token + 1
    from (select * from due union all select * from abandoned limit ${limit}) claimed
    where lane.tenant_id = claimed.tenant_id
    returning lane.tenant_id as "tenantId", token, abandoned, ${circuitColumns}`)
}

/** Of these lanes, those that are still ours, locked. Each is looked up by its key, whatever is planned. */
const lockLeased = (lanes: readonly EndpointLease[]): Sql => sql`
  select lane.tenant_id from
    unnest(${lanes.map(lane => lane.tenantId)}::text[], ${lanes.map(lane => lane.token)}::bigint[]) as held (tenant_id, token)
  cross join lateral (
    select tenant_id from webhook_endpoint_state
    where tenant_id = held.tenant_id and token = held.token limit 1 for no key update skip locked
  ) lane`

/** Those that are still ours, and whose lease now lasts longer. */
export async function renewLeases(
  on: Queryable,
  lanes: readonly EndpointLease[],
  leaseMs: number,
): Promise<Set<string>> {
  const rows = await on.rows<{ tenantId: string }>(sql`
    update webhook_endpoint_state set held_until = ${lease(leaseMs)}
    where tenant_id = any (array(${lockLeased(lanes)})) returning tenant_id as "tenantId"`)
  return new Set(rows.map(row => row.tenantId))
}

/** When the first of a lane's deliveries in this table is due: one step along the index of what is due. */
const firstDue = (table: string): Sql =>
  raw(`((select due_at from ${table} where tenant_id = lane.tenant_id and due_at > '-infinity' and taken_by is null
    order by due_at limit 1))`)

/**
 * Lets go of lanes; they are due again when their next delivery is, or at once when something was added meanwhile. Those
 * that are `parked` have nobody to deliver to, and rest until somebody wakes them. Lanes that are not in the answer are
 * locked by somebody this moment, or not ours any more.
 */
export async function releaseLeases(
  on: Queryable,
  lanes: readonly (EndpointLease & { parked: boolean })[],
  now: string,
): Promise<Set<string>> {
  const parked = lanes.filter(lane => lane.parked).map(lane => lane.tenantId)
  const rows = await on.rows<{ tenantId: string }>(sql`
    update webhook_endpoint_state lane set held_until = null, news = false, due_at = case
      when news then greatest(${now}::timestamptz, blocked_until)
      when tenant_id <> all (${parked}::text[]) then (
        select greatest(lane.blocked_until, min(due_at))
        from (values ${firstDue('webhook_deliveries')}, ${firstDue('webhook_backlog')}) as first (due_at)
        having min(due_at) is not null)
      end
    where tenant_id = any (array(${lockLeased(lanes)})) returning tenant_id as "tenantId"`)
  return new Set(rows.map(row => row.tenantId))
}

/** Only while the receiver it speaks of is the one that is set. */
export async function saveCircuit(
  on: Queryable,
  lane: EndpointLease & { url: string },
  is: CircuitState,
): Promise<void> {
  await on.run(sql`
    update webhook_endpoint_state lane set streak = ${is.consecutiveFailures}, blocks = ${is.backoffLevel}, blocked_until = ${is.circuitOpenUntil},
      failed_at = ${is.failedAt}, failing_since = ${is.failingSince}
    from webhook_settings settings
    where lane.tenant_id = ${lane.tenantId} and lane.token = ${lane.token}
      and settings.tenant_id = lane.tenant_id and settings.url = ${lane.url}`)
}

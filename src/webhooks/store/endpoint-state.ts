/**
 * Endpoint state: when deliveries of an endpoint are due, the lease, and the circuit. Statements over several endpoints
 * skip rows locked by other transactions; callers try these again.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { CircuitState } from '../delivery/circuit-breaker.ts'

export interface EndpointKey {
  tenantId: string
  endpointId: string
}

/** Sets `has_new` for the owner of the lease; without a lease, makes the endpoint due once its circuit is not open. */
export const onConflictMarkDue = (dueAt: Sql): Sql => sql`
  on conflict (tenant_id, endpoint_id) do update set has_new = true,
    due_at = case when webhook_endpoint_state.leased_until is null
      then least(webhook_endpoint_state.due_at, greatest(${dueAt}, webhook_endpoint_state.circuit_open_until)) end`

export async function markDue(tx: Tx, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.run(sql`
    insert into webhook_endpoint_state (tenant_id, endpoint_id, due_at) values (${tenantId}, ${endpointId}, ${tx.now})
    ${onConflictMarkDue(raw('excluded.due_at'))}`)
}

export async function resetCircuit(tx: Tx, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.run(sql`
    update webhook_endpoint_state set consecutive_failures = 0, backoff_level = 0, circuit_open_until = null,
      failed_at = null, failing_since = null
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`)
}

export async function deleteEndpointState(tx: Tx, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.run(
    sql`delete from webhook_endpoint_state where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`,
  )
}

export interface EndpointLease extends EndpointKey {
  token: number
}

export interface ClaimedEndpoint extends EndpointLease, CircuitState {
  /** The lease of the last owner expired; its deliveries in flight were interrupted. */
  abandoned: boolean
}

const circuitColumns = raw(`consecutive_failures as "consecutiveFailures", backoff_level as "backoffLevel",
  circuit_open_until as "circuitOpenUntil", failed_at as "failedAt", failing_since as "failingSince"`)
const leaseEnd = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`

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
      select tenant_id, endpoint_id, false as abandoned from webhook_endpoint_state
      where due_at <= ${now} order by due_at limit ${limit} for update skip locked
    ), abandoned as (
      select tenant_id, endpoint_id, true as abandoned from webhook_endpoint_state
      where leased_until <= now() order by leased_until limit ${limit} for update skip locked
    )
    update webhook_endpoint_state state
    set leased_until = ${leaseEnd(leaseMs)}, due_at = null, has_new = false, token = token + 1
    from (select * from due union all select * from abandoned limit ${limit}) claimed
    where state.tenant_id = claimed.tenant_id and state.endpoint_id = claimed.endpoint_id
    returning state.tenant_id as "tenantId", state.endpoint_id as "endpointId", token, abandoned, ${circuitColumns}`)
}

/** Locks and returns the endpoints whose lease token is still current, each by primary key. */
const lockLeased = (leases: readonly EndpointLease[]): Sql => sql`
  select state.tenant_id, state.endpoint_id from
    unnest(${leases.map(lease => lease.tenantId)}::text[], ${leases.map(lease => lease.endpointId)}::text[],
      ${leases.map(lease => lease.token)}::bigint[]) as lease (tenant_id, endpoint_id, token)
  cross join lateral (
    select tenant_id, endpoint_id from webhook_endpoint_state
    where tenant_id = lease.tenant_id and endpoint_id = lease.endpoint_id and token = lease.token
    limit 1 for no key update skip locked
  ) state`

const isLeased = raw('state.tenant_id = leased.tenant_id and state.endpoint_id = leased.endpoint_id')

/** Extends the leases that are still held and returns the ids of their endpoints. */
export async function renewLeases(
  on: Queryable,
  leases: readonly EndpointLease[],
  leaseMs: number,
): Promise<Set<string>> {
  const rows = await on.rows<{ endpointId: string }>(sql`
    with leased as materialized (${lockLeased(leases)})
    update webhook_endpoint_state state set leased_until = ${leaseEnd(leaseMs)}
    from leased where ${isLeased} returning state.endpoint_id as "endpointId"`)
  return new Set(rows.map(row => row.endpointId))
}

/** Extends one lease, waiting for its row lock. Returns false if the lease is no longer held. */
export async function renewLease(on: Queryable, lease: EndpointLease, leaseMs: number): Promise<boolean> {
  const renewed = await on.run(sql`
    update webhook_endpoint_state set leased_until = ${leaseEnd(leaseMs)}
    where tenant_id = ${lease.tenantId} and endpoint_id = ${lease.endpointId} and token = ${lease.token}
      and leased_until is not null`)
  return renewed > 0
}

/** Finds when the first delivery in this table is due, with one index step. */
const firstDue = (table: string): Sql =>
  raw(`((select due_at from ${table} where tenant_id = state.tenant_id and endpoint_id = state.endpoint_id
    and due_at > '-infinity' and claimed_by is null order by due_at limit 1))`)

/**
 * Releases leases. Endpoints become due with their next delivery, or immediately if `has_new` was set. Disabled endpoints
 * stay idle until they are marked due. Endpoints missing from the result are locked or leased by another process.
 */
export async function releaseLeases(
  on: Queryable,
  leases: readonly (EndpointLease & { disabled: boolean })[],
  now: string,
): Promise<Set<string>> {
  const disabled = leases.filter(lease => lease.disabled).map(lease => lease.endpointId)
  const rows = await on.rows<{ endpointId: string }>(sql`
    with leased as materialized (${lockLeased(leases)})
    update webhook_endpoint_state state set leased_until = null, has_new = false, due_at = case
      when has_new then greatest(${now}::timestamptz, circuit_open_until)
      when state.endpoint_id <> all (${disabled}::text[]) then (
        select greatest(state.circuit_open_until, min(due_at))
        from (values ${firstDue('webhook_deliveries')}, ${firstDue('webhook_backlog')}) as first (due_at)
        having min(due_at) is not null)
      end
    from leased where ${isLeased} returning state.endpoint_id as "endpointId"`)
  return new Set(rows.map(row => row.endpointId))
}

export interface EndpointHealth extends Pick<CircuitState, 'failingSince' | 'consecutiveFailures'> {
  /** Time of the next attempt; null if no delivery is waiting or the webhook is disabled. */
  nextAttemptAt: string | null
}

/** Lists the health of the workspace's endpoints that have had deliveries. */
export function listHealth(
  on: Queryable,
  tenantId: string,
): Promise<(EndpointHealth & { endpointId: string })[]> {
  return on.rows(sql`
    select endpoint_id as "endpointId", failing_since as "failingSince", consecutive_failures as "consecutiveFailures", (
      select greatest(state.circuit_open_until, min(due_at))
      from (values ${firstDue('webhook_deliveries')}, ${firstDue('webhook_backlog')}) as first (due_at)
      having min(due_at) is not null and exists (
        select from webhook_settings
        where tenant_id = state.tenant_id and id = state.endpoint_id and enabled)) as "nextAttemptAt"
    from webhook_endpoint_state state where tenant_id = ${tenantId}`)
}

/** Saves the circuit state while the lease is held and the URL is unchanged. */
export async function saveCircuit(
  on: Queryable,
  lease: EndpointLease & { url: string },
  circuit: CircuitState,
): Promise<void> {
  await on.run(sql`
    update webhook_endpoint_state state set consecutive_failures = ${circuit.consecutiveFailures},
      backoff_level = ${circuit.backoffLevel}, circuit_open_until = ${circuit.circuitOpenUntil},
      failed_at = ${circuit.failedAt}, failing_since = ${circuit.failingSince}
    from webhook_settings settings
    where state.tenant_id = ${lease.tenantId} and state.endpoint_id = ${lease.endpointId}
      and state.token = ${lease.token} and settings.tenant_id = state.tenant_id and settings.id = state.endpoint_id
      and settings.url = ${lease.url}`)
}

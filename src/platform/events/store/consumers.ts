/**
 * The queue of each consumer (one row per workspace) and its offsets. Queue rows are only locked by single statements, so
 * that no client blocks the sequencer; offsets are advanced in the transaction of the consumer's effects.
 */
import type { Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface ConsumerKey {
  consumer: string
  tenantId: string
}

export interface ClaimedWorkspace extends ConsumerKey {
  token: number
  /** The last processed event. */
  seq: number
  /** The newest event of the consumer's types at the time of the claim. */
  latestSeq: number
  failures: number
  /** When it became due. */
  dueAt: string
}

export interface ConsumerRegistration {
  name: string
  types: readonly string[] | null
}

export async function isConsumerRegistered(
  db: Queryable,
  { name, types }: ConsumerRegistration,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select from event_consumers where name = ${name} and types is not distinct from ${types}::text[]`)
  return found !== undefined
}

export async function listConsumers(db: Queryable): Promise<Set<string>> {
  const rows = await db.rows<{ name: string }>(sql`select name from event_consumers`)
  return new Set(rows.map(row => row.name))
}

/**
 * Registers a consumer for events sequenced after this transaction or, from the beginning, for everything that is kept.
 * The table lock waits for the sequencer's statement in flight, which does not know the consumer, and delays the next.
 */
export async function registerConsumer(
  tx: Tx,
  { name, types }: ConsumerRegistration,
  fromBeginning: boolean,
): Promise<void> {
  await tx.run(sql`lock table event_heads in share mode`)
  const { added } = await tx.one<{ added: boolean }>(sql`
    insert into event_consumers (name, types) values (${name}, ${types}::text[])
    on conflict (name) do update set types = excluded.types returning xmax = 0 as added`)
  if (!added || !fromBeginning) return
  await tx.run(sql`
    insert into event_consumer_queue (tenant_id, consumer, processed_seq, latest_seq)
    select tenant_id, ${name}, 0, seq from event_heads`)
}

export interface ClaimOptions {
  limit: number
  leaseMs: number
  /** Only workspaces that became due since then: a time, or so long ago. */
  from: string | { agoMs: number }
}

/**
 * Leases workspaces with new events. A process of another version, whose types differ from those registered last, gets
 * none: it would skip events that it does not know.
 */
export function claimWorkspaces(
  db: Queryable,
  { name, types }: ConsumerRegistration,
  { limit, leaseMs, from }: ClaimOptions,
): Promise<ClaimedWorkspace[]> {
  const [time, agoMs] = typeof from === 'string' ? [from, 0] : [null, from.agoMs]
  return db.rows<ClaimedWorkspace>(sql`
    update event_consumer_queue queue
    set token = queue.token + 1, due_at = now() + ${leaseMs} * interval '1 millisecond'
    from (
      select tenant_id, due_at from event_consumer_queue
      where consumer = ${name}
        and due_at >= coalesce(${time}::timestamptz, now() - ${agoMs} * interval '1 millisecond')
        and due_at <= now() and exists (
        select from event_consumers where name = ${name} and types is not distinct from ${types}::text[])
      order by due_at limit ${limit} for update skip locked
    ) due
    where queue.consumer = ${name} and queue.tenant_id = due.tenant_id
    returning queue.consumer, queue.tenant_id as "tenantId", queue.token, queue.latest_seq as "latestSeq", queue.failures,
      due.due_at as "dueAt", greatest(queue.processed_seq, (
        select o.seq from event_offsets o
        where o.consumer = queue.consumer and o.tenant_id = queue.tenant_id)) as seq`)
}

/** Renews the leases of one consumer and returns those renewed. Skips rows that the sequencer has locked. */
export async function renewWorkspaces(
  db: Queryable,
  claims: readonly ClaimedWorkspace[],
  leaseMs: number,
): Promise<ClaimedWorkspace[]> {
  const rows = await db.rows<{ tenantId: string }>(sql`
    update event_consumer_queue queue set due_at = now() + ${leaseMs} * interval '1 millisecond'
    from (
      select q.tenant_id, q.consumer from event_consumer_queue q
      join unnest(${claims.map(claim => claim.tenantId)}::text[], ${claims.map(claim => claim.token)}::bigint[])
        as claim (tenant_id, token) using (tenant_id, token)
      where q.consumer = ${claims[0]!.consumer} for update of q skip locked
    ) leased
    where queue.tenant_id = leased.tenant_id and queue.consumer = leased.consumer
    returning queue.tenant_id as "tenantId"`)
  const renewed = new Set(rows.map(row => row.tenantId))
  return claims.filter(claim => renewed.has(claim.tenantId))
}

/** Renews one lease, recording what was processed; returns false when the lease is lost. */
export async function renewWorkspace(
  db: Queryable,
  claim: ClaimedWorkspace,
  leaseMs: number,
  seq = 0,
): Promise<boolean> {
  const renewed = await db.run(sql`
    update event_consumer_queue
    set due_at = now() + ${leaseMs} * interval '1 millisecond', processed_seq = greatest(processed_seq, ${seq}::bigint)
    where consumer = ${claim.consumer} and tenant_id = ${claim.tenantId} and token = ${claim.token}`)
  return renewed > 0
}

export interface WorkspaceResult {
  seq: number
  failures: number
  retryInMs: number
}

/**
 * Ends the lease. Returns true when there are more events: the workspace is due again after `retryInMs`. Raises the token,
 * so that a renewal in flight does not postpone the workspace.
 */
export async function releaseWorkspace(
  db: Queryable,
  claim: ClaimedWorkspace,
  result: WorkspaceResult,
): Promise<boolean> {
  const { seq, failures, retryInMs } = result
  const released = await db.maybe<{ due: boolean }>(sql`
    update event_consumer_queue set token = token + 1, processed_seq = greatest(processed_seq, ${seq}),
      failures = ${failures},
      due_at = case when latest_seq > ${seq} then now() + ${retryInMs} * interval '1 millisecond' end
    where consumer = ${claim.consumer} and tenant_id = ${claim.tenantId} and token = ${claim.token}
    returning due_at is not null as due`)
  return released?.due ?? false
}

/** Returns false when another worker has advanced the offset beyond `from`: the effects must not be committed. */
export async function advanceOffset(tx: Tx, key: ConsumerKey, from: number, to: number): Promise<boolean> {
  const advanced = await tx.run(sql`
    insert into event_offsets as current (tenant_id, consumer, seq)
    values (${key.tenantId}, ${key.consumer}, ${to})
    on conflict (tenant_id, consumer) do update set seq = excluded.seq where current.seq <= ${from}`)
  return advanced > 0
}

/**
 * What each consumer has to do where, and how far it is. Feeds are written by single statements only (see the
 * migration); the cursor of a consumer with effects in this database moves in the transaction of those effects.
 */
import type { Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface ConsumerKey {
  consumer: string
  tenantId: string
}

export interface ClaimedWorkspace extends ConsumerKey {
  token: number
  /** Dealt with so far. */
  seq: number
  /** The newest event known to be there. */
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

/**
 * A new name hears what is sequenced after this transaction or, from the beginning, everything that is kept. The table
 * lock waits for the sequencer's statement under way, which does not know the name yet, and holds off the next one.
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

export async function deleteConsumer(tx: Tx, name: string): Promise<void> {
  await tx.run(sql`lock table event_heads in share mode`)
  await tx.run(sql`delete from event_consumers where name = ${name}`)
  await tx.run(sql`delete from event_consumer_queue where consumer = ${name}`)
  await tx.run(sql`delete from event_offsets where consumer = ${name}`)
}

export interface ClaimOptions {
  limit: number
  leaseMs: number
  /** Only feeds that became due then or later: a time, or so long ago. */
  from: string | { agoMs: number }
}

/**
 * Takes feeds with news for the time of a lease. A process of another version, which wants other types than those
 * registered last, gets nothing: it would pass over events that it does not know.
 */
export function claimWorkspaces(
  db: Queryable,
  { name, types }: ConsumerRegistration,
  { limit, leaseMs, from }: ClaimOptions,
): Promise<ClaimedWorkspace[]> {
  const [time, agoMs] = typeof from === 'string' ? [from, 0] : [null, from.agoMs]
  return db.rows<ClaimedWorkspace>(sql`
    update event_consumer_queue feed
    set token = feed.token + 1, due_at = now() + ${leaseMs} * interval '1 millisecond'
    from (
      select tenant_id, due_at from event_consumer_queue
      where consumer = ${name}
        and due_at >= coalesce(${time}::timestamptz, now() - ${agoMs} * interval '1 millisecond')
        and due_at <= now() and exists (
        select from event_consumers where name = ${name} and types is not distinct from ${types}::text[])
      order by due_at limit ${limit} for update skip locked
    ) due
    where feed.consumer = ${name} and feed.tenant_id = due.tenant_id
    returning feed.consumer, feed.tenant_id as "tenantId", feed.token, feed.latest_seq as "latestSeq", feed.failures,
      due.due_at as "dueAt", greatest(feed.processed_seq, (
        select cursor.seq from event_offsets cursor
        where cursor.consumer = feed.consumer and cursor.tenant_id = feed.tenant_id)) as seq`)
}

/** Whether the lease is still ours, and now lasts longer. What was dealt with meanwhile is not lost with us. */
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
  error: string | null
  retryInMs: number
}

/** Ends the lease. True when the feed has got news meanwhile: it is due again once the wait is over. */
export async function releaseWorkspace(
  db: Queryable,
  claim: ClaimedWorkspace,
  settlement: WorkspaceResult,
): Promise<boolean> {
  const { seq, failures, error, retryInMs: waitMs } = settlement
  const settled = await db.maybe<{ due: boolean }>(sql`
    update event_consumer_queue set processed_seq = greatest(processed_seq, ${seq}), failures = ${failures}, last_error = ${error},
      due_at = case when latest_seq > ${seq} then now() + ${waitMs} * interval '1 millisecond' end
    where consumer = ${claim.consumer} and tenant_id = ${claim.tenantId} and token = ${claim.token}
    returning due_at is not null as due`)
  return settled?.due ?? false
}

/** False when somebody else has moved it beyond `from` meanwhile: then the effects must not be committed. */
export async function advanceOffset(tx: Tx, feed: ConsumerKey, from: number, to: number): Promise<boolean> {
  const moved = await tx.run(sql`
    insert into event_offsets as cursor (tenant_id, consumer, seq)
    values (${feed.tenantId}, ${feed.consumer}, ${to})
    on conflict (tenant_id, consumer) do update set seq = excluded.seq where cursor.seq <= ${from}`)
  return moved > 0
}

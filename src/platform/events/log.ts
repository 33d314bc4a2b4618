/** Reads the event log of a workspace by sequence number, and what a transaction has emitted; redacts events. */

import { dbNow } from '../db/clock.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import { containsAnyWord, raw, type Sql, sql } from '../db/sql.ts'
import type { LogEvent } from './event.ts'

export interface LogRange {
  after: number
  limit: number
  types?: readonly string[] | undefined
}

const columns = raw(
  'event_id as id, tenant_id as "tenantId", seq, public_seq as "publicSeq", type, at as timestamp, data, audience, causation_depth as "causationDepth"',
)
/** How far back `listLatestEvents` looks in the log of a workspace. */
const maxEventsScanned = 2_000

export function readLog(
  db: Queryable,
  tenantId: string,
  { after, limit, types }: LogRange,
): Promise<LogEvent[]> {
  const ofTypes = types ? sql`and type = any (${types}::text[])` : raw('')
  return db.rows<LogEvent>(sql`
    select ${columns} from event_log where tenant_id = ${tenantId} and seq > ${after} ${ofTypes}
    order by seq limit ${limit}`)
}

/** Reads public events in the order of their numbers, from the one after `after`. */
export function readPublicLog(
  db: Queryable,
  tenantId: string,
  { after, limit }: { after: number; limit: number },
): Promise<(LogEvent & { publicSeq: number })[]> {
  return db.rows(sql`
    select ${columns} from event_log where tenant_id = ${tenantId} and public_seq is not null and public_seq > ${after}
    order by public_seq limit ${limit}`)
}

/** Returns the numbers of the oldest retained and of the latest public event; `oldest` is higher when none is retained. */
export function getPublicRange(db: Queryable, tenantId: string): Promise<{ oldest: number; latest: number }> {
  return db.one(sql`
    select coalesce(first.public_seq, head.public_seq + 1, 1) as oldest, coalesce(head.public_seq, 0) as latest
    from (select) one
    left join lateral (
      select public_seq from event_log where tenant_id = ${tenantId} and public_seq is not null
      order by public_seq limit 1) first on true
    left join event_heads head on head.tenant_id = ${tenantId}`)
}

export function listLatestEvents(
  on: Queryable,
  tenantId: string,
  types: readonly string[],
): Promise<LogEvent[]> {
  return on.rows<LogEvent>(sql`
    select ${columns} from event_log
    where tenant_id = ${tenantId} and type = any(${types})
      and seq > (select seq from event_heads where tenant_id = ${tenantId}) - ${maxEventsScanned}
    order by seq desc`)
}

/** The position of an event and its number among the public events. */
export interface LogPosition {
  seq: number
  publicSeq: number
}

/** Returns the last position of a workspace and the last number of its public events, 0 when it has no events. */
export async function getHead(db: Queryable, tenantId: string): Promise<LogPosition> {
  const row = await db.maybe<LogPosition>(
    sql`select seq, public_seq as "publicSeq" from event_heads where tenant_id = ${tenantId}`,
  )
  return row ?? { seq: 0, publicSeq: 0 }
}

export async function getLatestSeq(db: Queryable, tenantId: string): Promise<number> {
  return (await getHead(db, tenantId)).seq
}

/**
 * Returns the oldest retained sequence number, or the next one to be assigned when none is retained. Everything after
 * `seq` can be read exactly when `seq + 1 >= getOldestSeq()`.
 */
export async function getOldestSeq(db: Queryable, tenantId: string): Promise<number> {
  const row = await db.one<{ seq: number }>(sql`
    select coalesce(
      (select seq from event_log where tenant_id = ${tenantId} order by seq limit 1),
      (select seq + 1 from event_heads where tenant_id = ${tenantId}), 1) as seq`)
  return row.seq
}

/** Finds the first event and the number of the first public event at or after a time: the start of a replay. */
export function findFirstSince(
  db: Queryable,
  tenantId: string,
  time: string,
): Promise<{ [K in keyof LogPosition]: number | null }> {
  // Events are sequenced after they happened, so earlier partitions hold none of them.
  const since = sql`from event_log
    where tenant_id = ${tenantId} and at >= ${time} and day >= ${time}::timestamptz::date`
  return db.one(sql`
    select (select seq ${since} order by seq limit 1) as seq,
      (select public_seq ${since} and public_seq is not null order by seq limit 1) as "publicSeq"`)
}

/** Whether an event that contains one of these words is in the outbox. */
export async function isEventPending(db: Db, tenantId: string, words: readonly string[]): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (
      select from outbox where tenant_id = ${tenantId} and ${containsAnyWord('data::text', words)}) as found`)
  return found
}

/**
 * Whether a consumer still has to process a recent event of the type that contains one of these words. A consumer that
 * does not run any longer must not hold up others forever: events count for an hour.
 */
export async function isUnprocessed(
  db: Db,
  tenantId: string,
  type: string,
  words: readonly string[],
): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (
      select from event_log e
      join event_consumer_queue q on q.tenant_id = e.tenant_id and q.due_at is not null
      join event_consumers c on c.name = q.consumer and (c.types is null or e.type = any(c.types))
      left join event_offsets o on o.tenant_id = q.tenant_id and o.consumer = q.consumer
      where e.tenant_id = ${tenantId} and e.type = ${type} and e.at > ${dbNow(db.clock)} - interval '1 hour'
        and greatest(q.processed_seq, o.seq) < e.seq and ${containsAnyWord('e.data::text', words)}) as found`)
  return found
}

/** Lists the logged events of a workspace that contain one of these words, and where its log begins. */
export async function listSeqsContaining(
  db: Queryable,
  tenantId: string,
  words: readonly string[],
): Promise<{ oldestSeq: number; seqs: number[] }> {
  const rows = await db.rows<{ seq: number }>(
    sql`select seq from event_log where tenant_id = ${tenantId} and ${containsAnyWord('data::text', words)}`,
  )
  return { oldestSeq: await getOldestSeq(db, tenantId), seqs: rows.map(row => row.seq) }
}

/** Replaces the data of every logged event that contains one of these words; the events keep their numbers. */
export function redactEvents(
  db: Db,
  tenantId: string,
  words: readonly string[],
  replacement: Sql,
): Promise<number> {
  return db.run(sql`
    update event_log set data = ${replacement}
    where tenant_id = ${tenantId} and ${containsAnyWord('data::text', words)}`)
}

/** Lists the events that this transaction has emitted, in order. Their `seq` is the id in the outbox. */
export function listEmitted(tx: Tx, tenantId: string, above: number): Promise<LogEvent[]> {
  return tx.rows<LogEvent>(sql`
    select event_id as id, tenant_id as "tenantId", id as seq, null as "publicSeq", type, at as timestamp, data, audience,
      causation_depth as "causationDepth"
    from outbox where id > ${above} and tenant_id = ${tenantId} and xmin = pg_current_xact_id()::xid order by id`)
}

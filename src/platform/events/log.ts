/** Reads the event log of a workspace by sequence number, and redacts events. */
import type { Db, Queryable } from '../db/db.ts'
import { containsAnyWord, raw, type Sql, sql } from '../db/sql.ts'
import type { LogEvent } from './event.ts'

export interface LogRange {
  after: number
  limit: number
  types?: readonly string[] | undefined
}

const columns = raw(
  'event_id as id, tenant_id as "tenantId", seq, type, at as timestamp, data, audience, causation_depth as "causationDepth"',
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

/** Returns the last sequence number of a workspace, 0 when it has no events. */
export async function getLatestSeq(db: Queryable, tenantId: string): Promise<number> {
  const row = await db.maybe<{ seq: number }>(sql`select seq from event_heads where tenant_id = ${tenantId}`)
  return row?.seq ?? 0
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

/** Finds the first event at or after a time: the start of a replay. */
export async function findFirstSeqSince(
  db: Queryable,
  tenantId: string,
  time: string,
): Promise<number | undefined> {
  // Events are sequenced after they happened, so earlier partitions hold none of them.
  const row = await db.one<{ seq: number | null }>(sql`
    select min(seq) as seq from event_log
    where tenant_id = ${tenantId} and at >= ${time} and day >= ${time}::timestamptz::date`)
  return row.seq ?? undefined
}

/** Whether an event that contains one of these words is in the outbox. */
export async function isEventPending(db: Db, tenantId: string, words: readonly string[]): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (
      select from outbox where tenant_id = ${tenantId} and ${containsAnyWord('data::text', words)}) as found`)
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

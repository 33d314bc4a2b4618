/** The log of each workspace, read by (tenant_id, seq), and its days. */
import type { Queryable } from '../db/db.ts'
import { raw, sql } from '../db/sql.ts'
import type { LogEvent } from './event.ts'

export interface LogRange {
  after: number
  limit: number
  types?: readonly string[] | undefined
}

/** The next events of a workspace, in order. */
export function readLog(db: Queryable, tenantId: string, read: LogRange): Promise<LogEvent[]> {
  const types = read.types ? sql`and type = any (${read.types}::text[])` : raw('')
  return db.rows<LogEvent>(sql`
    select event_id as id, tenant_id as "tenantId", seq, type, at as timestamp, data, audience,
      causation_depth as "causationDepth"
    from event_log where tenant_id = ${tenantId} and seq > ${read.after} ${types}
    order by seq limit ${read.limit}`)
}

/** The last sequence number of a workspace, 0 when nothing has happened yet. */
export async function getLatestSeq(db: Queryable, tenantId: string): Promise<number> {
  const row = await db.maybe<{ seq: number }>(sql`select seq from event_heads where tenant_id = ${tenantId}`)
  return row?.seq ?? 0
}

/**
 * The oldest sequence number that is still kept, or the next one to come when none is. Everything after `seq` can be
 * read exactly when `seq + 1 >= oldestSeq`.
 */
export async function getOldestSeq(db: Queryable, tenantId: string): Promise<number> {
  const row = await db.one<{ seq: number }>(sql`
    select coalesce(
      (select seq from event_log where tenant_id = ${tenantId} order by seq limit 1),
      (select seq + 1 from event_heads where tenant_id = ${tenantId}), 1) as seq`)
  return row.seq
}

/** The first event that happened at or after this time, undefined when there is none: where a replay begins. */
export async function findFirstSeqSince(
  db: Queryable,
  tenantId: string,
  time: string,
): Promise<number | undefined> {
  // An event is sequenced after it happened, so older days hold none of these.
  const row = await db.one<{ seq: number | null }>(sql`
    select min(seq) as seq from event_log
    where tenant_id = ${tenantId} and at >= ${time} and day >= ${time}::timestamptz::date`)
  return row.seq ?? undefined
}

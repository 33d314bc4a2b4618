/** Daily partitions of the attempt log. */
import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { AttemptId } from '../schemas.ts'

const toPartitionName = (day: string) => `webhook_attempts_${day.replaceAll('-', '')}`

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

export async function listPartitionDays(on: Queryable): Promise<string[]> {
  const rows = await on.rows<{ day: string }>(sql`
    select to_date(right(relname, 8), 'YYYYMMDD') as day from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'webhook_attempts'::regclass order by relname`)
  return rows.map(row => row.day)
}

/** Allows one process at a time to create or drop partitions. */
export async function lockPartitions(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('parley webhook days', 0))`)
}

/** Creates the table first and attaches it afterwards, so that readers and writers are not blocked. */
export async function createPartition(tx: Tx, day: string): Promise<void> {
  const name = toPartitionName(day)
  const bound = (at: string) => `'${AttemptId.firstAt(at)}'`
  await tx.run(sql`create table ${raw(name)} (like webhook_attempts including all)
    with (autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_insert_scale_factor = 0)`)
  await tx.run(
    raw(`alter table webhook_attempts attach partition ${name}
      for values from (${bound(day)}) to (${bound(addDays(day, 1))})`),
  )
}

/** Fails quickly if the lock is not available, because readers and writers queue behind it. */
export async function dropPartition(tx: Tx, day: string): Promise<void> {
  await tx.run(sql`set local lock_timeout = '200ms'`)
  await tx.run(sql`drop table ${raw(toPartitionName(day))}`)
}

export async function hasPartitions(db: Db, days: readonly string[]): Promise<boolean> {
  const existing = new Set(await listPartitionDays(db))
  return days.every(day => existing.has(day))
}

/**
 * Tables partitioned by day. Partitions are created ahead of time and dropped whole once they are past retention; the
 * caller makes sure that one process at a time does this. Days are `YYYY-MM-DD`, UTC.
 */
import type { Queryable } from './db.ts'
import { raw, sql } from './sql.ts'

export interface DailyPartitions {
  partition(day: string): string
  list(on: Queryable): Promise<string[]>
  createMissing(on: Queryable, days: readonly string[]): Promise<void>
  /** Fails rather than wait long for a reader: other readers queue behind a pending drop. */
  drop(on: Queryable, day: string): Promise<void>
}

export interface PartitionedTable {
  table: string
  /** The lower bound of a day's partition, as a SQL literal; the upper bound is that of the next day. */
  lowerBound: (day: string) => string
  storage: string
}

const dropTimeout = '200ms'

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The days from `first` on, `count` in all. */
export function listDays(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => addDays(first, n))
}

export function dailyPartitions({ table, lowerBound, storage }: PartitionedTable): DailyPartitions {
  const partition = (day: string) => `${table}_${day.replaceAll('-', '')}`

  function list(on: Queryable): Promise<string[]> {
    return on.values<string>(sql`
      select to_date(right(relname, 8), 'YYYYMMDD') as day from pg_inherits join pg_class on oid = inhrelid
      where inhparent = ${table}::text::regclass order by relname`)
  }

  /** Created aside and then attached, which blocks neither readers nor writers of the table. */
  async function create(on: Queryable, day: string): Promise<void> {
    const name = partition(day)
    await on.run(raw(`create table if not exists ${name} (like ${table} including all) with (${storage})`))
    await on.run(
      raw(`alter table ${table} attach partition ${name}
        for values from (${lowerBound(day)}) to (${lowerBound(addDays(day, 1))})`),
    )
  }

  return {
    partition,
    list,
    async createMissing(on, days) {
      const existing = new Set(await list(on))
      for (const day of days) if (!existing.has(day)) await create(on, day)
    },
    async drop(on, day) {
      await on.run(
        raw(`do $$ begin set local lock_timeout = '${dropTimeout}'; drop table ${partition(day)}; end $$`),
      )
    },
  }
}

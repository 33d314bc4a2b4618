/** The partitions of the log: one per day of sequencing, made some days ahead, dropped whole when they are old. */
import type { Queryable } from '../../db/db.ts'
import { raw, sql } from '../../db/sql.ts'

const nameOf = (day: string) => `event_log_${day.replaceAll('-', '')}`

export async function today(on: Queryable, clockOffsetMs: number): Promise<string> {
  const offset = sql`${clockOffsetMs} * interval '1 millisecond'`
  return (await on.one<{ day: string }>(sql`select (now() + ${offset})::date as day`)).day
}

export async function listDays(on: Queryable): Promise<string[]> {
  const rows = await on.rows<{ day: string }>(sql`
    select to_date(right(relname, 8), 'YYYYMMDD') as day from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'event_log'::regclass order by relname`)
  return rows.map(row => row.day)
}

/** Made aside and then attached: that lets readers and writers of the log go on. */
export async function createDay(on: Queryable, day: string): Promise<void> {
  const name = raw(nameOf(day))
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  await on.run(sql`create table if not exists ${name} (like event_log including all)
    with (autovacuum_vacuum_insert_threshold = -1)`)
  await on.run(
    raw(`alter table event_log attach partition ${nameOf(day)} for values from ('${day}') to ('${next}')`),
  )
}

/** Readers of the log queue behind this, so it gives up rather than wait long for one of them. */
export async function dropDay(on: Queryable, day: string): Promise<void> {
  await on.run(sql`begin`)
  try {
    await on.run(sql`set local lock_timeout = '200ms'`)
    await on.run(sql`drop table ${raw(nameOf(day))}`)
    await on.run(sql`commit`)
  } catch (error) {
    await on.run(sql`rollback`)
    throw error
  }
}

/** Subscribers that have not dealt with everything of a day, and in how many workspaces. */
export function listUnhandled(on: Queryable, day: string): Promise<{ consumer: string; tenants: number }[]> {
  return on.rows(sql`
    select feed.consumer, count(*) as tenants from event_consumer_queue feed
    left join event_offsets cursor using (consumer, tenant_id)
    where due_at is not null and exists (
      select from ${raw(nameOf(day))} log
      where log.tenant_id = feed.tenant_id and log.seq > greatest(feed.processed_seq, cursor.seq) and log.seq <= feed.latest_seq)
    group by feed.consumer order by feed.consumer`)
}

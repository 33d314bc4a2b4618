import type { Db, Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface CronRow {
  name: string
  schedule: string
  nextAt: string
  due: boolean
  /** The database's time. */
  now: string
}

export async function getDatabaseTime(db: Db): Promise<string> {
  const row = await db.one<{ now: string }>(
    sql`select clock_timestamp() + ${db.clock.offsetMs()}::float8 * interval '1 ms' as now`,
  )
  return row.now
}

/** Inserts a cron. A changed schedule replaces the next tick; an unchanged one changes nothing. */
export async function upsertCron(
  db: Queryable,
  name: string,
  schedule: string,
  nextAt: string,
): Promise<void> {
  await db.run(sql`
    insert into crons (name, schedule, next_at) values (${name}, ${schedule}, ${nextAt})
    on conflict (name) do update set schedule = excluded.schedule, next_at = excluded.next_at
    where crons.schedule <> excluded.schedule`)
}

export function listCrons(db: Db, names: readonly string[]): Promise<CronRow[]> {
  const now = sql`statement_timestamp() + ${db.clock.offsetMs()}::float8 * interval '1 ms'`
  return db.rows(sql`
    select name, schedule, next_at as "nextAt", next_at <= ${now} as due, ${now} as now
    from crons where name = any(${names}::text[])`)
}

/** Returns true for the one process that advanced it. */
export async function advanceCron(tx: Tx, name: string, from: string, to: string): Promise<boolean> {
  return (await tx.run(sql`update crons set next_at = ${to} where name = ${name} and next_at = ${from}`)) > 0
}

/** Counts jobs of this key that are not done. */
export async function countPending(tx: Tx, name: string, key: string): Promise<number> {
  const lane = await tx.maybe<{ pending: number }>(sql`
    select pending from job_lanes where name = ${name} and tenant_id = '' and ordering_key = ${key} and ordered`)
  return lane?.pending ?? 0
}

import type { Queryable, Tx } from '../platform/db/db.ts'
import { sql } from '../platform/db/sql.ts'

/** Whether the database accepts writes: not a standby, nor a primary that was set to read-only. */
export async function isWritable(on: Queryable): Promise<boolean> {
  const { mode } = await on.one<{ mode: string }>(
    sql`select current_setting('transaction_read_only') as mode`,
  )
  return mode === 'off'
}

/** Serialises first starts of all processes on this database. */
export async function lockFirstStart(tx: Tx): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('parley first start', 0))`)
}

export interface QueueLag {
  /** Seconds that the oldest outbox event has waited for the log. */
  events: number
  deadJobs: number
  /** Age in seconds of the oldest open transaction, of any application, as far as this role can see. */
  snapshot: number
}

export function getQueueLag(on: Queryable): Promise<QueueLag> {
  return on.one<QueueLag>(sql`
    select coalesce((select extract(epoch from now() - at) from outbox order by id limit 1), 0)::float8 as events,
      (select count(*) from dead_jobs)::int as "deadJobs",
      coalesce((select extract(epoch from now() - min(xact_start)) from pg_stat_activity
        where backend_xmin is not null and pid <> pg_backend_pid()), 0)::float8 as snapshot`)
}

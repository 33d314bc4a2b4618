import type { Queryable, Tx } from '../platform/db/db.ts'
import { sql } from '../platform/db/sql.ts'

export async function ping(on: Queryable): Promise<void> {
  await on.rows(sql`select 1`)
}

/** One first start at a time, of all processes on this database. */
export async function lockFirstStart(tx: Tx): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('parley first start', 0))`)
}

export interface QueueLag {
  /** How long the oldest event has been waiting for the log. */
  events: number
  /** Jobs that were given up. */
  deadJobs: number
  /** How long the oldest transaction has been open, ours or not, as far as we may see. */
  snapshot: number
}

/** What an operator is woken for. */
export function getQueueLag(on: Queryable): Promise<QueueLag> {
  return on.one<QueueLag>(sql`
    select coalesce((select extract(epoch from now() - at) from outbox order by id limit 1), 0)::float8 as events,
      (select count(*) from dead_jobs)::int as "deadJobs",
      coalesce((select extract(epoch from now() - min(xact_start)) from pg_stat_activity
        where backend_xmin is not null and pid <> pg_backend_pid()), 0)::float8 as snapshot`)
}

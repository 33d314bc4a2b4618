import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { AnyJob } from './job.ts'

/** Counts lanes of these jobs that are ready or leased, up to about `max` of each; scheduled lanes do not count. */
export async function countActive(db: Db, jobs: readonly AnyJob[], max: number): Promise<number> {
  const names = jobs.map(job => job.name)
  const { n } = await db.one<{ n: number }>(sql`
    select (select count(*) from (select from job_lanes where state = 'ready' and name = any(${names}) limit ${max}) r)
      + (select count(*) from (select from job_lanes where state = 'leased' and name = any(${names}) limit ${max}) h) as n`)
  return n
}

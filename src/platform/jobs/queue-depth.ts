/** How much work of some jobs is under way or waits for a worker now: for those who add more only when there is room. */
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { AnyJob } from './job.ts'

/** Counted up to about `most`. What is to be tried again later is neither. */
export async function countActive(db: Db, jobs: readonly AnyJob[], max: number): Promise<number> {
  const names = jobs.map(job => job.name)
  const { n } = await db.one<{ n: number }>(sql`
    select (select count(*) from (select from job_lanes where state = 'ready' and name = any(${names}) limit ${max}) r)
      + (select count(*) from (select from job_lanes where state = 'leased' and name = any(${names}) limit ${max}) h) as n`)
  return n
}

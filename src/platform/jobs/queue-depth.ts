import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { AnyJob } from './job.ts'

/** Counts ready background lanes of a job, up to `max`. */
export async function countBackground(db: Db, { name }: AnyJob, max: number): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*) as n from (
      select from job_lanes where state = 'ready' and name = ${name} and background limit ${max}) r`)
  return n
}

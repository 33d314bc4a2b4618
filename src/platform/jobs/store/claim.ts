/** Out of the queue; how is written in the functions of the migration. */
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface ClaimRequest {
  name: string
  leaseMs: number
  /** The tenant after which to look, so that each has its turn. */
  afterTenant: string
  /** Nothing ready is older, as far as the last sweep saw. */
  readySinceMs: number
}

/** One per job. Several of one lane stand together, in order. */
export interface ClaimedRow {
  id: number
  token: number
  name: string
  tenant_id: string
  ordering_key: string | null
  /** Of the first job of the lane. */
  attempt: number
  done_id: number
  job_id: number
  payload: unknown
}

/**
 * For one statement that is a transaction by itself. What a crash of the database would undo is only who was about to do
 * what, or that it was done, which a crash of the worker could undo as well: nothing waits for the disk.
 */
export const asyncCommit = sql`set_config('synchronous_commit', 'off', true)`

/** Few lanes with many jobs each, or many with few. */
const jobsPerClaim = 512

export function claimLanes(db: Db, wanted: readonly ClaimRequest[], limit: number): Promise<ClaimedRow[]> {
  const names = wanted.map(w => w.name)
  const leases = wanted.map(w => w.leaseMs)
  const after = wanted.map(w => w.afterTenant)
  const since = wanted.map(w => w.readySinceMs)
  return db.rows(sql`
    select claimed.* from ${asyncCommit},
      claim_jobs(${names}, ${leases}, ${after}, ${since}, ${limit}, ${jobsPerClaim}) as claimed
    order by id, job_id`)
}

export interface PollResult {
  /** How many became ready by this look. */
  promoted: number
  /** Of the names asked for, those with something ready. */
  ready: string[]
  /** For each name, since when there may be something ready. */
  since_ms: number[]
  /** Until something that waits now is due. */
  next_ms: number | null
}

export const promoteBatchSize = 500

/** A sweep is a look that trusts no earlier one: it finds dead workers' leases and what came in late. */
export function promoteDueJobs(
  db: Db,
  names: readonly string[],
  since: readonly number[],
  sweep: boolean,
): Promise<PollResult> {
  return db.one(
    sql`select * from promote_due_jobs(${names}, ${since}, ${sweep}, ${db.clock.offsetMs()}, ${promoteBatchSize})`,
  )
}

export interface QueueDepth {
  name: string
  ready: number
  leased: number
  scheduled: number
  oldestReadyMs: number
}

/** Reads the whole queue: for a scrape every few seconds, not for decisions. Jobs behind a held lane count as held. */
export function getQueueDepths(db: Db): Promise<QueueDepth[]> {
  const now = sql`statement_timestamp() + ${db.clock.offsetMs()}::float8 * interval '1 ms'`
  return db.unprepared(sql`
    select name, coalesce(sum(pending) filter (where state = 'ready'), 0) as ready,
      coalesce(sum(pending) filter (where state = 'leased'), 0) as leased,
      coalesce(sum(pending) filter (where state = 'scheduled'), 0) as scheduled,
      coalesce(extract(epoch from ${now} - min(at) filter (where state = 'ready')) * 1000, 0) as "oldestReadyMs"
    from job_lanes group by name order by name`)
}

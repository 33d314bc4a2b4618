/** Claims and promotes lanes. The statements are functions, documented in the migration. */
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface ClaimRequest {
  name: string
  leaseMs: number
  /** Claims background lanes instead of the others. */
  background?: boolean
  /** Where the round-robin over tenants continues. */
  afterTenant: string
  /** The last sweep found no ready lane older than this. */
  readySinceMs: number
  /** How many lanes of one tenant may be claimed; no limit without it. */
  maxPerTenant?: number | undefined
}

/** One row per job. Jobs of one lane are adjacent and in order. */
export interface ClaimedRow {
  id: number
  token: number
  name: string
  tenant_id: string
  ordering_key: string | null
  /** Attempt number of the lane's first job. */
  attempt: number
  deaths: number
  done_id: number
  job_id: number
  payload: unknown
}

/**
 * Lets a single-statement transaction commit asynchronously. A crash of the database may undo a claim or a completion,
 * just as a crash of the worker may: the job runs again.
 */
export const asyncCommit = sql`set_config('synchronous_commit', 'off', true)`

const jobsPerClaim = 512

/** `full` lists names and tenants, joined by a space, that have as many lanes as they may. */
export function claimLanes(
  db: Db,
  requests: readonly ClaimRequest[],
  limit: number,
  full: readonly string[] = [],
): Promise<ClaimedRow[]> {
  const names = requests.map(request => request.name)
  const background = requests.map(request => request.background ?? false)
  const leases = requests.map(request => request.leaseMs)
  const after = requests.map(request => request.afterTenant)
  const since = requests.map(request => request.readySinceMs)
  const shares = requests.map(request => request.maxPerTenant ?? null)
  return db.rows(sql`
    select claimed.* from ${asyncCommit},
      claim_jobs(${names}, ${background}, ${leases}, ${after}, ${since}, ${limit}, ${jobsPerClaim}, ${shares}, ${full})
        as claimed
    order by id, job_id`)
}

/** Records that the process starts a suspect job. Returns false if the lease was lost. */
export async function markSuspect(db: Db, { id, token }: { id: number; token: number }): Promise<boolean> {
  const marked = await db.run(sql`
    update job_lanes set suspect_token = token where id = ${id} and token = ${token} and state = 'leased'`)
  return marked > 0
}

/** Records that the suspect job no longer runs; its completion may be written later. */
export async function unmarkSuspect(db: Db, { id, token }: { id: number; token: number }): Promise<void> {
  await db.run(sql`update job_lanes set suspect_token = null where id = ${id} and suspect_token = ${token}`)
}

export interface PollResult {
  /** Lanes made ready. */
  promoted: number
  /** Names with ready lanes. */
  ready: string[]
  /** For each name, since when there may be ready lanes. */
  since_ms: number[]
  /** Time until the next scheduled lane is due. */
  next_ms: number | null
}

export const promoteBatchSize = 500

/** A sweep ignores `since`: it also reclaims expired leases and finds lanes that were committed late. */
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

/** Reads the whole queue: for metrics, not for decisions. Jobs behind a leased lane count as leased. */
export function getQueueDepths(db: Db): Promise<QueueDepth[]> {
  const now = sql`statement_timestamp() + ${db.clock.offsetMs()}::float8 * interval '1 ms'`
  return db.unprepared(sql`
    select name, coalesce(sum(pending) filter (where state = 'ready'), 0) as ready,
      coalesce(sum(pending) filter (where state = 'leased'), 0) as leased,
      coalesce(sum(pending) filter (where state = 'scheduled'), 0) as scheduled,
      coalesce(extract(epoch from ${now} - min(at) filter (where state = 'ready')) * 1000, 0) as "oldestReadyMs"
    from job_lanes group by name order by name`)
}

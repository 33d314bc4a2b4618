/**
 * What a worker may do to the lanes it holds, each only with the token of its claim: one that lost its lane touches
 * nothing. Without waiting, lanes that someone else has locked are left out, so a statement over many never stalls.
 */
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { asyncCommit } from './claim.ts'

/** hold: more of this claim is to come. free: ready again. later: after a failure. defer: the attempt does not count. */
export type LaneStep = 'keep' | 'release' | 'retry' | 'defer'

export interface Completion {
  id: number
  token: number
  /** The last of its jobs that is done, in this claim or before. */
  doneId: number
  step: LaneStep
  delayMs: number
}

export interface CompletionResult {
  id: number
  /** Jobs the lane still has; without any it is gone. */
  remaining: number
}

function completeJobs(movedMs: number, entries: readonly Completion[], wait: boolean): Sql {
  const ids = entries.map(entry => entry.id)
  const tokens = entries.map(entry => entry.token)
  const doneIds = entries.map(entry => entry.doneId)
  const steps = entries.map(entry => entry.step)
  const delays = entries.map(entry => entry.delayMs + movedMs)
  return sql`complete_jobs(${ids}, ${tokens}, ${doneIds}, ${steps}, ${delays}, ${wait})`
}

/** After the work, which has been committed. Those that are not returned are lost, or locked this moment. */
export function completeMany(db: Db, entries: readonly Completion[]): Promise<CompletionResult[]> {
  const settling = completeJobs(db.clock.offsetMs(), entries, false)
  return db.rows(sql`select settled.* from ${asyncCommit}, ${settling} as settled`)
}

/** With the work. */
export function completeInTx(tx: Tx, entries: readonly Completion[]): Promise<CompletionResult[]> {
  return tx.rows(sql`select * from ${completeJobs(tx.clock.offsetMs(), entries, false)}`)
}

/** Undefined when the lease is lost. */
export function completeOne(tx: Tx, entry: Completion): Promise<CompletionResult | undefined> {
  return tx.maybe(sql`select * from ${completeJobs(tx.clock.offsetMs(), [entry], true)}`)
}

export interface LeaseRenewal {
  id: number
  token: number
  leaseMs: number
}

/** The lanes renewed; those left out are lost or, without waiting, locked this moment. */
export async function renewLanes(
  on: Queryable,
  lanes: readonly LeaseRenewal[],
  wait = false,
): Promise<number[]> {
  const ids = lanes.map(lane => lane.id)
  const tokens = lanes.map(lane => lane.token)
  const leases = lanes.map(lane => lane.leaseMs)
  const rows = await on.rows<{ id: number }>(
    sql`select id from renew_job_leases(${ids}, ${tokens}, ${leases}, ${wait}) as id`,
  )
  return rows.map(row => row.id)
}

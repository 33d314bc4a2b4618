/**
 * Writes of a worker to its leased lanes. Each names the token of the claim: a worker that lost its lane changes nothing.
 * Statements over many lanes skip locked ones, so they never wait.
 */
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { asyncCommit } from './claim.ts'

/** keep: the claim goes on. release: ready again. retry: scheduled. defer: scheduled without counting the attempt. */
export type LaneStep = 'keep' | 'release' | 'retry' | 'defer'

export interface Completion {
  id: number
  token: number
  /** The last finished job, of this claim or an earlier one. */
  doneId: number
  step: LaneStep
  delayMs: number
}

export interface CompletionResult {
  id: number
  /** Jobs left in the lane; with none left it is deleted. */
  remaining: number
}

function completeJobs(clockOffsetMs: number, entries: readonly Completion[], wait: boolean): Sql {
  const ids = entries.map(entry => entry.id)
  const tokens = entries.map(entry => entry.token)
  const doneIds = entries.map(entry => entry.doneId)
  const steps = entries.map(entry => entry.step)
  const delays = entries.map(entry => entry.delayMs + clockOffsetMs)
  return sql`complete_jobs(${ids}, ${tokens}, ${doneIds}, ${steps}, ${delays}, ${wait})`
}

/** Completes jobs whose effects are committed. Lanes that are not returned are lost or locked. */
export function completeMany(db: Db, entries: readonly Completion[]): Promise<CompletionResult[]> {
  const completing = completeJobs(db.clock.offsetMs(), entries, false)
  return db.rows(sql`select completed.* from ${asyncCommit}, ${completing} as completed`)
}

/** Completes jobs in the transaction of their effects. */
export function completeInTx(tx: Tx, entries: readonly Completion[]): Promise<CompletionResult[]> {
  return tx.rows(sql`select * from ${completeJobs(tx.clock.offsetMs(), entries, false)}`)
}

/** Completes one job, waiting for the lane's lock; undefined when the lease is lost. */
export function completeOne(tx: Tx, entry: Completion): Promise<CompletionResult | undefined> {
  return tx.maybe(sql`select * from ${completeJobs(tx.clock.offsetMs(), [entry], true)}`)
}

export interface LeaseRenewal {
  id: number
  token: number
  leaseMs: number
}

/** Returns the renewed lanes; the others are lost or, without `wait`, locked. */
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

/**
 * What a worker may do to the lanes it holds, each only with the token of its claim: one that lost its lane touches
 * nothing. Without waiting, lanes that someone else has locked are left out, so a statement over many never stalls.
 */
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { notWaiting } from './claim.ts'

/** hold: more of this claim is to come. free: ready again. later: after a failure. defer: the attempt does not count. */
export type Step = 'hold' | 'free' | 'later' | 'defer'

export interface Settlement {
  id: number
  token: number
  /** The last of its jobs that is done, in this claim or before. */
  doneId: number
  step: Step
  delayMs: number
}

export interface Settled {
  id: number
  /** Jobs the lane still has; without any it is gone. */
  remaining: number
}

function settlement(movedMs: number, entries: readonly Settlement[], wait: boolean): Sql {
  const ids = entries.map(entry => entry.id)
  const tokens = entries.map(entry => entry.token)
  const doneIds = entries.map(entry => entry.doneId)
  const steps = entries.map(entry => entry.step)
  const delays = entries.map(entry => entry.delayMs + movedMs)
  return sql`settle_jobs(${ids}, ${tokens}, ${doneIds}, ${steps}, ${delays}, ${wait})`
}

/** After the work, which has been committed. Those that are not returned are lost, or locked this moment. */
export function settleMany(db: Db, entries: readonly Settlement[]): Promise<Settled[]> {
  const settling = settlement(db.clock.offsetMs(), entries, false)
  return db.rows(sql`select settled.* from ${notWaiting}, ${settling} as settled`)
}

/** With the work. */
export function settleWithin(tx: Tx, entries: readonly Settlement[]): Promise<Settled[]> {
  return tx.rows(sql`select * from ${settlement(tx.clock.offsetMs(), entries, false)}`)
}

/** Undefined when the lease is lost. */
export function settleOne(tx: Tx, entry: Settlement): Promise<Settled | undefined> {
  return tx.maybe(sql`select * from ${settlement(tx.clock.offsetMs(), [entry], true)}`)
}

export interface Renewal {
  id: number
  token: number
  leaseMs: number
}

/** The lanes renewed; those left out are lost or, without waiting, locked this moment. */
export async function renewLanes(on: Queryable, lanes: readonly Renewal[], wait = false): Promise<number[]> {
  const ids = lanes.map(lane => lane.id)
  const tokens = lanes.map(lane => lane.token)
  const leases = lanes.map(lane => lane.leaseMs)
  const rows = await on.rows<{ id: number }>(
    sql`select id from renew_jobs(${ids}, ${tokens}, ${leases}, ${wait}) as id`,
  )
  return rows.map(row => row.id)
}

/**
 * The lanes this process holds, and until when. The end of a lease is known on the monotonic clock, counted from
 * before the statement that granted it was sent: a process that was stopped, or whose machine's clock jumped, still
 * sees that its time is over. One statement renews all of them.
 */
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { AnyJob } from './job.ts'
import type { ClaimedRow } from './store/claim.ts'
import { type LaneStep, type LeaseRenewal, renewLanes } from './store/completions.ts'

export interface LeasedLane {
  readonly id: number
  readonly token: number
  readonly job: AnyJob
  readonly tenantId: string
  readonly orderingKey: string | null
  /** Of the first of its jobs. */
  readonly attempt: number
  readonly jobs: { id: number; payload: unknown }[]
  readonly leaseMs: number
  /** The last moment to begin something, on the monotonic clock. */
  expiresAt: number
  /** When the job that runs now began. */
  startedAt: number
  /** Another worker has it, or nothing is left of it. */
  lost: boolean
  /** The last of its jobs that is done. */
  doneId: number
  step: LaneStep
  delayMs: number
}

const now = () => performance.now()
/** What is kept back of a lease for the call that stillMine() permits. */
const margin = 0.1

export type LaneLeases = ReturnType<typeof openLaneLeases>

export function openLaneLeases(db: Db, log: Logger, jobs: readonly AnyJob[]) {
  const all = new Set<LeasedLane>()
  const minLeaseMs = Math.min(60_000, ...jobs.map(job => job.leaseMs))
  const timer = setInterval(() => void renewAll(), minLeaseMs / 5)

  let renewing = false

  const grant = (held: LeasedLane, sentAt: number) => {
    held.expiresAt = sentAt + held.leaseMs * (1 - margin)
  }

  function markLost(held: LeasedLane): void {
    held.lost = true
    all.delete(held)
    log.warn({ job: held.job.name, lane: held.id }, 'lost the lease of a job')
  }

  async function renewAll(): Promise<void> {
    const sentAt = now()
    const old = [...all].filter(held => isDue(held, sentAt))
    if (renewing || old.length === 0) return
    renewing = true
    try {
      const renewed = new Set(await renewLanes(db, old.map(toRenewal)))
      for (const held of old.filter(one => renewed.has(one.id))) grant(held, sentAt)
      // The others are over, lost, or locked for a moment: one by one, as each may have to be waited for.
      for (const held of old.filter(one => !renewed.has(one.id))) await (all.has(held) && extend(held))
    } catch (error) {
      log.warn({ err: error }, 'could not renew leases')
    }
    renewing = false
  }

  async function extend(held: LeasedLane): Promise<boolean> {
    if (held.lost) return false
    const sentAt = now()
    const renewed = await transact(db, tx => renewLanes(tx, [toRenewal(held)], true))
    if (renewed.length > 0) grant(held, sentAt)
    else if (all.has(held)) markLost(held)
    return renewed.length > 0
  }

  return {
    add(lanes: readonly LeasedLane[], sentAt: number): void {
      for (const held of lanes) {
        grant(held, sentAt)
        held.startedAt = sentAt
        all.add(held)
      }
    },
    remove: (held: LeasedLane): void => void all.delete(held),
    holdsLease: (held: LeasedLane): boolean => !held.lost && now() < held.expiresAt,
    extend,
    lose: markLost,
    close: (): void => clearInterval(timer),
  }
}

function isDue({ expiresAt: until, leaseMs, startedAt: beganAt, job }: LeasedLane, at: number): boolean {
  return until - at < leaseMs * 0.7 && at - beganAt < job.timeoutMs
}

function toRenewal(held: LeasedLane): LeaseRenewal {
  return { id: held.id, token: held.token, leaseMs: held.leaseMs }
}

/** One row per job, ordered by lane and then by job, becomes one Held per lane. */
export function toLeasedLanes(rows: readonly ClaimedRow[], jobs: ReadonlyMap<string, AnyJob>): LeasedLane[] {
  const lanes: LeasedLane[] = []
  let lane: LeasedLane | undefined
  for (const row of rows) {
    if (lane?.id !== row.id) {
      lane = toLeasedLane(row, jobs.get(row.name)!)
      lanes.push(lane)
    }
    lane.jobs.push({ id: row.job_id, payload: row.payload })
  }
  return lanes
}

function toLeasedLane(row: ClaimedRow, job: AnyJob): LeasedLane {
  return {
    id: row.id,
    token: row.token,
    job,
    tenantId: row.tenant_id,
    orderingKey: row.ordering_key,
    attempt: row.attempt,
    jobs: [],
    leaseMs: job.leaseMs,
    expiresAt: 0,
    startedAt: 0,
    lost: false,
    doneId: row.done_id,
    step: 'keep',
    delayMs: 0,
  }
}

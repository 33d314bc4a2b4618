/** The lanes this process has leased, with the jobs claimed from each. */
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import { type Leases, openLeases } from '../leases/leases.ts'
import type { Logger } from '../log.ts'
import type { AnyJob } from './job.ts'
import type { ClaimedRow } from './store/claim.ts'
import { type LaneStep, renewLanes } from './store/completions.ts'

export interface LeasedLane {
  readonly id: number
  readonly token: number
  readonly job: AnyJob
  readonly tenantId: string
  readonly orderingKey: string | null
  /** Attempt number of the first job. */
  readonly attempt: number
  /** Workers that died while they ran the first job. */
  readonly deaths: number
  readonly jobs: { id: number; payload: unknown }[]
  /** When the running job started, on the monotonic clock. */
  startedAt: number
  /** The last finished job. */
  doneId: number
  step: LaneStep
  delayMs: number
}

export type LaneLeases = Leases<LeasedLane>

const maxMinLeaseMs = 60_000

export function openLaneLeases(db: Db, log: Logger, jobs: readonly AnyJob[]): LaneLeases {
  const toRenewal = ({ id, token, job }: LeasedLane) => ({ id, token, leaseMs: job.leaseMs })
  return openLeases<LeasedLane>({
    name: 'jobs',
    log,
    leaseMs: lane => lane.job.leaseMs,
    minLeaseMs: Math.min(maxMinLeaseMs, ...jobs.map(job => job.leaseMs)),
    async renewMany(lanes) {
      const renewed = new Set(await renewLanes(db, lanes.map(toRenewal)))
      return lanes.filter(lane => renewed.has(lane.id))
    },
    renewOne: async lane => (await transact(db, tx => renewLanes(tx, [toRenewal(lane)], true))).length > 0,
    // The lease of a job that runs for longer than its timeout expires, and another worker retries the job.
    isRenewable: (lane, now) => now - lane.startedAt < lane.job.timeoutMs,
    onLost: lane => log.warn({ job: lane.job.name, lane: lane.id }, 'job lease lost'),
  })
}

/** Groups claimed rows, one per job and ordered by lane and job, into lanes. */
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
    deaths: row.deaths,
    jobs: [],
    startedAt: performance.now(),
    doneId: row.done_id,
    step: 'keep',
    delayMs: 0,
  }
}

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
import { type Renewal, renewLanes, type Step } from './store/settle.ts'

export interface Held {
  readonly id: number
  readonly token: number
  readonly job: AnyJob
  readonly tenantId: string
  readonly key: string | null
  /** Of the first of its jobs. */
  readonly attempt: number
  readonly entries: { id: number; payload: unknown }[]
  readonly leaseMs: number
  /** The last moment to begin something, on the monotonic clock. */
  until: number
  /** When the job that runs now began. */
  beganAt: number
  /** Another worker has it, or nothing is left of it. */
  gone: boolean
  /** The last of its jobs that is done. */
  doneId: number
  step: Step
  delayMs: number
}

const now = () => performance.now()
/** What is kept back of a lease for the call that stillMine() permits. */
const margin = 0.1

export type Leases = ReturnType<typeof openLeases>

export function openLeases(db: Db, log: Logger, jobs: readonly AnyJob[]) {
  const all = new Set<Held>()
  const shortest = Math.min(60_000, ...jobs.map(job => job.leaseMs))
  const timer = setInterval(() => void renewAll(), shortest / 5)

  let renewing = false

  const grant = (held: Held, sentAt: number) => {
    held.until = sentAt + held.leaseMs * (1 - margin)
  }

  function lose(held: Held): void {
    held.gone = true
    all.delete(held)
    log.warn({ job: held.job.name, lane: held.id }, 'lost the lease of a job')
  }

  async function renewAll(): Promise<void> {
    const sentAt = now()
    const old = [...all].filter(held => isDue(held, sentAt))
    if (renewing || old.length === 0) return
    renewing = true
    try {
      const renewed = new Set(await renewLanes(db, old.map(renewal)))
      for (const held of old.filter(one => renewed.has(one.id))) grant(held, sentAt)
      // The others are over, lost, or locked for a moment: one by one, as each may have to be waited for.
      for (const held of old.filter(one => !renewed.has(one.id))) await (all.has(held) && extend(held))
    } catch (error) {
      log.warn({ err: error }, 'could not renew leases')
    }
    renewing = false
  }

  async function extend(held: Held): Promise<boolean> {
    if (held.gone) return false
    const sentAt = now()
    const renewed = await transact(db, tx => renewLanes(tx, [renewal(held)], true))
    if (renewed.length > 0) grant(held, sentAt)
    else if (all.has(held)) lose(held)
    return renewed.length > 0
  }

  return {
    hold(lanes: readonly Held[], sentAt: number): void {
      for (const held of lanes) {
        grant(held, sentAt)
        held.beganAt = sentAt
        all.add(held)
      }
    },
    drop: (held: Held): void => void all.delete(held),
    stillMine: (held: Held): boolean => !held.gone && now() < held.until,
    extend,
    lose,
    close: (): void => clearInterval(timer),
  }
}

function isDue({ until, leaseMs, beganAt, job }: Held, at: number): boolean {
  return until - at < leaseMs * 0.7 && at - beganAt < job.timeoutMs
}

function renewal(held: Held): Renewal {
  return { id: held.id, token: held.token, leaseMs: held.leaseMs }
}

/** One row per job, ordered by lane and then by job, becomes one Held per lane. */
export function toHeld(rows: readonly ClaimedRow[], jobs: ReadonlyMap<string, AnyJob>): Held[] {
  const lanes: Held[] = []
  let lane: Held | undefined
  for (const row of rows) {
    if (lane?.id !== row.id) {
      lane = laneOf(row, jobs.get(row.name)!)
      lanes.push(lane)
    }
    lane.entries.push({ id: row.job_id, payload: row.payload })
  }
  return lanes
}

function laneOf(row: ClaimedRow, job: AnyJob): Held {
  return {
    id: row.id,
    token: row.token,
    job,
    tenantId: row.tenant_id,
    key: row.key,
    attempt: row.attempt,
    entries: [],
    leaseMs: job.leaseMs,
    until: 0,
    beganAt: 0,
    gone: false,
    doneId: row.done_id,
    step: 'hold',
    delayMs: 0,
  }
}

/**
 * Scheduled jobs. The row of a cron holds its next tick; the one process that advances it enqueues the job in the same
 * transaction. Ticks that were missed, or that came while a run was still queued, are made up by one run. Times are UTC.
 */
import { Cron as Schedule } from 'croner'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from './enqueue.ts'
import { type Job, type JobOptions, job } from './job.ts'
import {
  advanceCron,
  type CronRow,
  countPending,
  getDatabaseTime,
  listCrons,
  upsertCron,
} from './store/cron.ts'

export interface Tick {
  /** The scheduled time of this run. */
  at: string
}

export interface Cron {
  readonly job: Job<Tick>
  readonly schedule: string
  /** Returns the first tick after a time. */
  readonly nextAfter: (after: string) => string
}

export interface CronOptions extends Omit<JobOptions<Tick>, 'priority'> {
  schedule: string
  priority?: JobOptions<Tick>['priority']
}

export function cron({ schedule, priority = 'normal', ...options }: CronOptions): Cron {
  const times = new Schedule(schedule, { timezone: 'UTC', paused: true })
  const next = (after: string) => times.nextRun(new Date(after))!.toISOString()
  return { job: job({ ...options, priority }), schedule, nextAfter: next }
}

const checkMs = 500
const key = 'cron'

export function startCrons(deps: Deps, crons: readonly Cron[]): { stop(): void } {
  const byName = new Map(crons.map(cron => [cron.job.name, cron]))
  let registered = false
  let nextAt = 0
  let busy = false
  let stopped = false

  async function register(): Promise<void> {
    if (registered) return
    const now = await getDatabaseTime(deps.db)
    for (const { job, schedule, nextAfter: next } of crons)
      await upsertCron(deps.db, job.name, schedule, next(now))
    registered = true
  }

  async function check(): Promise<void> {
    if (busy || deps.clock.now().getTime() < nextAt) return
    busy = true
    try {
      await register()
      const rows = await listCrons(deps.db, [...byName.keys()])
      const due = rows.filter(row => row.due)
      for (const row of due) await tick(deps, byName.get(row.name)!, row)
      nextAt = due.length > 0 ? 0 : Math.min(...rows.map(row => new Date(row.nextAt).getTime()))
    } catch (error) {
      // After a stop the database may be closed; the next process continues.
      if (!stopped) deps.log.warn({ err: error }, 'cron tick failed')
    }
    busy = false
  }

  if (crons.length === 0) return { stop() {} }
  const timer = setInterval(() => void check(), checkMs)
  void check()
  return {
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}

async function tick({ db }: Deps, { job, nextAfter: next }: Cron, row: CronRow): Promise<void> {
  await transact(db, async tx => {
    if (!(await advanceCron(tx, job.name, row.nextAt, next(row.now)))) return
    const running = 1
    if ((await countPending(tx, job.name, key)) > running) return
    await enqueue(tx, job, { tenantId: null, orderingKey: key, payload: { at: row.nextAt } })
  })
}

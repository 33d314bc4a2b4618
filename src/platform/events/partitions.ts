/** Creates the log's daily partitions ahead of time and drops those past retention. Run by the sequencer, as leader. */
import type { Clock } from '../clock.ts'
import type { Queryable } from '../db/db.ts'
import { addDays, dailyPartitions, listDays } from '../db/partitions.ts'
import { raw, sql } from '../db/sql.ts'
import type { Logger } from '../log.ts'

export interface PartitionOptions {
  clock: Clock
  log: Logger
  retentionDays?: number
}

const daysAhead = 2
const checkIntervalMs = 60_000

export const logPartitions = dailyPartitions({
  table: 'event_log',
  lowerBound: day => `'${day}'`,
  storage: 'autovacuum_vacuum_insert_threshold = -1',
})

export function maintainPartitions(on: Queryable, options: PartitionOptions): { check(): Promise<void> } {
  let checkedAt = Number.NEGATIVE_INFINITY
  let checkedDay = ''
  return {
    async check() {
      const day = options.clock.now().toISOString().slice(0, 10)
      if (day === checkedDay && performance.now() - checkedAt < checkIntervalMs) return
      await createAndDrop(on, options)
      checkedDay = day
      checkedAt = performance.now()
    },
  }
}

async function createAndDrop(on: Queryable, options: PartitionOptions): Promise<void> {
  const { clock, retentionDays = 7 } = options
  const today = await getDatabaseDay(on, clock.offsetMs())
  await logPartitions.createMissing(on, listDays(today, daysAhead + 1))
  const oldest = addDays(today, -retentionDays)
  for (const day of (await logPartitions.list(on)).filter(day => day < oldest)) {
    if (!(await drop(on, day, options.log))) return
  }
}

async function drop(on: Queryable, day: string, log: Logger): Promise<boolean> {
  try {
    for (const { consumer, tenants } of await listUnprocessed(on, day))
      log.error(
        { consumer, tenants, day },
        'dropping events past retention that a consumer has not processed',
      )
    await logPartitions.drop(on, day)
    log.info({ day }, 'dropped a partition of the event log')
    return true
  } catch (error) {
    log.warn({ err: error, day }, 'dropping a partition of the event log failed; retrying later')
    return false
  }
}

async function getDatabaseDay(on: Queryable, clockOffsetMs: number): Promise<string> {
  const offset = sql`${clockOffsetMs} * interval '1 millisecond'`
  return (await on.one<{ day: string }>(sql`select (now() + ${offset})::date as day`)).day
}

/** Lists consumers that have not processed all events of a day, with the number of workspaces. */
function listUnprocessed(on: Queryable, day: string): Promise<{ consumer: string; tenants: number }[]> {
  return on.rows(sql`
    select queue.consumer, count(*) as tenants from event_consumer_queue queue
    left join event_offsets o using (consumer, tenant_id)
    where due_at is not null and exists (
      select from ${raw(logPartitions.partition(day))} log
      where log.tenant_id = queue.tenant_id and log.seq > greatest(queue.processed_seq, o.seq)
        and log.seq <= queue.latest_seq)
    group by queue.consumer order by queue.consumer`)
}

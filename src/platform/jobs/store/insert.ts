/** Inserts jobs: an existing lane counts its new jobs, a new lane carries its first job itself. */
import type { Tx } from '../../db/db.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'

export interface NewJob {
  name: string
  tenantId: string
  orderingKey: string | null
  ordered: boolean
  background: boolean
  state: 'ready' | 'scheduled'
  runAt: string | null
  delayMs: number
  payload: string
}

const laneColumns = raw('name, tenant_id, ordering_key, ordered, background, state, at, pending, payload')
const onLaneConflict = raw(
  `on conflict (name, tenant_id, ordering_key) where ordered do update set pending = job_lanes.pending + excluded.pending,
    background = job_lanes.background and excluded.background`,
)

export async function insertJob(tx: Tx, job: NewJob): Promise<void> {
  const delayMs = job.delayMs + tx.clock.offsetMs()
  const lane = sql`
    insert into job_lanes (${laneColumns})
    values (${job.name}, ${job.tenantId}, ${job.orderingKey}, ${job.ordered}, ${job.background}, ${job.state},
      coalesce(${job.runAt}::timestamptz, clock_timestamp() + ${delayMs}::float8 * interval '1 ms'),
      1, ${job.payload}::json)`
  await tx.run(job.ordered ? appendToLane(lane, job.payload) : lane)
}

function appendToLane(lane: Sql, payload: string): Sql {
  return sql`
    with lane as (${lane} ${onLaneConflict} returning id, pending)
    insert into jobs (lane_id, payload) select id, ${payload}::json from lane where pending > 1`
}

/**
 * The CTEs that enqueue the rows of a select with name, tenant_id, ordering_key, ordered, background, state, at, payload
 * (json) and ord. Lanes are locked in the order of their keys; the jobs of each lane keep the order of the input.
 */
export function insertJobsFromSelect(select: Sql): Sql {
  return sql`
    new_jobs as (
      select *, row_number() over (lane order by ord) as place, count(*) over lane as n from (${select}) as given
      window lane as (partition by name, tenant_id, ordering_key, case when not ordered then ord end)
    ), new_lanes as (
      insert into job_lanes (${laneColumns})
      select name, tenant_id, ordering_key, ordered, background, state, at, n, payload from new_jobs where place = 1
      order by name, tenant_id, ordering_key, ord
      ${onLaneConflict}
      returning id, name, tenant_id, ordering_key, ordered, pending
    ), jobs_behind as (
      insert into jobs (lane_id, payload)
      select l.id, j.payload from new_jobs j join new_lanes l using (name, tenant_id, ordering_key)
      where j.ordered and l.ordered and (j.place > 1 or l.pending > j.n) order by j.ord
    )`
}

const maxPrepared = 64

export async function insertJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  const column = <K extends keyof NewJob>(name: K) => jobs.map(job => job[name])
  const given = sql`
    select name, tenant_id, ordering_key, ordered, background, state, payload, ord,
      coalesce(run_at, clock_timestamp() + (delay_ms + ${tx.clock.offsetMs()}) * interval '1 ms') as at
    from unnest(${column('name')}::text[], ${column('tenantId')}::text[], ${column('orderingKey')}::text[],
        ${column('ordered')}::bool[], ${column('background')}::bool[], ${column('state')}::text[], ${column('payload')}::json[],
        ${column('runAt')}::timestamptz[], ${column('delayMs')}::float8[])
      with ordinality as i(name, tenant_id, ordering_key, ordered, background, state, payload, run_at, delay_ms, ord)`
  const inserting = sql`with ${insertJobsFromSelect(given)} select`
  // The number of rows decides how best to join them. For few, planning would take longer than any plan.
  if (jobs.length <= maxPrepared) await tx.run(inserting)
  else await tx.unprepared(inserting)
}

/** Counters of nodes: appended as deltas with the steps, and added to the totals by a cron. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Run, StepRow } from '../engine/run/run.ts'

type Metric = 'entered' | 'left' | 'passed' | 'undelivered' | 'goal'

interface Delta {
  tenantId: string
  workflowId: string
  day: string
  counts: [nodeId: string, metric: Metric, output: string, count: number][]
}

type CountedRun = Pick<Run, 'tenantId' | 'id' | 'workflowId' | 'status' | 'nodeId' | 'visits' | 'updatedAt'>
type CountedStep = Pick<StepRow, 'runId' | 'nodeId' | 'type' | 'input' | 'outcome' | 'output' | 'detail'>

const messageTypes = ['sendMessage', 'ask', 'menu']
const leavingOutcomes = ['to', 'jump', 'end', 'fail']

function toMetrics(step: CountedStep): [Metric, string][] {
  const { type, outcome, output, detail } = step
  if (detail?.late) return [['undelivered', '']]
  const arrived = (step.input as { type?: string }).type === 'arrived'
  return [
    ...(arrived ? [['entered', ''] as [Metric, string]] : []),
    ...(arrived && type === 'goal' ? [['goal', ''] as [Metric, string]] : []),
    ...(leavingOutcomes.includes(outcome) ? [['left', ''] as [Metric, string]] : []),
    ...(outcome === 'to' ? [['passed', output ?? ''] as [Metric, string]] : []),
    ...(messageTypes.includes(type) && detail?.code != null ? [['undelivered', ''] as [Metric, string]] : []),
  ]
}

/** Returns the changes of counters by these steps, and by runs that ended without a step: they left their node. */
export function buildDeltas(runs: readonly CountedRun[], steps: readonly CountedStep[]): Delta[] {
  const deltas = new Map<string, Delta & { index: Map<string, Delta['counts'][number]> }>()
  const add = (run: CountedRun, nodeId: string, metric: Metric, output: string) => {
    const delta = deltas.get(run.workflowId) ?? buildDelta(run)
    deltas.set(run.workflowId, delta)
    const key = JSON.stringify([nodeId, metric, output])
    const entry = delta.index.get(key) ?? [nodeId, metric, output, 0]
    if (!delta.index.has(key)) delta.counts.push(entry)
    delta.index.set(key, entry)
    entry[3]++
  }
  const byId = new Map(runs.map(run => [run.id, run]))
  const stepped = new Set(steps.map(step => step.runId))
  for (const step of steps)
    for (const [metric, output] of toMetrics(step)) add(byId.get(step.runId)!, step.nodeId, metric, output)
  for (const run of runs) {
    const hasEnded = run.status !== 'running' && run.status !== 'waiting'
    if (hasEnded && !stepped.has(run.id) && run.visits[run.nodeId]) add(run, run.nodeId, 'left', '')
  }
  return [...deltas.values()].map(({ index, ...delta }) => delta)
}

function buildDelta({ tenantId, workflowId, updatedAt }: CountedRun) {
  const counts: Delta['counts'] = []
  const index = new Map<string, Delta['counts'][number]>()
  return { tenantId, workflowId, day: updatedAt.slice(0, 10), counts, index }
}

/** Builds the statement that appends the deltas; it can be part of another statement. */
export function insertDeltas(deltas: readonly Delta[]): Sql {
  return sql`
    insert into workflow_count_deltas (tenant_id, workflow_id, day, counts)
    select * from unnest(${deltas.map(delta => delta.tenantId)}::text[], ${deltas.map(delta => delta.workflowId)}::text[],
      ${deltas.map(delta => delta.day)}::date[], ${deltas.map(delta => JSON.stringify(delta.counts))}::json[])`
}

/** Adds at most `limit` deltas to the counters. Returns their number. */
export async function foldDeltas(tx: Tx, limit: number): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    with folded as (
      delete from workflow_count_deltas where ctid = any (array(
        select ctid from workflow_count_deltas limit ${limit} for update skip locked))
      returning *
    ), summed as (
      select f.tenant_id, f.workflow_id, d.day, c->>0 as node_id, c->>1 as metric, c->>2 as output, sum((c->>3)::bigint) as count
      from folded f cross join lateral json_array_elements(f.counts) c
      cross join lateral (values (f.day), ('-infinity'::date)) d (day)
      group by 1, 2, 3, 4, 5, 6
    ), added as (
      insert into workflow_node_counts as n (tenant_id, workflow_id, day, node_id, metric, output, count)
      select * from summed order by 1, 2, 3, 4, 5, 6
      on conflict (tenant_id, workflow_id, day, node_id, metric, output) do update set count = n.count + excluded.count
    )
    select count(*)::int as n from folded`)
  return n
}

const pending = (tenantId: string, workflowId: string): Sql => sql`
  select f.day, c->>0 as node_id, c->>1 as metric, c->>2 as output, (c->>3)::bigint as count
  from workflow_count_deltas f cross join lateral json_array_elements(f.counts) c
  where f.tenant_id = ${tenantId} and f.workflow_id = ${workflowId}`

export interface NodeCount {
  nodeId: string
  metric: Metric
  output: string
  count: number
}

export function listNodeCounts(on: Queryable, tenantId: string, workflowId: string): Promise<NodeCount[]> {
  return on.rows<NodeCount>(sql`
    select node_id as "nodeId", metric, output, sum(count)::int as count from (
      select node_id, metric, output, count from workflow_node_counts
      where tenant_id = ${tenantId} and workflow_id = ${workflowId} and day = '-infinity'
      union all select node_id, metric, output, count from (${pending(tenantId, workflowId)}) p) counts
    group by 1, 2, 3 order by 1, 2, 3`)
}

export interface DayCount {
  date: string
  nodeId: string
  metric: Metric
  count: number
}

export function listDayCounts(
  on: Queryable,
  tenantId: string,
  workflowId: string,
  range: { from: string; to: string },
): Promise<DayCount[]> {
  return on.rows<DayCount>(sql`
    select to_char(day, 'YYYY-MM-DD') as date, node_id as "nodeId", metric, sum(count)::int as count from (
      select day, node_id, metric, count from workflow_node_counts
      where tenant_id = ${tenantId} and workflow_id = ${workflowId} and day between ${range.from}::date and ${range.to}::date
      union all select day, node_id, metric, count from (${pending(tenantId, workflowId)}) p
        where day between ${range.from}::date and ${range.to}::date) counts
    where metric in ('entered', 'undelivered', 'goal') group by 1, 2, 3 order by 1, 2, 3`)
}

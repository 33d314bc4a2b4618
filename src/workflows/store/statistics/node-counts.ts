/**
 * Counters of nodes: appended as deltas with the steps, and added to the counters of the workflow and of its version by a
 * cron.
 */

import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { notMoving } from '../../../platform/db/moving.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { Run, StepRow } from '../../engine/run/run.ts'

type Metric = 'entered' | 'left' | 'passed' | 'undelivered' | 'goal'

/**
 * Only in the counters of versions. `stopped`: left without a step. `stay` and `seconds`: how many left after at least a
 * second, and their time at the node, by the bucket of the duration.
 */
export type VersionMetric = Metric | 'failed' | 'stopped' | 'stay' | 'seconds'

type Count = [nodeId: string, metric: VersionMetric, output: string, count: number]

interface Delta {
  tenantId: string
  workflowId: string
  versionId: string
  day: string
  counts: Count[]
}

type CountedRun = Pick<
  Run,
  'tenantId' | 'id' | 'workflowId' | 'versionId' | 'status' | 'nodeId' | 'visits' | 'error' | 'updatedAt'
>
type CountedStep = Pick<
  StepRow,
  'runId' | 'nodeId' | 'type' | 'input' | 'outcome' | 'output' | 'detail' | 'staySeconds'
>

const messageTypes = ['sendMessage', 'ask', 'menu']
const leavingOutcomes = ['to', 'jump', 'end', 'fail']

/** A duration from 2^n - 1 to 2^(n + 1) - 2 seconds has the bucket n. */
const toBucket = (seconds: number): string => String(Math.floor(Math.log2(seconds + 1)))

function toCounts(step: CountedStep): Count[] {
  const { nodeId, type, outcome, output, detail, staySeconds = 0 } = step
  if (detail?.late) return [[nodeId, 'undelivered', '', 1]]
  const counts: Count[] = []
  if ((step.input as { type?: string }).type === 'arrived') {
    counts.push([nodeId, 'entered', '', 1])
    if (type === 'goal') counts.push([nodeId, 'goal', '', 1])
  }
  if (leavingOutcomes.includes(outcome)) {
    counts.push([nodeId, 'left', '', 1])
    if (staySeconds > 0)
      counts.push(
        [nodeId, 'stay', toBucket(staySeconds), 1],
        [nodeId, 'seconds', toBucket(staySeconds), staySeconds],
      )
  }
  if (outcome === 'to') counts.push([nodeId, 'passed', output ?? '', 1])
  if (detail?.exit !== undefined && output === 'goal') counts.push([nodeId, 'goal', '', 1])
  if (messageTypes.includes(type) && detail?.code != null) counts.push([nodeId, 'undelivered', '', 1])
  return counts
}

/** Returns the changes of counters by these steps, and by runs that ended without a step: they left their node. */
export function buildDeltas(runs: readonly CountedRun[], steps: readonly CountedStep[]): Delta[] {
  const deltas = new Map<string, Delta & { index: Map<string, Count> }>()
  const add = (run: CountedRun, [nodeId, metric, output, count]: Count) => {
    const delta = deltas.get(run.versionId) ?? buildDelta(run)
    deltas.set(run.versionId, delta)
    const key = `${nodeId}\0${metric}\0${output}`
    const entry: Count = delta.index.get(key) ?? [nodeId, metric, output, 0]
    if (!delta.index.has(key)) delta.counts.push(entry)
    delta.index.set(key, entry)
    entry[3] += count
  }
  const byId = new Map(runs.map(run => [run.id, run]))
  const stepped = new Set(steps.map(step => step.runId))
  for (const step of steps) for (const counted of toCounts(step)) add(byId.get(step.runId)!, counted)
  for (const run of runs) {
    const hasEnded = run.status !== 'running' && run.status !== 'waiting'
    if (hasEnded && !stepped.has(run.id) && run.visits[run.nodeId]) {
      add(run, [run.nodeId, 'left', '', 1])
      add(run, [run.nodeId, 'stopped', '', 1])
    }
    if (run.status === 'failed') add(run, [run.error?.nodeId ?? run.nodeId, 'failed', '', 1])
  }
  return [...deltas.values()].map(({ index, ...delta }) => delta)
}

function buildDelta({ tenantId, workflowId, versionId, updatedAt }: CountedRun) {
  const counts: Count[] = []
  const index = new Map<string, Count>()
  return { tenantId, workflowId, versionId, day: updatedAt.slice(0, 10), counts, index }
}

/** Builds the statement that appends the deltas; it can be part of another statement. */
export function insertDeltas(deltas: readonly Delta[]): Sql {
  return sql`
    insert into workflow_count_deltas (tenant_id, workflow_id, version_id, day, counts)
    select * from unnest(${deltas.map(delta => delta.tenantId)}::text[], ${deltas.map(delta => delta.workflowId)}::text[],
      ${deltas.map(delta => delta.versionId)}::text[], ${deltas.map(delta => delta.day)}::date[], ${deltas.map(delta => JSON.stringify(delta.counts))}::json[])`
}

/** Adds at most `limit` deltas to the counters. Returns their number. */
export async function foldDeltas(tx: Tx, limit: number): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    with folded as (
      delete from workflow_count_deltas where ctid = any (array(
        select ctid from workflow_count_deltas d where ${notMoving('d.tenant_id')} limit ${limit} for update skip locked))
      returning *
    ), items as materialized (
      select f.tenant_id, f.workflow_id, d.day, f.version_id, c->>0 as node_id, c->>1 as metric, c->>2 as output,
        sum((c->>3)::bigint) as count
      from folded f cross join lateral json_array_elements(f.counts) c
      cross join lateral (values (f.day), ('-infinity'::date)) d (day)
      group by 1, 2, 3, 4, 5, 6, 7
    ), added as (
      insert into workflow_node_counts as n (tenant_id, workflow_id, day, node_id, metric, output, count)
      select tenant_id, workflow_id, day, node_id, metric, output, sum(count) from items
      where metric in ('entered', 'left', 'passed', 'undelivered', 'goal')
      group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (tenant_id, workflow_id, day, node_id, metric, output) do update set count = n.count + excluded.count
    ), added_to_versions as (
      insert into workflow_version_counts as n (tenant_id, workflow_id, day, version_id, node_id, metric, output, count)
      select * from items
      where version_id is not null and (day > '-infinity' or metric in ('entered', 'left'))
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict (tenant_id, workflow_id, day, version_id, node_id, metric, output) do update set count = n.count + excluded.count
    )
    select count(*)::int as n from folded`)
  return n
}

/** Selects the changes of counters that are not added yet. */
export const pending = (tenantId: string, workflowId: string): Sql => sql`
  select f.day, f.version_id, c->>0 as node_id, c->>1 as metric, c->>2 as output, (c->>3)::bigint as count
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

/** Counters of a workflow: how often its nodes were entered and left. */
export interface WorkflowCount {
  workflowId: string
  nodeId: string
  metric: 'entered' | 'left'
  count: number
}

export function listWorkflowCounts(
  on: Queryable,
  tenantId: string,
  workflowIds: readonly string[],
): Promise<WorkflowCount[]> {
  return on.rows<WorkflowCount>(sql`
    select workflow_id as "workflowId", node_id as "nodeId", metric, sum(count)::float8 as count from (
      select workflow_id, node_id, metric, count from workflow_node_counts
      where tenant_id = ${tenantId} and workflow_id = any(${workflowIds}) and day = '-infinity'
      union all
      select f.workflow_id, c->>0, c->>1, (c->>3)::bigint
      from workflow_count_deltas f cross join lateral json_array_elements(f.counts) c
      where f.tenant_id = ${tenantId} and f.workflow_id = any(${workflowIds})) counts
    where metric in ('entered', 'left') group by 1, 2, 3`)
}

export interface DayCount {
  date: string
  nodeId: string
  metric: Metric
  output: string
  count: number
}

export function listDayCounts(
  on: Queryable,
  tenantId: string,
  workflowId: string,
  range: { from: string; to: string },
): Promise<DayCount[]> {
  return on.rows<DayCount>(sql`
    select to_char(day, 'YYYY-MM-DD') as date, node_id as "nodeId", metric, output, sum(count)::int as count from (
      select day, node_id, metric, output, count from workflow_node_counts
      where tenant_id = ${tenantId} and workflow_id = ${workflowId} and day between ${range.from}::date and ${range.to}::date
      union all select day, node_id, metric, output, count from (${pending(tenantId, workflowId)}) p
        where day between ${range.from}::date and ${range.to}::date) counts
    where metric in ('entered', 'passed', 'undelivered', 'goal') group by 1, 2, 3, 4 order by 1, 2, 3, 4`)
}

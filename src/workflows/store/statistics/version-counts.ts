/** Counters of the nodes of versions, with the changes that are not added to them yet. */
import type { Queryable } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { pending, type VersionMetric } from './node-counts.ts'

export interface VersionCount {
  nodeId: string
  metric: VersionMetric
  output: string
  count: number
}

export interface CountsQuery {
  tenantId: string
  workflowId: string
  /** Undefined: all versions. */
  versionId: string | undefined
}

/** Sums the counters of a range of days. Both kinds of query read that range of the primary key. */
export function listVersionCounts(
  on: Queryable,
  { tenantId, workflowId, versionId }: CountsQuery,
  { from, to }: { from: string; to: string },
): Promise<VersionCount[]> {
  const ofVersion = versionId === undefined ? raw('version_id is not null') : sql`version_id = ${versionId}`
  return on.rows<VersionCount>(sql`
    select node_id as "nodeId", metric, output, sum(count)::float8 as count from (
      select node_id, metric, output, count from workflow_version_counts
      where tenant_id = ${tenantId} and workflow_id = ${workflowId} and day between ${from}::date and ${to}::date
        and ${ofVersion}
      union all select node_id, metric, output, count from (${pending(tenantId, workflowId)}) p
        where day between ${from}::date and ${to}::date and ${ofVersion}) counts
    group by 1, 2, 3 order by 1, 2, 3`)
}

/** Returns the number of runs in progress at each node: those that have entered it and not left. */
export async function listInProgress(
  on: Queryable,
  { tenantId, workflowId, versionId }: CountsQuery,
): Promise<Map<string, number>> {
  const counters =
    versionId === undefined
      ? raw('workflow_node_counts where')
      : sql`workflow_version_counts where version_id = ${versionId} and`
  const ofVersion = versionId === undefined ? raw('true') : sql`version_id = ${versionId}`
  const rows = await on.rows<{ nodeId: string; count: number }>(sql`
    select node_id as "nodeId", sum(case metric when 'entered' then count else -count end)::int as count from (
      select node_id, metric, count from ${counters}
        tenant_id = ${tenantId} and workflow_id = ${workflowId} and day = '-infinity'
      union all select node_id, metric, count from (${pending(tenantId, workflowId)}) p where ${ofVersion}) counts
    where metric in ('entered', 'left') group by 1`)
  return new Map(rows.map(({ nodeId, count }) => [nodeId, Math.max(0, count)]))
}

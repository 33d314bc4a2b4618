/**
 * Statistics of the nodes of a journey or chatbot in a range of days, of one version or of all. They are read from counters
 * that are added up with the steps, so their cost depends on the days and nodes, not on the number of runs.
 */
import Type, { type Static } from 'typebox'
import type { Db } from '../../platform/db/db.ts'
import { groupBy } from '../../platform/group-by.ts'
import { AnyId, named, nullable, object } from '../../platform/http/schemas.ts'
import type { VersionMetric } from '../store/statistics/node-counts.ts'
import { listInProgress, listVersionCounts, type VersionCount } from '../store/statistics/version-counts.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import { getVersion } from '../workflows.ts'
import { DateText, resolveRange } from './analytics.ts'

const Count = Type.Integer({ minimum: 0 })

export const NodeStatsQuery = object({
  versionId: Type.Optional({ ...AnyId, description: 'default: all versions' }),
  from: Type.Optional({ ...DateText, description: 'first day, in UTC; default: 29 days before `to`' }),
  to: Type.Optional({ ...DateText, description: 'last day; default: today' }),
})

export const NodeStats = named(
  'WorkflowNodeStats',
  object({
    workflowId: AnyId,
    versionId: nullable(AnyId),
    from: DateText,
    to: DateText,
    nodes: Type.Array(
      object({
        nodeId: Type.String(),
        entered: Count,
        waiting: { ...Count, description: 'in progress at the node now, whatever the range' },
        left: { ...Count, description: 'by an output, by a jump, or because the run ended there' },
        passed: Type.Record(Type.String(), Count, { description: 'left, by output' }),
        failed: { ...Count, description: 'runs that failed there' },
        undelivered: { ...Count, description: 'messages that were refused or failed' },
        medianStaySeconds: {
          ...nullable(Count),
          description: 'from entering to leaving, estimated from counters of durations; null: none left',
        },
      }),
      { description: 'of the version, otherwise of the draft, and others that runs have entered' },
    ),
  }),
)
type NodeStats = Static<typeof NodeStats>

const maxDays = 92

export async function getNodeStats(
  db: Db,
  { tenantId, id, kind, definition: draft }: WorkflowRow,
  query: Static<typeof NodeStatsQuery>,
): Promise<NodeStats> {
  const { versionId } = query
  const range = resolveRange(db.clock.now().getTime(), query, maxDays)
  const { definition } =
    versionId === undefined ? { definition: draft } : await getVersion(db, tenantId, kind, versionId, id)
  const counted = { tenantId, workflowId: id, versionId }
  const [counts, inProgress] = await Promise.all([
    listVersionCounts(db, counted, range),
    listInProgress(db, counted),
  ])
  const byNode = groupBy(counts, ({ nodeId }) => nodeId)
  const waiting = [...inProgress].filter(([, count]) => count > 0).map(([nodeId]) => nodeId)
  const nodeIds = new Set([...definition.nodes.map(node => node.id), ...byNode.keys(), ...waiting])
  const nodes = [...nodeIds].map(nodeId => ({
    waiting: inProgress.get(nodeId) ?? 0,
    ...toNode(nodeId, byNode.get(nodeId) ?? []),
  }))
  return { workflowId: id, versionId: versionId ?? null, ...range, nodes }
}

function toNode(nodeId: string, counts: readonly VersionCount[]) {
  const of = (metric: VersionMetric) => counts.filter(row => row.metric === metric)
  const sum = (metric: VersionMetric) => of(metric).reduce((total, row) => total + row.count, 0)
  return {
    nodeId,
    entered: sum('entered'),
    left: sum('left'),
    passed: Object.fromEntries(of('passed').map(({ output, count }) => [output, count])),
    failed: sum('failed'),
    undelivered: sum('undelivered'),
    medianStaySeconds: estimateMedian(sum('left') - sum('stopped'), of('stay'), of('seconds')),
  }
}

/**
 * Returns the mean of the bucket that has the median: exact for a node at which all runs stay equally long. Runs that left
 * within a second are in no bucket.
 */
function estimateMedian(
  left: number,
  stays: readonly VersionCount[],
  seconds: readonly VersionCount[],
): number | null {
  if (left <= 0) return null
  let before = left - stays.reduce((total, { count }) => total + count, 0)
  if (before >= left / 2) return 0
  for (const { output, count } of stays.toSorted((a, b) => Number(a.output) - Number(b.output))) {
    before += count
    const total = seconds.find(row => row.output === output)?.count ?? 0
    if (before >= left / 2) return Math.round(total / count)
  }
  return 0
}

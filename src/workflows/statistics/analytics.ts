/** Analytics of a journey: how many runs entered, wait at and passed each node, in all and on each day. */
import Type, { type Static } from 'typebox'
import type { Db } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import { invalid, violation } from '../../platform/errors.ts'
import { groupBy } from '../../platform/group-by.ts'
import { AnyId, named, object } from '../../platform/http/schemas.ts'
import { cron } from '../../platform/jobs/cron.ts'
import {
  type DayCount,
  foldDeltas,
  listDayCounts,
  listNodeCounts,
  type NodeCount,
} from '../store/statistics/node-counts.ts'
import type { WorkflowRow } from '../store/workflows.ts'

const Count = Type.Integer({ minimum: 0 })
export const DateText = Type.String({ format: 'date', examples: ['2026-01-31'] })

export const AnalyticsQuery = object({
  from: Type.Optional({
    ...DateText,
    description: 'first day of `days`, in UTC; default: 29 days before `to`',
  }),
  to: Type.Optional({ ...DateText, description: 'last day of `days`; default: today' }),
})

const passed = Type.Record(Type.String(), Count, { description: 'by output' })
const counts = {
  entered: Count,
  waiting: { ...Count, description: 'in progress now' },
  undelivered: { ...Count, description: 'messages that were refused or failed' },
  goalReached: Count,
}
const { waiting: _, ...dayCounts } = counts

export const JourneyAnalytics = named(
  'JourneyAnalytics',
  object({
    journeyId: AnyId,
    from: DateText,
    to: DateText,
    totals: object(counts),
    nodes: Type.Array(
      object({
        nodeId: Type.String(),
        ...counts,
        passed,
      }),
      { description: 'since the first run, of all versions' },
    ),
    days: Type.Array(
      object({
        date: DateText,
        ...dayCounts,
        nodes: Type.Array(object({ nodeId: Type.String(), ...dayCounts, passed }), {
          description: 'with a step on that day',
        }),
      }),
      { description: 'with a step, in UTC' },
    ),
  }),
)
type JourneyAnalytics = Static<typeof JourneyAnalytics>

const dayMs = 86_400_000
const maxDays = 366
const toDate = (time: number): string => new Date(time).toISOString().slice(0, 10)

export async function getJourneyAnalytics(
  db: Db,
  { tenantId, id, definition }: WorkflowRow,
  query: Static<typeof AnalyticsQuery>,
): Promise<JourneyAnalytics> {
  const range = resolveRange(db.clock.now().getTime(), query, maxDays)
  const [rows, days] = await Promise.all([
    listNodeCounts(db, tenantId, id),
    listDayCounts(db, tenantId, id, range),
  ])
  const startId = definition.nodes.find(node => node.type === 'start')?.id
  const nodes = [...new Set(rows.map(row => row.nodeId))].map(nodeId => toNode(nodeId, rows))
  const sum = (name: keyof typeof counts) => nodes.reduce((total, node) => total + node[name], 0)
  const started = nodes.find(node => node.nodeId === startId)?.entered ?? 0
  return {
    journeyId: id,
    ...range,
    totals: {
      entered: started,
      waiting: sum('waiting'),
      undelivered: sum('undelivered'),
      goalReached: sum('goalReached'),
    },
    nodes,
    days: [...groupBy(days, ({ date }) => date)].map(([date, rows]) => toDay(date, rows, startId)),
  }
}

function toDay(
  date: string,
  rows: readonly DayCount[],
  startId: string | undefined,
): JourneyAnalytics['days'][number] {
  const nodes = [...new Set(rows.map(row => row.nodeId))].map(nodeId => {
    const { waiting, ...node } = toNode(nodeId, rows)
    return node
  })
  const sum = (name: keyof typeof dayCounts) => nodes.reduce((total, node) => total + node[name], 0)
  return {
    date,
    entered: nodes.find(node => node.nodeId === startId)?.entered ?? 0,
    undelivered: sum('undelivered'),
    goalReached: sum('goalReached'),
    nodes,
  }
}

export function resolveRange(
  now: number,
  { from, to }: Static<typeof AnalyticsQuery>,
  maxDays: number,
): { from: string; to: string } {
  const last = to ?? toDate(now)
  const first = from ?? toDate(Date.parse(last) - 29 * dayMs)
  const days = (Date.parse(last) - Date.parse(first)) / dayMs
  if (days < 0) invalid(violation('from', 'invalid_range', 'must not be after to'))
  if (days >= maxDays)
    invalid(violation('from', 'invalid_range', `must be less than ${maxDays} days before to`))
  return { from: first, to: last }
}

function toNode(nodeId: string, rows: readonly NodeCount[]): JourneyAnalytics['nodes'][number] {
  const own = rows.filter(row => row.nodeId === nodeId)
  const get = (metric: string) =>
    own.filter(row => row.metric === metric).reduce((total, row) => total + row.count, 0)
  return {
    nodeId,
    entered: get('entered'),
    waiting: Math.max(0, get('entered') - get('left')),
    undelivered: get('undelivered'),
    goalReached: get('goal'),
    passed: Object.fromEntries(
      own.filter(row => row.metric === 'passed').map(({ output, count }) => [output, count]),
    ),
  }
}

const batchSize = 5_000

export const foldCounts = cron({
  name: 'workflows.fold_counts',
  schedule: '* * * * *',
  priority: 'bulk',
  handle: async ({ db }, _tick, work) => {
    while (work.holdsLease()) if ((await transact(db, tx => foldDeltas(tx, batchSize))) < batchSize) return
  },
})

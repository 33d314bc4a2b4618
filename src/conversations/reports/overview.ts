/** Reports: what happened in a time range, read from counters, so that their cost does not grow with the messages. */
import type { Static } from 'typebox'
import { getWorkspace } from '../../identity/workspace/tenants.ts'
import type { Db } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import { invalid, violation } from '../../platform/errors.ts'
import { groupBy as groupRows } from '../../platform/group-by.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { parseTimestamp } from '../../platform/http/schemas.ts'
import { cron } from '../../platform/jobs/cron.ts'
import { type Counts, foldFacts, listCounts, workTypes } from '../store/reports.ts'
import type { Durations, Figures, OverviewQuery, ReportOverview } from './schemas.ts'

const hourMs = 3_600_000
const maxDays = 366

export async function getOverview(
  db: Db,
  caller: Caller,
  query: Static<typeof OverviewQuery>,
): Promise<ReportOverview> {
  const range = resolveRange(db.clock.now().getTime(), query)
  const { timezone } = await getWorkspace(db, caller.tenantId)
  const { inboxId, teamId, groupBy = 'day' } = query
  const filter = { types: workTypes, ...range, inboxId, teamId, userIds: listUserIds(caller, query) }
  const counts = await listCounts(db, caller.tenantId, filter, { groupBy, timezone })
  const groups = groupRows(counts, ({ key }) => key)
  const sorted = [...groups].sort(([a], [b]) => (groupBy === 'hourOfDay' ? Number(a) - Number(b) : 0))
  return {
    ...range,
    timezone,
    totals: toFigures(counts),
    groups: sorted.map(([key, own]) => ({ key: key || null, ...toFigures(own) })),
  }
}

/** Agents see their own figures only, so those of another user are empty for them. */
export function listUserIds({ role, id }: Caller, { userId }: { userId?: string }): string[] {
  return [...(userId === undefined ? [] : [userId]), ...(role === 'agent' ? [id] : [])]
}

/** Rounding must not leave the years from 1 to 9999, which timestamps have. */
const clamp = (ms: number): number =>
  Math.min(Math.max(ms, Date.parse('0001-01-01T00:00:00Z')), Date.parse('9999-12-31T23:00:00Z'))

/** Rounds to hours, by which the counters are kept. */
export function resolveRange(
  now: number,
  { from, to }: { from?: string; to?: string },
): { from: string; to: string } {
  const end = clamp(Math.ceil((to === undefined ? now : parseTimestamp(to).getTime()) / hourMs) * hourMs)
  const start = clamp(
    from === undefined ? end - 7 * 24 * hourMs : Math.floor(parseTimestamp(from).getTime() / hourMs) * hourMs,
  )
  if (start > end) invalid(violation('from', 'invalid_range', 'must not be after to'))
  if (end - start > maxDays * 24 * hourMs)
    invalid(violation('from', 'invalid_range', `must be at most ${maxDays} days before to`))
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
}

function toFigures(counts: readonly Counts[]): Figures {
  const of = (...types: Counts['type'][]) => counts.filter(({ type }) => types.includes(type))
  return {
    opened: sum(of('opened'), 'count'),
    reopened: sum(of('reopened'), 'count'),
    closed: sum(of('closed'), 'count'),
    replies: sum(of('first_reply', 'reply'), 'count'),
    firstReply: toDurations(of('first_reply')),
    waiting: toDurations(of('first_reply', 'reply')),
    resolution: toDurations(of('closed')),
  }
}

const sum = (counts: readonly Counts[], member: 'count' | 'seconds'): number =>
  counts.reduce((total, row) => total + row[member], 0)

function toDurations(counts: readonly Counts[]): Durations {
  const count = sum(counts, 'count')
  if (count === 0) return { count, averageSeconds: null, medianSeconds: null }
  return {
    count,
    averageSeconds: Math.round(sum(counts, 'seconds') / count),
    medianSeconds: estimateMedian(counts),
  }
}

/** Estimates the median as if the durations of its bucket were spread evenly. */
function estimateMedian(counts: readonly Counts[]): number {
  const half = sum(counts, 'count') / 2
  let before = 0
  for (const row of counts.toSorted((a, b) => a.bucket - b.bucket)) {
    const width = 2 ** row.bucket
    if (before + row.count >= half) return Math.round(width - 1 + ((half - before) / row.count) * (width - 1))
    before += row.count
  }
  return 0
}

const batchSize = 5_000

export const foldConversationCounts = cron({
  name: 'conversations.fold_counts',
  schedule: '* * * * *',
  priority: 'bulk',
  handle: async ({ db }, _tick, work) => {
    while (work.holdsLease()) if ((await transact(db, tx => foldFacts(tx, batchSize))) < batchSize) return
  },
})

/** The report of satisfaction surveys, from the same counters as the overview. A rating counts when its survey was sent. */
import type { Static } from 'typebox'
import { getWorkspace } from '../../identity/workspace/tenants.ts'
import type { Db } from '../../platform/db/db.ts'
import { groupBy as groupRows } from '../../platform/group-by.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Counts, listCounts, surveyTypes } from '../store/reports.ts'
import { listUserIds, resolveRange } from './overview.ts'
import type { CsatFigures, CsatQuery, CsatReport } from './schemas.ts'

export async function getCsatReport(
  db: Db,
  caller: Caller,
  query: Static<typeof CsatQuery>,
): Promise<CsatReport> {
  const range = resolveRange(db.clock.now().getTime(), query)
  const { timezone } = await getWorkspace(db, caller.tenantId)
  const { inboxId, teamId, groupBy = 'day' } = query
  const filter = { types: surveyTypes, ...range, inboxId, teamId, userIds: listUserIds(caller, query) }
  const counts = await listCounts(db, caller.tenantId, filter, { groupBy, timezone })
  return {
    ...range,
    timezone,
    totals: toFigures(counts),
    groups: [...groupRows(counts, ({ key }) => key)].map(([key, own]) => ({
      key: key || null,
      ...toFigures(own),
    })),
  }
}

function toFigures(counts: readonly Counts[]): CsatFigures {
  const of = (wanted: Counts['type']) =>
    counts.reduce((total, { type, count }) => (type === wanted ? total + count : total), 0)
  const sent = of('surveyed')
  const distribution = ([1, 2, 3, 4, 5] as const).map(
    rating => of(`rated_${rating}`) - of(`unrated_${rating}`),
  )
  const count = distribution.reduce((total, n) => total + n, 0)
  const points = distribution.reduce((total, n, i) => total + n * (i + 1), 0)
  return {
    sent,
    count,
    average: count === 0 ? null : Math.round((points / count) * 100) / 100,
    distribution,
    responseRate: sent === 0 ? null : Math.round((count / sent) * 10_000) / 10_000,
  }
}

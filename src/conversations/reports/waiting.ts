/** The report of the customers who wait for a person now, among the conversations that the caller can see. */
import type { Static } from 'typebox'
import type { Db } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { countWaiting, type WaitingCount } from '../store/reports.ts'
import { type Waiting, type WaitingQuery, type WaitingReport, waitingRanges } from './schemas.ts'

export async function getWaitingReport(
  db: Db,
  caller: Caller,
  query: Static<typeof WaitingQuery>,
): Promise<WaitingReport> {
  const counts = await countWaiting(db, caller, query)
  const [first, next] = [counts.filter(({ isFirst }) => isFirst), counts.filter(({ isFirst }) => !isFirst)]
  const countIn = (own: readonly WaitingCount[], index: number) =>
    own.find(({ range }) => range === index + 1)?.count ?? 0
  return {
    at: db.clock.now().toISOString(),
    firstReply: toWaiting(first),
    nextReply: toWaiting(next),
    ranges: waitingRanges.map((fromSeconds, index) => ({
      fromSeconds,
      toSeconds: waitingRanges[index + 1] ?? null,
      firstReply: countIn(first, index),
      nextReply: countIn(next, index),
    })),
  }
}

function toWaiting(counts: readonly WaitingCount[]): Waiting {
  const count = counts.reduce((total, row) => total + row.count, 0)
  if (count === 0) return { count, averageSeconds: null, maxSeconds: null }
  const seconds = counts.reduce((total, row) => total + row.seconds, 0)
  return {
    count,
    averageSeconds: Math.round(seconds / count),
    maxSeconds: Math.round(Math.max(...counts.map(({ max }) => max))),
  }
}

/** Campaign analytics, read from counters that are maintained while sending: the cost does not depend on the audience. */
import type { Queryable } from '../platform/db/db.ts'
import type { CampaignAnalytics } from './schemas.ts'
import type { CampaignRow } from './store/campaigns.ts'
import { type Counts, findProgress, listTimeline, type TimelinePoint } from './store/progress.ts'

const none: Counts = { pending: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, replied: 0 }

export async function getAnalytics(on: Queryable, campaign: CampaignRow): Promise<CampaignAnalytics> {
  const { tenantId, id } = campaign
  const [progress, timeline] = await Promise.all([
    findProgress(on, tenantId, id),
    listTimeline(on, tenantId, id),
  ])
  const { pending, sent, delivered, read, failed, skipped, replied } = progress ?? none
  return {
    campaignId: id,
    audienceCount: campaign.audienceCount,
    counts: { pending, sent, delivered, read, failed, skipped, replied },
    rates: computeRates(progress ?? none),
    startedAt: campaign.startedAt,
    finishedAt: campaign.finishedAt,
    timeline: downsample(timeline),
  }
}

/** Shares of the messages that were sent or failed. */
function computeRates({ sent, delivered, read, failed, replied }: Counts): CampaignAnalytics['rates'] {
  const attempted = sent + delivered + read + failed
  const share = (n: number) => (attempted === 0 ? 0 : Math.round((n / attempted) * 10_000) / 10_000)
  return {
    delivery: share(delivered + read),
    read: share(read),
    reply: Math.min(1, share(replied)),
    failure: share(failed),
  }
}

type Point = Omit<TimelinePoint, 'campaignId'>

const minute = 60_000
const widths = [1, 5, 15, 60, 360, 1_440, 10_080].map(minutes => minutes * minute)
const maxPoints = 300

/** Merges points into buckets of the smallest width that yields at most 300 points. */
function downsample(points: readonly Point[]): Point[] {
  const first = Date.parse(points[0]?.at ?? '')
  const last = Date.parse(points.at(-1)?.at ?? '')
  const width = widths.find(width => (last - first) / width < maxPoints) ?? widths.at(-1)!
  const out = new Map<number, Point>()
  for (const point of points) {
    const start = Math.floor(Date.parse(point.at) / width) * width
    const sum = out.get(start) ?? {
      at: new Date(start).toISOString(),
      sent: 0,
      delivered: 0,
      read: 0,
      failed: 0,
    }
    for (const key of ['sent', 'delivered', 'read', 'failed'] as const) sum[key] += point[key]
    out.set(start, sum)
  }
  return [...out.values()]
}

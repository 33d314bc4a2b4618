/** The gauges of a worker: state of the installation that any worker can report. They share one query per cell and scrape. */
import type { Db } from '../platform/db/db.ts'
import type { CellSample, Metrics } from '../platform/metrics.ts'
import type { Cell } from './cells/cell.ts'
import {
  countCampaigns,
  countIssues,
  getQueueState,
  listConsumerLags,
  type QueueState,
} from './gauges-store.ts'

const queueGauges: [name: string, help: string, key: keyof QueueState][] = [
  ['parley_jobs_ready', 'Jobs that are ready to run', 'ready'],
  ['parley_jobs_oldest_ready_seconds', 'Time that the oldest ready job has waited', 'jobLag'],
  ['parley_jobs_dead', 'Dead jobs, of at most 1,000', 'dead'],
  ['parley_events_oldest_waiting_seconds', 'Age of the oldest event that is not in the log yet', 'eventLag'],
  ['parley_webhooks_oldest_due_seconds', 'Time that the most overdue webhook has waited', 'webhookLag'],
  [
    'parley_database_oldest_snapshot_seconds',
    'Age of the oldest open transaction in the database',
    'snapshot',
  ],
]

type Sample = Omit<CellSample, 'cell'>

export function addGauges(cells: readonly Pick<Cell, 'name' | 'deps'>[], metrics: Metrics): void {
  const queues = cells.map(cell => ({ name: cell.name, load: shareQuery(cell.deps.db) }))
  for (const [name, help, key] of queueGauges)
    metrics.addCellGauge(name, help, [], () =>
      Promise.all(
        queues.map(async queue => ({
          cell: queue.name,
          // A value that cannot be read is reported as NaN and does not fail the scrape.
          value: await queue.load().then(
            state => state[key],
            () => Number.NaN,
          ),
        })),
      ),
    )
  const ofAll = (read: (db: Db) => Promise<Sample[]>) => async (): Promise<CellSample[]> => {
    const samples = cells.map(async ({ name, deps }) =>
      (await read(deps.db).catch(() => [])).map(sample => ({ cell: name, ...sample })),
    )
    return (await Promise.all(samples)).flat()
  }
  metrics.addCellGauge(
    'parley_events_consumer_lag_seconds',
    'Time that the oldest unread event of a consumer has waited',
    ['consumer'],
    ofAll(async db =>
      (await listConsumerLags(db)).map(({ consumer, lag }) => ({ labels: { consumer }, value: lag })),
    ),
  )
  metrics.addCellGauge(
    'parley_inboxes_with_issues',
    'Inboxes that are degraded or disconnected, by reason',
    ['channel', 'reason'],
    ofAll(async db =>
      (await countIssues(db)).map(({ channel, reason, n }) => ({ labels: { channel, reason }, value: n })),
    ),
  )
  metrics.addCellGauge(
    'parley_campaigns',
    'Campaigns that are scheduled, sending or paused',
    ['status'],
    ofAll(async db => (await countCampaigns(db)).map(({ status, n }) => ({ labels: { status }, value: n }))),
  )
}

function shareQuery(db: Db): () => Promise<QueueState> {
  let inFlight: Promise<QueueState> | undefined
  return () => {
    inFlight ??= getQueueState(db).finally(() => {
      inFlight = undefined
    })
    return inFlight
  }
}

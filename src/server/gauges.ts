/** The gauges of a worker: state of the installation that any worker can report. They share one query per scrape. */
import type { Deps } from '../platform/deps.ts'
import type { Metrics } from '../platform/metrics.ts'
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

export function addGauges({ db }: Deps, metrics: Metrics): void {
  let inFlight: Promise<QueueState> | undefined
  const load = () => {
    inFlight ??= getQueueState(db).finally(() => {
      inFlight = undefined
    })
    return inFlight
  }
  for (const [name, help, key] of queueGauges) metrics.addGauge(name, help, async () => (await load())[key])
  metrics.addLabelledGauge(
    'parley_events_consumer_lag_seconds',
    'Time that the oldest unread event of a consumer has waited',
    ['consumer'],
    async () => (await listConsumerLags(db)).map(({ consumer, lag }) => [{ consumer }, lag] as const),
  )
  metrics.addLabelledGauge(
    'parley_inboxes_with_issues',
    'Inboxes that are degraded or disconnected, by reason',
    ['channel', 'reason'],
    async () => (await countIssues(db)).map(({ channel, reason, n }) => [{ channel, reason }, n] as const),
  )
  metrics.addLabelledGauge(
    'parley_campaigns',
    'Campaigns that are scheduled, sending or paused',
    ['status'],
    async () => (await countCampaigns(db)).map(({ status, n }) => [{ status }, n] as const),
  )
}

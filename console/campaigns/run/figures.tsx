/** Progress, counts, funnel and reasons of a campaign. */
import { Link } from '@tanstack/react-router'
import { api, call, type Schemas } from '../../api/client.ts'
import { isChange, useResource } from '../../app/use-resource.ts'
import { formatDuration, formatNumber } from '../../i18n/format.ts'
import table from '../../ui/tables/table.module.css'
import { type Campaign, toPercent, toReached } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { recipientsId } from './recipients.tsx'
import { texts } from './texts.ts'
import { useSpeed } from './use-speed.ts'

export type Analytics = Schemas['CampaignAnalytics']

interface FiguresProps {
  campaign: Campaign
  analytics: Analytics
}

export function Progress({ campaign: { status }, analytics: { audienceCount, counts } }: FiguresProps) {
  const isRunning = status === 'sending'
  const done = (audienceCount ?? 0) - counts.pending
  const speed = useSpeed(isRunning ? done : undefined)
  if (audienceCount === null) return null
  const about = [
    texts().done(formatNumber(done), formatNumber(audienceCount)),
    isRunning && speed !== undefined && texts().speed(formatNumber(Math.round(speed * 10) / 10)),
    isRunning &&
      speed &&
      counts.pending > 0 &&
      texts().timeLeft(formatDuration((counts.pending / speed) * 1_000)),
  ]
  return (
    <div className={styles.form}>
      <progress className={styles.progress} max={audienceCount} value={done} aria-label={texts().progress} />
      <p>{about.filter(Boolean).join(' · ')}</p>
    </div>
  )
}

const countNames = ['pending', 'sent', 'delivered', 'read', 'failed', 'skipped', 'replied'] as const

/** The first six add up to the audience. */
export function CountList({ analytics: { counts } }: Pick<FiguresProps, 'analytics'>) {
  return (
    <dl className={styles.tiles} aria-label={texts().counts}>
      {countNames.map(name => (
        <div key={name}>
          <dt className={styles.muted}>{texts().countNames[name]}</dt>
          <dd className={styles.heading}>{formatNumber(counts[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Funnel({ analytics: { audienceCount, counts } }: Pick<FiguresProps, 'analytics'>) {
  const { sent, delivered, read } = toReached(counts)
  const names = texts().countNames
  const steps = [
    { label: texts().audience, count: audienceCount ?? 0 },
    { label: names.sent, count: sent },
    { label: names.delivered, count: delivered },
    { label: names.read, count: read },
    { label: names.replied, count: counts.replied },
  ]
  const share = (count: number) => (audienceCount ? (count / audienceCount) * 100 : 0)
  return (
    <ol className={styles.form}>
      {steps.map(({ label, count }) => (
        <li key={label}>
          <span className={styles.split}>
            <span>{label}</span>
            <span>
              {formatNumber(count)} · {toPercent(count, audienceCount ?? 0)} %
            </span>
          </span>
          <span className={styles.bar} style={{ width: `${Math.min(100, share(count))}%` }} />
        </li>
      ))}
    </ol>
  )
}

/** Counted by the service: it reads the recipients who failed or were skipped. A reason shows its recipients. */
export function Reasons({ campaign: { id }, analytics, canList }: FiguresProps & { canList: boolean }) {
  const { failed, skipped } = analytics.counts
  const params = { path: { campaignId: id } }
  const { data } = useResource(
    id,
    () => call(api.GET('/campaigns/{campaignId}/recipients/reasons', { params })),
    { isAffected: isChange('campaign', id), minGapMs: 2_000 },
  )
  if (failed + skipped === 0 || !data || data.items.length === 0) return null
  return (
    <section className={styles.part} aria-label={texts().reasons}>
      <h2 className={styles.heading}>{texts().reasons}</h2>
      <table className={table.table} aria-label={texts().reasons}>
        <thead>
          <tr>
            <th scope="col">{texts().reason}</th>
            <th scope="col">
              {texts().countNames.failed} / {texts().countNames.skipped}
            </th>
            <th scope="col" data-number>
              {texts().count}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.items.map(({ status, reason, count }) => (
            <tr key={`${status} ${reason}`}>
              <th scope="row">
                {canList ? (
                  <Link
                    to="/campaigns/$campaignId"
                    params={{ campaignId: id }}
                    search={before => ({ ...before, status, reason })}
                    hash={recipientsId}
                  >
                    {shared().reasons[reason] ?? reason}
                  </Link>
                ) : (
                  (shared().reasons[reason] ?? reason)
                )}
              </th>
              <td>{texts().countNames[status]}</td>
              <td data-number>{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The customers who wait for a reply now, independent of the range: how many, and for how long. */
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, call, type Schemas } from '../api/client.ts'
import { useResource } from '../app/use-resource.ts'
import { formatNumber } from '../i18n/format.ts'
import { DataTable } from '../plot/data-table.tsx'
import { Plot } from '../plot/plot.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Failure, Loading } from '../ui/layout/state-view.tsx'
import { download, toCsv } from './csv.ts'
import { formatSeconds } from './figures.tsx'
import { isReportFrame } from './groups.ts'
import styles from './reports.module.css'
import { texts } from './texts.ts'

type Report = Schemas['WaitingReport']

const refreshMs = 30_000
const kinds = ['firstReply', 'nextReply'] as const

export function WaitingNow() {
  const { data, error, reload } = useResource('waiting', () => call(api.GET('/reports/waiting')), {
    isAffected: isReportFrame,
    minGapMs: 3_000,
  })
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), refreshMs)
    return () => clearInterval(timer)
  }, [reload])
  return (
    <section className={styles.part} aria-labelledby="waiting-now">
      <h2 id="waiting-now" className={styles.heading}>
        {texts().waitingNow}
      </h2>
      {data ? (
        <Waits report={data} />
      ) : error === undefined ? (
        <Loading rows={2} />
      ) : (
        <Failure error={error} onRetry={reload} />
      )}
    </section>
  )
}

function Waits({ report }: { report: Report }) {
  const { ranges } = report
  const names = ranges.map(toName)
  const totals = ranges.map(({ firstReply, nextReply }) => firstReply + nextReply)
  const columns = kinds.map(kind => ({
    label: texts().waitingFor[kind],
    values: ranges.map(range => range[kind]),
  }))
  const isEmpty = totals.every(total => total === 0)
  const save = () =>
    download(
      'waiting.csv',
      toCsv([
        ['fromSeconds', 'toSeconds', ...kinds],
        ...ranges.map(range => [range.fromSeconds, range.toSeconds, ...kinds.map(kind => range[kind])]),
      ]),
    )
  return (
    <>
      <dl className={styles.tiles} aria-label={texts().waitingNow}>
        {kinds.map(kind => (
          <Tile key={kind} label={texts().waitingFor[kind]} wait={report[kind]} />
        ))}
      </dl>
      {isEmpty ? (
        <p>{texts().nobodyWaits}</p>
      ) : (
        <>
          <div className={styles.tools}>
            <Link to="/inbox" search={{ view: 'all', waiting: 'true' }}>
              {texts().showWaiting}
            </Link>
            <Button onClick={save}>{texts().downloadWaiting}</Button>
          </div>
          <div className={styles.figure}>
            <Plot
              label={texts().waitingNow}
              kind="bar"
              names={names}
              series={[{ label: texts().conversations, tone: 'accent', values: totals }]}
            />
            <DataTable
              label={texts().waitingNow}
              xLabel={texts().waitingSince}
              rows={names}
              columns={columns}
            />
          </div>
        </>
      )}
    </>
  )
}

function Tile({ label, wait }: { label: string; wait: Report['firstReply'] }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatNumber(wait.count)}</dd>
      {wait.averageSeconds !== null && wait.maxSeconds !== null && (
        <dd className={styles.small}>
          {texts().waits(formatSeconds(wait.averageSeconds), formatSeconds(wait.maxSeconds))}
        </dd>
      )}
    </div>
  )
}

function toName({ fromSeconds, toSeconds }: Report['ranges'][number]): string {
  if (fromSeconds === 0) return `< ${toUnit(toSeconds!)}`
  return toSeconds === null ? `> ${toUnit(fromSeconds)}` : `${toUnit(fromSeconds)} – ${toUnit(toSeconds)}`
}

const toUnit = (seconds: number): string =>
  seconds < 3_600 ? `${seconds / 60} min` : `${formatNumber(seconds / 3_600)} h`

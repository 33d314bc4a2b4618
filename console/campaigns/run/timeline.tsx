/** How many messages reached each status when: summed up, or per interval of the service. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatDateTime, formatDuration, formatTime, isSameDay } from '../../i18n/format.ts'
import { DataTable } from '../../plot/data-table.tsx'
import { Plot } from '../../plot/plot.tsx'
import { Select } from '../../ui/controls/field.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import type { Analytics } from './figures.tsx'
import { texts } from './texts.ts'

const series = [
  { id: 'sent', tone: 'text-muted', dashes: '6 3' },
  { id: 'delivered', tone: 'accent' },
  { id: 'read', tone: 'success', dashes: '2 2' },
  { id: 'failed', tone: 'danger', dashes: '8 2 2 2' },
] as const

type Point = Analytics['timeline'][number]

function sum(points: readonly Point[], id: (typeof series)[number]['id']): number[] {
  let total = 0
  return points.map(point => (total += point[id]))
}

/** The smallest distance between two points: the width of the intervals. */
function toInterval(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, position) => time - times[position]!)
  return gaps.length > 0 ? Math.min(...gaps) : 60_000
}

export function Timeline({ campaignId, points }: { campaignId: string; points: readonly Point[] }) {
  const navigate = useNavigate()
  const { plot, ...search } = useSearch({ from: '/campaigns/$campaignId' })
  const isCumulative = plot !== 'interval'
  const times = points.map(({ at }) => Date.parse(at))
  const isOneDay = points.length === 0 || isSameDay(points[0]!.at, points.at(-1)!.at)
  const names = points.map(({ at }) => (isOneDay ? formatTime(at) : formatDateTime(new Date(at))))
  const lines = series.map(({ id, ...look }) => ({
    ...look,
    label: texts().countNames[id],
    values: isCumulative ? sum(points, id) : points.map(point => point[id]),
  }))
  const choose = (value: string) =>
    void navigate({
      to: '/campaigns/$campaignId',
      params: { campaignId },
      search: { ...search, ...(value === 'interval' ? { plot: 'interval' } : {}) },
      replace: true,
    })
  return (
    <section className={styles.part} aria-label={texts().timeline}>
      <h2 className={styles.heading}>{texts().timeline}</h2>
      {points.length === 0 ? (
        <p className={styles.muted}>{texts().noTimeline}</p>
      ) : (
        <>
          <div className={styles.filter}>
            <Select
              label={texts().counting}
              value={isCumulative ? '' : 'interval'}
              onChange={event => choose(event.target.value)}
            >
              <option value="">{texts().cumulative}</option>
              <option value="interval">{texts().perInterval(formatDuration(toInterval(times)))}</option>
            </Select>
          </div>
          <Plot label={texts().timeline} kind="line" xs={times} names={names} series={lines} />
          <DataTable label={texts().timeline} xLabel={shared().time} rows={names} columns={lines} />
        </>
      )}
    </section>
  )
}

/** The figures of a report: totals, and a plot with its table for each. */
import type { Schemas } from '../api/client.ts'
import { formatDuration, formatNumber } from '../i18n/format.ts'
import { DataTable } from '../plot/data-table.tsx'
import { Plot } from '../plot/plot.tsx'
import type { Names } from './groups.ts'
import styles from './reports.module.css'
import { texts } from './texts.ts'

export type Overview = Schemas['ReportOverview']
export type Figures = Overview['totals']
export type Group = Figures & Names

export const countIds = ['opened', 'reopened', 'closed', 'replies'] as const
export const durationIds = ['firstReply', 'waiting', 'resolution'] as const
type CountId = (typeof countIds)[number]
type DurationId = (typeof durationIds)[number]

export function formatSeconds(seconds: number): string {
  return seconds < 60 ? `${formatNumber(Math.round(seconds))} s` : formatDuration(seconds * 1_000)
}

/** Labels of an axis are whole days, hours, minutes or seconds. */
const getUnit = (seconds: number) => [86_400, 3_600, 60].find(unit => seconds >= 2 * unit) ?? 1

/** Openings belong to nobody: figures of one user have none. */
export function listCounts(isOwn: boolean): readonly CountId[] {
  return isOwn ? ['closed', 'replies'] : countIds
}

export function Totals({ totals, isOwn }: { totals: Figures; isOwn: boolean }) {
  return (
    <dl className={styles.tiles} aria-label={texts().totals}>
      {listCounts(isOwn).map(id => (
        <div key={id}>
          <dt>{texts()[id]}</dt>
          <dd>{formatNumber(totals[id])}</dd>
        </div>
      ))}
      {durationIds.map(id => (
        <div key={id}>
          <dt>{texts().averageOf(texts()[id])}</dt>
          <dd>{toText(totals[id].averageSeconds)}</dd>
          {totals[id].medianSeconds !== null && (
            <dd className={styles.small}>{texts().medianOf(toText(totals[id].medianSeconds))}</dd>
          )}
        </div>
      ))}
    </dl>
  )
}

const toText = (seconds: number | null) => (seconds === null ? '–' : formatSeconds(seconds))

interface PlotsProps {
  groups: readonly Group[]
  kind: 'line' | 'bar'
  /** Names the groups. */
  label: string
  isOwn: boolean
}

export function Plots({ isOwn, ...props }: PlotsProps) {
  const ids = listCounts(isOwn).filter(id => id === 'opened' || id === 'closed')
  return (
    <div className={styles.plots}>
      {ids.map(id => (
        <CountPlot key={id} id={id} {...props} />
      ))}
      {durationIds.map(id => (
        <DurationPlot key={id} id={id} {...props} />
      ))}
    </div>
  )
}

function CountPlot({ id, groups, kind, label }: Omit<PlotsProps, 'isOwn'> & { id: CountId }) {
  const title = texts()[id]
  const names = groups.map(({ name }) => name)
  const values = groups.map(group => group[id])
  return (
    <section className={styles.figure} aria-label={title}>
      <h3>{title}</h3>
      <Plot label={title} kind={kind} names={names} series={[{ label: title, tone: 'accent', values }]} />
      <DataTable label={title} xLabel={label} rows={names} columns={[{ label: title, values }]} />
    </section>
  )
}

function DurationPlot({ id, groups, kind, label }: Omit<PlotsProps, 'isOwn'> & { id: DurationId }) {
  const title = texts()[id]
  const names = groups.map(({ name }) => name)
  const average = groups.map(group => group[id].averageSeconds)
  const columns = [
    { label: texts().average, values: average, format: formatSeconds },
    { label: texts().median, values: groups.map(group => group[id].medianSeconds), format: formatSeconds },
    { label: texts().count, values: groups.map(group => group[id].count) },
  ]
  return (
    <section className={styles.figure} aria-label={title}>
      <h3>{title}</h3>
      <Plot
        label={title}
        kind={kind}
        names={names}
        series={[{ label: texts().average, tone: 'accent', values: average }]}
        format={formatSeconds}
        getUnit={getUnit}
      />
      <DataTable label={title} xLabel={label} rows={names} columns={columns} />
    </section>
  )
}

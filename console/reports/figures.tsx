/** The figures of a report: totals, and a plot with its table for each. */
import type { Schemas } from '../api/client.ts'
import { formatDuration, formatNumber } from '../i18n/format.ts'
import { Figure, type Kind } from './figure.tsx'
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
  kind: Kind
  /** Names the groups. */
  label: string
  isOwn: boolean
}

export function Plots({ groups, kind, label, isOwn }: PlotsProps) {
  const ids = listCounts(isOwn).filter(id => id === 'opened' || id === 'closed')
  const shared = { kind, xLabel: label, rows: groups.map(({ name }) => name) }
  return (
    <div className={styles.plots}>
      {ids.map(id => {
        const columns = [{ label: texts()[id], values: groups.map(group => group[id]) }]
        return <Figure key={id} title={texts()[id]} columns={columns} {...shared} />
      })}
      {durationIds.map(id => (
        <Figure
          key={id}
          title={texts()[id]}
          columns={listDurations(groups.map(group => group[id]))}
          getUnit={getUnit}
          {...shared}
        />
      ))}
    </div>
  )
}

const listDurations = (durations: readonly Figures[DurationId][]) => [
  {
    label: texts().average,
    values: durations.map(({ averageSeconds }) => averageSeconds),
    format: formatSeconds,
  },
  {
    label: texts().median,
    values: durations.map(({ medianSeconds }) => medianSeconds),
    format: formatSeconds,
  },
  { label: texts().count, values: durations.map(({ count }) => count) },
]

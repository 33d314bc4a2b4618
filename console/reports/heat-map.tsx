/** Counts by weekday and hour of the workspace: a heat map with its table. */
import { type CSSProperties, useState } from 'react'
import { api, call } from '../api/client.ts'
import { useResource } from '../app/use-resource.ts'
import { formatNumber, formatWeekday } from '../i18n/format.ts'
import { DataTable } from '../plot/data-table.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Select } from '../ui/controls/field.tsx'
import { Failure, Loading } from '../ui/layout/state-view.tsx'
import { download, toCsv } from './csv.ts'
import { listCounts, type Overview } from './figures.tsx'
import { isReportFrame } from './groups.ts'
import { addDays, type Range, toInstant } from './range.ts'
import styles from './reports.module.css'
import { texts } from './texts.ts'

type CountId = ReturnType<typeof listCounts>[number]

const weekdays = [1, 2, 3, 4, 5, 6, 7]
const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** Hours with a label below the map. */
const labelled = [0, 6, 12, 18]

interface HeatMapProps {
  range: Range
  zone: string
  isOwn: boolean
}

export function HeatMap({ range, zone, isOwn }: HeatMapProps) {
  const query = {
    from: toInstant(range.from, zone),
    to: toInstant(addDays(range.to, 1), zone),
    groupBy: 'hourOfWeek' as const,
  }
  const { data, error, reload } = useResource(
    JSON.stringify(query),
    () => call(api.GET('/reports/overview', { params: { query } })),
    { isAffected: isReportFrame, minGapMs: 3_000 },
  )
  const offered = listCounts(isOwn)
  const [chosen, setChosen] = useState<CountId>(offered[0]!)
  if (!data) return error === undefined ? <Loading rows={2} /> : <Failure error={error} onRetry={reload} />
  return (
    <section className={styles.figure} aria-label={texts().byWeekday}>
      <h3>{texts().byWeekday}</h3>
      <div className={styles.controls}>
        <Select
          label={texts().figure}
          value={chosen}
          onChange={event => setChosen(event.target.value as CountId)}
        >
          {offered.map(id => (
            <option key={id} value={id}>
              {texts()[id]}
            </option>
          ))}
        </Select>
        <Button onClick={() => save(data, chosen, range)}>{texts().downloadHours}</Button>
      </div>
      <Cells overview={data} id={chosen} />
    </section>
  )
}

/** Returns the count of a weekday and hour. */
function toReader({ groups }: Overview, id: CountId): (weekday: number, hour: number) => number {
  const counts = new Map(groups.map(group => [group.key, group[id]]))
  return (weekday, hour) => counts.get(`${weekday}-${hour}`) ?? 0
}

function Cells({ overview, id }: { overview: Overview; id: CountId }) {
  const read = toReader(overview, id)
  const max = Math.max(...weekdays.flatMap(weekday => hours.map(hour => read(weekday, hour))))
  const names = weekdays.map(formatWeekday)
  const hourNames = hours.map(hour => texts().hour(String(hour)))
  return (
    <>
      <div
        className={styles.map}
        role="img"
        aria-label={texts().heatMap(texts()[id], describeMax(read, max))}
      >
        {weekdays.map((weekday, row) => [
          <span key={weekday} className={styles.small}>
            {names[row]}
          </span>,
          ...hours.map(hour => {
            const count = read(weekday, hour)
            const style = { '--share': `${max === 0 ? 0 : Math.round((count / max) * 100)}%` }
            return (
              <span
                key={`${weekday}-${hour}`}
                className={styles.cell}
                style={style as CSSProperties}
                title={`${names[row]} ${hourNames[hour]}: ${formatNumber(count)}`}
              />
            )
          }),
        ])}
        <span />
        {labelled.map(hour => (
          <span key={hour} className={styles.hour}>
            {hourNames[hour]}
          </span>
        ))}
      </div>
      <DataTable
        label={texts().byWeekday}
        xLabel={texts().groupings.hourOfDay}
        rows={hourNames}
        columns={weekdays.map((weekday, row) => ({
          label: names[row]!,
          values: hours.map(hour => read(weekday, hour)),
        }))}
      />
    </>
  )
}

/** The busiest hour, for those who do not see the map. */
function describeMax(read: (weekday: number, hour: number) => number, max: number): string {
  for (const weekday of weekdays)
    for (const hour of hours)
      if (max > 0 && read(weekday, hour) === max)
        return texts().busiest(formatWeekday(weekday), texts().hour(String(hour)), formatNumber(max))
  return texts().nothing
}

function save(overview: Overview, id: CountId, { from, to }: Range): void {
  const read = toReader(overview, id)
  const rows = hours.map(hour => [hour, ...weekdays.map(weekday => read(weekday, hour))])
  const csv = toCsv([['hour', ...weekdays.map(formatWeekday)], ...rows])
  download(`${id}-by-hour-${from}-${to}.csv`, csv)
}

/** Ratings of satisfaction surveys: totals, average and response rate with their tables, and how often each rating was given. */
import { api, call, type Schemas } from '../api/client.ts'
import type { Frame } from '../api/realtime.ts'
import { getSignedIn } from '../api/session.ts'
import { useResource } from '../app/use-resource.ts'
import { formatNumber } from '../i18n/format.ts'
import { DataTable } from '../plot/data-table.tsx'
import { Plot } from '../plot/plot.tsx'
import { Button } from '../ui/button.tsx'
import { Failure, Loading } from '../ui/state-view.tsx'
import { download, toCsv } from './csv.ts'
import { type Grouping, type Names, nameGroups } from './groups.ts'
import { addDays, type Range, toInstant } from './range.ts'
import styles from './reports.module.css'
import { texts } from './texts.ts'

type Figures = Schemas['CsatReport']['totals']
type Group = Figures & Names

const ratings = [1, 2, 3, 4, 5]
const nothing: Figures = {
  sent: 0,
  count: 0,
  average: null,
  distribution: ratings.map(() => 0),
  responseRate: null,
}
const isAffected = ({ type }: Frame) => type === 'conversation.rated' || type === 'message.created'
const formatPercent = (share: number) => `${formatNumber(Math.round(share * 100))} %`

interface SatisfactionProps {
  range: Range
  groupBy: Grouping
  zone: string
}

/** Ratings are not kept by hour: they are shown by day instead. Shown where an inbox asks or has asked. */
export function Satisfaction({ range, groupBy: requested, zone }: SatisfactionProps) {
  const groupBy = requested === 'hourOfDay' ? 'day' : requested
  const query = { from: toInstant(range.from, zone), to: toInstant(addDays(range.to, 1), zone), groupBy }
  const { data, error, reload } = useResource(
    JSON.stringify(query),
    () => call(api.GET('/reports/csat', { params: { query } })),
    { isAffected, minGapMs: 3_000 },
  )
  if (!data) return error === undefined ? <Loading rows={2} /> : <Failure error={error} onRetry={reload} />
  const { totals } = data
  const isAsked = [...getSignedIn().inboxes.values()].some(({ csat }) => csat !== null)
  if (totals.sent === 0 && !isAsked) return null
  const groups = nameGroups<Figures>(data.groups, nothing, { groupBy, range })
  const label = texts().groupings[groupBy]
  const save = () => download(`ratings-${range.from}-${range.to}.csv`, toRatingsCsv(totals, groups, label))
  return (
    <>
      <h2 className={styles.heading}>{texts().satisfaction}</h2>
      <Tiles totals={totals} />
      {totals.sent > 0 && (
        <>
          <div>
            <Button onClick={save}>{texts().downloadRatings}</Button>
          </div>
          <div className={styles.plots}>
            <AveragePlot groups={groups} kind={groupBy === 'day' ? 'line' : 'bar'} label={label} />
            <DistributionPlot totals={totals} />
          </div>
        </>
      )}
    </>
  )
}

function Tiles({ totals: { sent, count, average, responseRate } }: { totals: Figures }) {
  const items = [
    [texts().averageRating, average === null ? '–' : formatNumber(average)],
    [texts().ratings, formatNumber(count)],
    [texts().surveys, formatNumber(sent)],
    [texts().responseRate, responseRate === null ? '–' : formatPercent(responseRate)],
  ]
  return (
    <dl className={styles.tiles} aria-label={texts().satisfaction}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function AveragePlot({
  groups,
  kind,
  label,
}: {
  groups: readonly Group[]
  kind: 'line' | 'bar'
  label: string
}) {
  const title = texts().averageRating
  const names = groups.map(({ name }) => name)
  const values = groups.map(({ average }) => average)
  const columns = [
    { label: title, values },
    { label: texts().ratings, values: groups.map(({ count }) => count) },
    { label: texts().surveys, values: groups.map(({ sent }) => sent) },
    {
      label: texts().responseRate,
      values: groups.map(({ responseRate }) => responseRate),
      format: formatPercent,
    },
  ]
  return (
    <section className={styles.figure} aria-label={title}>
      <h3>{title}</h3>
      <Plot label={title} kind={kind} names={names} series={[{ label: title, tone: 'accent', values }]} />
      <DataTable label={title} xLabel={label} rows={names} columns={columns} />
    </section>
  )
}

function DistributionPlot({ totals: { distribution } }: { totals: Figures }) {
  const title = texts().distribution
  const names = ratings.map(rating => `${rating} ★`)
  const series = [{ label: texts().ratings, tone: 'accent' as const, values: distribution }]
  return (
    <section className={styles.figure} aria-label={title}>
      <h3>{title}</h3>
      <Plot label={title} kind="bar" names={names} series={series} />
      <DataTable
        label={title}
        xLabel={texts().rating}
        rows={names}
        columns={[{ label: texts().ratings, values: distribution }]}
      />
    </section>
  )
}

function toRatingsCsv(totals: Figures, groups: readonly Group[], label: string): string {
  const toRow = (name: string, { sent, count, average, distribution, responseRate }: Figures) => [
    name,
    sent,
    count,
    average,
    responseRate,
    ...distribution,
  ]
  return toCsv([
    [label, 'sent', 'count', 'average', 'responseRate', ...ratings.map(rating => `rating${rating}`)],
    ...groups.map(group => toRow(group.nameInFile, group)),
    toRow(texts().totals, totals),
  ])
}

/** Ratings of satisfaction surveys: totals, average and response rate with their tables, and how often each rating was given. */
import { api, call, type Schemas } from '../api/client.ts'
import type { Frame } from '../api/realtime.ts'
import { getSignedIn } from '../api/session.ts'
import { useResource } from '../app/use-resource.ts'
import { formatNumber } from '../i18n/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { Failure, Loading } from '../ui/layout/state-view.tsx'
import { download, toCsv } from './csv.ts'
import { Figure, type Kind } from './figure.tsx'
import { type Grouping, type Names, nameGroups, toKind } from './groups.ts'
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
            <AverageFigure groups={groups} kind={toKind(groupBy)} label={label} />
            <DistributionFigure totals={totals} />
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

function AverageFigure({ groups, kind, label }: { groups: readonly Group[]; kind: Kind; label: string }) {
  const columns = [
    { label: texts().averageRating, values: groups.map(({ average }) => average) },
    { label: texts().ratings, values: groups.map(({ count }) => count) },
    { label: texts().surveys, values: groups.map(({ sent }) => sent) },
    {
      label: texts().responseRate,
      values: groups.map(({ responseRate }) => responseRate),
      format: formatPercent,
    },
  ]
  const rows = groups.map(({ name }) => name)
  return <Figure title={texts().averageRating} kind={kind} xLabel={label} rows={rows} columns={columns} />
}

function DistributionFigure({ totals: { distribution } }: { totals: Figures }) {
  return (
    <Figure
      title={texts().distribution}
      kind="bar"
      xLabel={texts().rating}
      rows={ratings.map(rating => `${rating} ★`)}
      columns={[{ label: texts().ratings, values: distribution }]}
    />
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

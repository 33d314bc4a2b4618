/** Reports about conversations. Range and grouping are part of the address. Agents see their own figures. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, call } from '../api/client.ts'
import { getSignedIn } from '../api/session.ts'
import { useResource } from '../app/use-resource.ts'
import { t } from '../i18n/i18n.ts'
import { Button } from '../ui/controls/button.tsx'
import { Select, TextField } from '../ui/controls/field.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { download, toCsv } from './csv.ts'
import {
  durationIds,
  type Figures,
  type Group,
  listCounts,
  type Overview,
  Plots,
  Totals,
} from './figures.tsx'
import { type Grouping, groupings, isReportFrame, nameGroups, toKind } from './groups.ts'
import { HeatMap } from './heat-map.tsx'
import { addDays, isValid, lastDays, parseDate, type Range, toInstant } from './range.ts'
import styles from './reports.module.css'
import { Satisfaction } from './satisfaction.tsx'
import { texts } from './texts.ts'
import { WaitingNow } from './waiting.tsx'

const presets = [7, 30, 90]

export function ReportsPage() {
  const navigate = useNavigate()
  const search = useSearch({ from: '/reports' })
  const { workspace, me } = getSignedIn()
  const zone = workspace.timezone
  const isOwn = me.role === 'agent'
  const standard = lastDays(7, zone)
  const range = { from: parseDate(search.from) ?? standard.from, to: parseDate(search.to) ?? standard.to }
  const offered = groupings.filter(item => !isOwn || item !== 'user')
  const groupBy = offered.find(item => item === search.groupBy) ?? 'day'
  const set = (changed: Partial<Range & { groupBy: Grouping }>) =>
    void navigate({ to: '/reports', search: { ...range, groupBy, ...changed }, replace: true })
  return (
    <Page title={t.reports} label={t.reports}>
      <WaitingNow />
      <h2 className={styles.heading}>{texts().inRange}</h2>
      {isOwn && <p>{texts().ownFigures}</p>}
      <div className={styles.controls}>
        <TextField
          label={texts().from}
          type="date"
          value={range.from}
          onChange={event => set({ from: event.target.value })}
        />
        <TextField
          label={texts().to}
          type="date"
          value={range.to}
          onChange={event => set({ to: event.target.value })}
        />
        <Select
          label={texts().groupBy}
          value={groupBy}
          onChange={event => set({ groupBy: event.target.value as Grouping })}
        >
          {offered.map(item => (
            <option key={item} value={item}>
              {texts().groupings[item]}
            </option>
          ))}
        </Select>
        {presets.map(days => {
          const { from, to } = lastDays(days, zone)
          const isChosen = range.from === from && range.to === to
          return (
            <Button key={days} aria-pressed={isChosen} onClick={() => set({ from, to })}>
              {texts().lastDays(days)}
            </Button>
          )
        })}
      </div>
      <p className={styles.small}>{texts().zone(zone)}</p>
      {isValid(range) ? (
        <>
          <Report range={range} groupBy={groupBy} zone={zone} isOwn={isOwn} />
          <Satisfaction range={range} groupBy={groupBy} zone={zone} />
        </>
      ) : (
        <p className={styles.error} role="alert">
          {texts().tooLong}
        </p>
      )}
    </Page>
  )
}

interface ReportProps {
  range: Range
  groupBy: Grouping
  zone: string
  isOwn: boolean
}

function Report({ range, groupBy, zone, isOwn }: ReportProps) {
  const query = {
    from: toInstant(range.from, zone),
    to: toInstant(addDays(range.to, 1), zone),
    groupBy,
  }
  const { data, error, reload } = useResource(
    JSON.stringify(query),
    () => call(api.GET('/reports/overview', { params: { query } })),
    { isAffected: isReportFrame, minGapMs: 3_000 },
  )
  if (!data) return error === undefined ? <Loading rows={4} /> : <Failure error={error} onRetry={reload} />
  const { totals } = data
  const isEmpty = listCounts(isOwn).every(id => totals[id] === 0)
  const groups = nameGroups<Figures>(data.groups, nothing, { groupBy, range })
  const label = texts().groupings[groupBy]
  const save = () => download(`report-${range.from}-${range.to}.csv`, toReportCsv(data, groups, label))
  return (
    <>
      <Totals totals={totals} isOwn={isOwn} />
      {isEmpty ? (
        <Empty title={texts().nothing} />
      ) : (
        <>
          <div>
            <Button onClick={save}>{texts().downloadCsv}</Button>
          </div>
          <Plots groups={groups} kind={toKind(groupBy)} label={label} isOwn={isOwn || groupBy === 'user'} />
          <HeatMap range={range} zone={zone} isOwn={isOwn} />
        </>
      )}
    </>
  )
}

const noDurations = { count: 0, averageSeconds: null, medianSeconds: null }
const nothing: Figures = {
  opened: 0,
  reopened: 0,
  closed: 0,
  replies: 0,
  firstReply: noDurations,
  waiting: noDurations,
  resolution: noDurations,
}

const durationParts = ['count', 'averageSeconds', 'medianSeconds'] as const

function toReportCsv({ totals }: Overview, groups: readonly Group[], label: string): string {
  const counts = listCounts(false)
  const head = durationIds.flatMap(id => durationParts.map(part => `${id}.${part}`))
  const toRow = (name: string, figures: Figures) => [
    name,
    ...counts.map(id => figures[id]),
    ...durationIds.flatMap(id => durationParts.map(part => figures[id][part])),
  ]
  return toCsv([
    [label, ...counts, ...head],
    ...groups.map(group => toRow(group.nameInFile, group)),
    toRow(texts().totals, totals),
  ])
}

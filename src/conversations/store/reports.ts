/** Facts about conversations, and the counters that a cron adds them to. */

import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { and, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Viewer } from '../access.ts'
import type { ConversationFilter } from '../lists/schemas.ts'
import { type Grouping, waitingRanges } from '../reports/schemas.ts'
import { buildConditions } from './lists/conditions.ts'

/** Adds at most `limit` facts to the counters. Returns their number. */
export async function foldFacts(tx: Tx, limit: number): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    with folded as (
      delete from conversation_facts where ctid = any (array(
        select ctid from conversation_facts where ${notMoving('conversation_facts.tenant_id')} limit ${limit} for update skip locked))
      returning *
    ), summed as (
      select ${factColumns}, count(*)::int as count, coalesce(sum(seconds), 0) as seconds
      from folded group by 1, 2, 3, 4, 5, 6, 7
    ), added as (
      insert into conversation_counts as c
        (tenant_id, hour, type, inbox_id, team_id, user_id, bucket, count, seconds)
      select * from summed order by 1, 2, 3, 4, 5, 6, 7
      on conflict (tenant_id, hour, type, inbox_id, team_id, user_id, bucket) do update
        set count = c.count + excluded.count, seconds = c.seconds + excluded.seconds
    )
    select count(*)::int as n from folded`)
  return n
}

const factColumns =
  raw(`tenant_id, date_trunc('hour', at, 'UTC') as hour, type, inbox_id, coalesce(team_id, '') as team_id,
  coalesce(user_id, '') as user_id, floor(log(2, coalesce(seconds, 0) + 1))::smallint as bucket`)

const groupColumns: Record<Grouping, (timezone: string) => Sql> = {
  day: timezone => sql`to_char(c.hour at time zone ${timezone}, 'YYYY-MM-DD')`,
  hourOfDay: timezone => sql`extract(hour from c.hour at time zone ${timezone})::int::text`,
  hourOfWeek: timezone =>
    sql`to_char(c.hour at time zone ${timezone}, 'ID-') || extract(hour from c.hour at time zone ${timezone})::int`,
  inbox: () => raw('c.inbox_id'),
  team: () => raw('c.team_id'),
  user: () => raw('c.user_id'),
}

export const workTypes = ['opened', 'reopened', 'closed', 'first_reply', 'reply'] as const
type Rating = 1 | 2 | 3 | 4 | 5
/** A rating that the customer replaced by another is both rated and unrated. */
type SurveyType = 'surveyed' | `rated_${Rating}` | `unrated_${Rating}`
type FactType = (typeof workTypes)[number] | SurveyType

const ratings: readonly Rating[] = [1, 2, 3, 4, 5]
export const surveyTypes: readonly SurveyType[] = [
  'surveyed',
  ...ratings.flatMap(rating => [`rated_${rating}`, `unrated_${rating}`] as const),
]

export interface Counts {
  key: string
  type: FactType
  bucket: number
  count: number
  seconds: number
}

export interface CountFilter {
  types: readonly FactType[]
  from: string
  to: string
  inboxId?: string | undefined
  teamId?: string | undefined
  /** Each must be the user. */
  userIds: readonly string[]
}

/** Returns the counts of a time range by group, with the facts that are not in the counters yet. */
export function listCounts(
  db: Queryable,
  tenantId: string,
  filter: CountFilter,
  { groupBy, timezone }: { groupBy: Grouping; timezone: string },
): Promise<Counts[]> {
  const { types, from, to, inboxId, teamId, userIds } = filter
  const conditions = [
    sql`c.tenant_id = ${tenantId} and c.hour >= ${from}::timestamptz and c.hour < ${to}::timestamptz`,
    sql`c.type = any(${types})`,
    ...(inboxId === undefined ? [] : [sql`c.inbox_id = ${inboxId}`]),
    ...(teamId === undefined ? [] : [sql`c.team_id = ${teamId}`]),
    ...userIds.map(id => sql`c.user_id = ${id}`),
  ]
  return db.rows<Counts>(sql`
    select ${groupColumns[groupBy](timezone)} as key, c.type, c.bucket, sum(c.count)::int as count,
      sum(c.seconds)::float8 as seconds
    from (
      select tenant_id, hour, type, inbox_id, team_id, user_id, bucket, count, seconds from conversation_counts
      union all
      select ${factColumns}, 1 as count, coalesce(seconds, 0) as seconds from conversation_facts
    ) c where ${and(conditions)} group by 1, 2, 3 order by 1, 2, 3`)
}

export interface WaitingCount {
  isFirst: boolean
  /** The number of the range, from 1. */
  range: number
  count: number
  seconds: number
  max: number
}

/** Counts the open conversations that wait for a person, and not for the end of a snooze, of those that the viewer can see. */
export function countWaiting(
  db: Db,
  viewer: Viewer,
  filter: Pick<ConversationFilter, 'inboxId' | 'teamId'>,
): Promise<WaitingCount[]> {
  const { onState } = buildConditions(viewer, { ...filter, status: ['open'], snoozed: false, waiting: true })
  return db.search<WaitingCount>(
    viewer.tenantId,
    sql`
    select w."isFirst", width_bucket(w.seconds, ${waitingRanges}::float8[]) as range, count(*)::int as count,
      sum(w.seconds)::float8 as seconds, max(w.seconds)::float8 as max
    from (
      select coalesce(s.last_reply_at < s.opened_at, true) as "isFirst",
        greatest(0, extract(epoch from ${db.clock.now().toISOString()}::timestamptz - s.waiting_since))::float8 as seconds
      from conversation_states s where ${and([sql`s.tenant_id = ${viewer.tenantId}`, ...onState])}
    ) w group by 1, 2`,
  )
}

/**
 * Chooses the index ranges from which a list is read, in its order, until the page is full. The choice depends on the filter
 * only: a plan by estimates would be wrong on a table that was just filled, and walk the whole list for a rare value.
 */
import { and, inlineLimit, join, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { Viewer } from '../../access.ts'
import type { ConversationFilter, Sort } from '../../lists/schemas.ts'
import type { Priority } from '../../schemas.ts'
import { toPriorityRank } from '../conversations/conversations.ts'
import { buildConditions, mentionsViewer, toOwnerId, toTeamIds } from './conditions.ts'

export interface ListQuery {
  viewer: Viewer
  filter: ConversationFilter
  /** Only these conversations. */
  ids?: readonly string[]
}

/** Rows of one index that are sorted by the last message. */
interface Range {
  /** `l` is the label of `s`. */
  byLabel?: boolean
  /** The conversations with notes that mention the viewer, which are few: collected and sorted. */
  byMention?: boolean
  /** One range for each inbox of these channels; `i` is the inbox. */
  channels?: readonly string[]
  where: Sql
}

export interface Bounds {
  direction: Sort['direction']
  limit: number
  /** Value and id of the last row of the page before. */
  after?: readonly unknown[] | undefined
}

/**
 * Builds `select id, value` of the first matches by last message, unordered and with duplicates when several labels match.
 * Undefined when no index has the order of the list for this filter.
 */
export function selectByLastMessage(query: ListQuery, bounds: Bounds): Sql | undefined {
  const ranges = chooseRanges(query)
  if (!ranges) return undefined
  const matches = selectFromRanges(query, ranges, bounds)
  const ofOwner = chooseOwnerOfLabel(query)
  if (!ofOwner) return matches
  const areFew = labelsHaveFew(query)
  return sql`
    select id, value from (${matches}) of_label where ${areFew} union all
    select id, value from (${selectFromRanges(query, ofOwner, bounds)}) of_owner where not ${areFew}`
}

/** Up to this many conversations of a label are looked up one by one; those of an owner are read in a row. */
const fewOfLabel = 2_000

const labelsHaveFew = ({ viewer, filter }: ListQuery): Sql => sql`(
  select count(*) from (
    select from conversation_labels l where l.tenant_id = ${viewer.tenantId} and l.label_id = any(${filter.labelIds})
      and l.status = any(${toStatuses(filter)}) limit ${inlineLimit(fewOfLabel + 1)}) f) <= ${inlineLimit(fewOfLabel)}`

/** The ranges of the owner, if the filter has an owner besides labels. */
function chooseOwnerOfLabel({ viewer, filter }: ListQuery): Range[] | undefined {
  const { labelIds, ownerId } = filter
  if (!labelIds || ownerId === undefined || toOwnerId(viewer, ownerId) === null) return undefined
  return chooseNarrowRanges({ viewer, filter: { ...filter, labelIds: undefined } })
}

function selectFromRanges(query: ListQuery, ranges: readonly Range[], bounds: Bounds): Sql {
  const { onState, onConversation } = buildConditions(query.viewer, query.filter)
  const conditions = [...onState, ...onConversation]
  const isJoined = onConversation.length > 0
  if (ranges.length === 0) return raw('select null as id, null::timestamptz as value where false')
  const selects = ranges.map(range => {
    const select = selectRange(query.viewer, range, bounds, { conditions, isJoined })
    return range.channels ? forEachInbox(query.viewer, range.channels, select) : select
  })
  return join(selects, ' union all ')
}

/**
 * Builds `select id, value` of the first matches by the time since when the customer waits. The conditions are checked after the rows were read in order:
 * among the waiting conversations no other index is better.
 */
export function selectByWaiting(query: ListQuery, { direction, limit, after }: Bounds): Sql {
  const { viewer, filter, ids } = query
  const { onState, onConversation } = buildConditions(viewer, filter)
  const order = raw(direction)
  const beyond = raw(direction === 'desc' ? '<' : '>')
  const bound = after
    ? sql`(w.waiting_since, w.conversation_id) ${beyond} (${after[0]}::timestamptz, ${after[1]}::text collate "C")`
    : raw('true')
  const conditions = [...onState, ...onConversation, ...(ids ? [sql`s.conversation_id = any(${ids})`] : [])]
  return sql`
    select s.conversation_id as id, s.waiting_since as value from (
      select * from conversation_states w
      where w.tenant_id = ${viewer.tenantId} and w.waiting_since is not null and ${bound}
      order by w.waiting_since ${order}, w.conversation_id ${order} offset 0) s
    ${onConversation.length > 0 ? conversationOfState : raw('')} where ${and(conditions)} limit ${inlineLimit(limit)}`
}

function forEachInbox({ tenantId }: Viewer, channels: readonly string[], select: Sql): Sql {
  return sql`(
    select b.id, b.value from inboxes i cross join lateral ${select} b
    where i.tenant_id = ${tenantId} and i.channel = any(${channels}))`
}

/** The lookups are laterals with `offset 0`: rows are read one by one in the order of the index, never hashed or sorted. */
const stateOfLabel = raw(`cross join lateral (
  select * from conversation_states t where t.tenant_id = l.tenant_id and t.conversation_id = l.conversation_id offset 0) s`)
export const conversationOfState = raw(`cross join lateral (
  select * from conversations t where t.tenant_id = s.tenant_id and t.id = s.conversation_id offset 0) c`)

function selectRange(
  viewer: Viewer,
  { byLabel, byMention, where }: Range,
  { direction, limit, after }: Bounds,
  { conditions, isJoined }: { conditions: Sql[]; isJoined: boolean },
): Sql {
  const row = raw(byLabel ? 'l' : 's')
  const order = raw(direction)
  const beyond = raw(direction === 'desc' ? '<' : '>')
  const source = byLabel
    ? sql`conversation_labels l ${stateOfLabel}`
    : byMention
      ? sql`${selectMentions(viewer)} l ${stateOfLabel}`
      : raw('conversation_states s')
  const all = [
    sql`${row}.tenant_id = ${viewer.tenantId}`,
    where,
    ...conditions,
    ...(after
      ? [
          sql`(${row}.last_message_at, ${row}.conversation_id) ${beyond} (${after[0]}::timestamptz, ${after[1]}::text collate "C")`,
        ]
      : []),
  ]
  return sql`(
    select ${row}.conversation_id as id, ${row}.last_message_at as value
    from ${source} ${isJoined ? conversationOfState : raw('')} where ${and(all)}
    order by ${row}.last_message_at ${order}, ${row}.conversation_id ${order} limit ${inlineLimit(limit)})`
}

/** Builds the conversations that mention the viewer, each once. */
const selectMentions = (viewer: Viewer): Sql => sql`(
  select distinct n.tenant_id, n.conversation_id from conversation_notes n where ${mentionsViewer(viewer)} offset 0)`

/** Whether an index has few rows for the filter, so that collecting and sorting them is best. */
export const isNarrow = (query: ListQuery): boolean => chooseNarrowRanges(query) !== undefined

/** Builds the rows of the ranges as `s` and `c`, unordered; for a filter that is not narrow. */
export function selectOfWideRanges(query: ListQuery): Sql {
  const { tenantId } = query.viewer
  const selects = chooseWideRanges(query).map(({ channels, where }) =>
    channels
      ? sql`(select s.* from inboxes i cross join lateral (
          select * from conversation_states s where s.tenant_id = ${tenantId} and ${where} offset 0) s
        where i.tenant_id = ${tenantId} and i.channel = any(${channels}))`
      : sql`(select s.* from conversation_states s where s.tenant_id = ${tenantId} and ${where})`,
  )
  const none = raw('(select * from conversation_states where false)')
  return sql`(select * from (${selects.length > 0 ? join(selects, ' union all ') : none}) r offset 0) s ${conversationOfState}`
}

function chooseRanges(query: ListQuery): Range[] | undefined {
  const { filter, ids } = query
  const { contactId, search, createdAfter, createdBefore, updatedAfter, updatedBefore } = filter
  if (ids || contactId !== undefined || search !== undefined) return undefined
  const narrow = chooseNarrowRanges(query)
  if (narrow) return narrow
  if (createdAfter ?? createdBefore ?? updatedAfter ?? updatedBefore) return undefined
  return chooseWideRanges(query)
}

/** Ranges that usually have few rows, the most selective first. */
function chooseNarrowRanges({ viewer, filter }: ListQuery): Range[] | undefined {
  const { labelIds, ownerId, priority, mentioned } = filter
  const ofStatus = (where: Sql) => byStatus(filter, where)
  if (labelIds)
    return [...new Set(labelIds)].flatMap(id =>
      toStatuses(filter).map(status => ({
        byLabel: true,
        where: sql`l.label_id = ${id} and l.status = ${status}`,
      })),
    )
  const owner = ownerId === undefined ? null : toOwnerId(viewer, ownerId)
  if (owner !== null) return ofStatus(sql`s.owner_id = ${owner}`)
  if (mentioned) return ofStatus(raw('true')).map(range => ({ ...range, byMention: true }))
  if (filter.snoozed) return [{ where: raw('s.snoozed') }]
  if (priority && !priority.includes('none'))
    return [...new Set(priority)].flatMap(name =>
      ofStatus(sql`s.priority = ${toPriorityRank(name as Priority)}::smallint`),
    )
  if (filter.waiting) return [{ where: raw('s.waiting_since is not null') }]
  if (filter.unread) return [{ where: raw(`s.status = 'open' and s.customer_count > 0`) }]
  return undefined
}

function chooseWideRanges(query: ListQuery): Range[] {
  // The expression of the index.
  return (
    chooseRangesByPlace(query) ??
    toStatuses(query.filter).map(status => ({ where: sql`(s.status || '') = ${status}` }))
  )
}

/** Whether the wide ranges are all conversations. */
export const readsAll = (query: ListQuery): boolean =>
  toStatuses(query.filter).length === 2 && !chooseRangesByPlace(query)

/** Ranges of a team, an inbox or a channel, or of what has no owner. */
function chooseRangesByPlace({ viewer, filter }: ListQuery): Range[] | undefined {
  const { teamId, ownerId, ownerType, inboxId, channel } = filter
  const teamIds = teamId === undefined ? null : toTeamIds(viewer, teamId)
  if (teamIds) return teamIds.flatMap(id => byStatus(filter, sql`s.team_id = ${id}`))
  const isUnassigned = ownerId === undefined ? ownerType?.join() === 'none' : !toOwnerId(viewer, ownerId)
  if (isUnassigned) return byStatus(filter, raw('s.owner_id is null'))
  if (inboxId !== undefined) return byStatus(filter, sql`s.inbox_id = ${inboxId}`)
  if (channel)
    return byStatus(filter, raw('s.inbox_id = i.id')).map(range => ({ ...range, channels: channel }))
  return undefined
}

export const toStatuses = ({ status }: ConversationFilter) => [...new Set(status ?? ['open', 'closed'])]

const byStatus = (filter: ConversationFilter, where: Sql): Range[] =>
  toStatuses(filter).map(status => ({ where: sql`${where} and s.status = ${status}` }))

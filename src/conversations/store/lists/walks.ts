/**
 * Reads lists for which no index has both the filter and the order: in the order of the list until the page is full, or by
 * the index of the filter. Like the ranges, the choice does not depend on statistics.
 */
import { and, inlineLimit, join, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { ConversationFilter, Sort, SortField } from '../../lists/schemas.ts'
import { buildConditions, buildConversationConditions } from './conditions.ts'
import {
  type Bounds,
  conversationOfState,
  isNarrow,
  type ListQuery,
  readsAll,
  selectOfWideRanges,
  toStatuses,
} from './ranges.ts'

/** Rows of the list that are read for each result before the index of the filter. */
const walkedPerResult = 20

const stateOfConversation = raw(`cross join lateral (
  select * from conversation_states t where t.tenant_id = c.tenant_id and t.conversation_id = c.id offset 0) s`)

interface Walk {
  /** The table as `t`, with the column and the id of the order. */
  table: Sql
  column: Sql
  id: Sql
  cast: Sql
  /** Joins the other table to the rows, which are `alias`. */
  alias: Sql
  rows: (select: Sql) => Sql
}

const walks: Partial<Record<SortField, Walk>> = {
  lastMessageAt: ofStates('last_message_at'),
  updatedAt: ofStates('updated_at'),
  createdAt: ofConversations('created_at', '::timestamptz'),
  name: ofConversations('search', '::text collate "C"'),
}

function ofStates(column: string): Walk {
  return {
    table: raw('conversation_states t'),
    column: raw(`t.${column}`),
    id: raw('t.conversation_id'),
    cast: raw('::timestamptz'),
    alias: raw('s'),
    rows: select => sql`(${select}) s ${conversationOfState}`,
  }
}

function ofConversations(column: string, cast: string): Walk {
  return {
    table: raw('conversations t'),
    column: raw(`t.${column}`),
    id: raw('t.id'),
    cast: raw(cast),
    alias: raw('c'),
    rows: select => sql`(${select}) c ${stateOfConversation}`,
  }
}

/** Builds the first rows of the list, with their value: `walkedPerResult` for each result. */
function selectWalked({ viewer, filter }: ListQuery, field: SortField, bounds: Bounds): Sql {
  const { table, column, id, cast } = walks[field]!
  const { direction, limit, after } = bounds
  const order = raw(direction)
  const beyond = raw(direction === 'desc' ? '<' : '>')
  const bound = after
    ? sql`(${column}, ${id}) ${beyond} (${after[0]}${cast}, ${after[1]}::text collate "C")`
    : raw('true')
  const firstOf = (part: Sql) => sql`
    select *, ${column} as value from ${table}
    where t.tenant_id = ${viewer.tenantId} and ${part} and ${bound} and ${and(boundsOf(filter, field))}
    order by ${column} ${order}, ${id} ${order} limit ${inlineLimit(walkedPerResult * limit)}`
  if (field !== 'lastMessageAt') return firstOf(raw('true'))
  // The index by the last message begins with the status.
  const parts = toStatuses(filter).map(status => sql`(${firstOf(sql`(t.status || '') = ${status}`)})`)
  return sql`
    select * from (${join(parts, ' union all ')}) t
    order by ${column} ${order}, ${id} ${order} limit ${inlineLimit(walkedPerResult * limit)}`
}

/** The limits of the filter on the column of the order, so that the walk begins and ends at them. */
function boundsOf(filter: ConversationFilter, field: SortField): Sql[] {
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = filter
  const limits = (from: string | undefined, to: string | undefined, column: string) => [
    ...(from === undefined ? [] : [sql`${raw(column)} >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${raw(column)} < ${to}::timestamptz`]),
  ]
  const found =
    field === 'createdAt'
      ? limits(createdAfter, createdBefore, 't.created_at')
      : field === 'updatedAt'
        ? limits(updatedAfter, updatedBefore, 't.updated_at')
        : []
  return found.length > 0 ? found : [raw('true')]
}

function toConditions({ viewer, filter }: ListQuery): Sql[] {
  const { onState, onConversation } = buildConditions(viewer, filter)
  return [...onState, ...onConversation, raw('true')]
}

const hasIndexedText = ({ search, createdAfter, createdBefore }: ConversationFilter) =>
  (search ?? createdAfter ?? createdBefore) !== undefined

const hasUpdates = ({ updatedAfter, updatedBefore }: ConversationFilter) =>
  (updatedAfter ?? updatedBefore) !== undefined

/** Builds the rows of the conversations with this text or time of creation, by their index; `c` and `s`. */
function selectCollected({ viewer, filter }: ListQuery): Sql {
  const conditions = buildConversationConditions(filter, 't')
  return sql`(
    select * from conversations t where t.tenant_id = ${viewer.tenantId} and ${and(conditions)} offset 0) c
    ${stateOfConversation}`
}

/** Up to this many rows, an index of updates is better than those of teams, inboxes and statuses. */
const fewUpdates = 10_000

/** Builds the rows of the conversations that were updated in the time of the filter, by their index; `c` and `s`. */
function selectUpdated({ viewer, filter }: ListQuery): { rows: Sql; areFew: Sql } {
  const states = sql`conversation_states t where t.tenant_id = ${viewer.tenantId} and ${and(boundsOf(filter, 'updatedAt'))}`
  return {
    rows: sql`(select * from ${states} offset 0) s ${conversationOfState}`,
    areFew: sql`(select count(*) from (select from ${states} limit ${inlineLimit(fewUpdates + 1)}) u) <= ${inlineLimit(fewUpdates)}`,
  }
}

/** Builds all conversations, which are read in the order of the list until the page is full; `c` and `s`. */
const selectAll = ({ viewer }: ListQuery): Sql => sql`(
  select * from conversations t where t.tenant_id = ${viewer.tenantId}) c ${stateOfConversation}`

/** Where all matches are read when the walk does not fill the page: the first source whose condition holds. */
function chooseSources(query: ListQuery, field: SortField): { rows: Sql; when: Sql }[] {
  const { filter } = query
  const always = raw('true')
  if (hasIndexedText(filter)) return [{ rows: selectCollected(query), when: always }]
  const ofRanges = selectOfWideRanges(query)
  if (field === 'updatedAt' || !hasUpdates(filter)) return [{ rows: ofRanges, when: always }]
  const { rows, areFew } = selectUpdated(query)
  const isOrdered = field === 'name' || field === 'createdAt'
  return [
    { rows, when: areFew },
    { rows: isOrdered && readsAll(query) ? selectAll(query) : ofRanges, when: sql`not ${areFew}` },
  ]
}

/** Builds `select id` of matches by text or time of creation, unordered; undefined if the filter has neither. */
export function selectCollectedIds(query: ListQuery): Sql | undefined {
  const { filter, ids } = query
  if (ids || filter.contactId !== undefined || !hasIndexedText(filter) || isNarrow(query)) return undefined
  return sql`select c.id from ${selectCollected(query)} where ${and(toConditions(query))}`
}

const valueColumns: Partial<Record<SortField, Sql>> = {
  lastMessageAt: raw('s.last_message_at'),
  updatedAt: raw('s.updated_at'),
  createdAt: raw('c.created_at'),
  name: raw('c.search'),
}

/**
 * Builds `select id, value` of the first matches, unordered. A filter may match almost all or almost no conversation: its
 * index is read only if the first rows of the list do not fill the page and are not all. Undefined if the planner should choose.
 */
export function selectByWalk(
  query: ListQuery,
  { field }: Pick<Sort, 'field'>,
  bounds: Bounds,
): Sql | undefined {
  const { filter, ids } = query
  const value = valueColumns[field]
  if (ids || filter.contactId !== undefined || !value || isNarrow(query)) return undefined
  if (field === 'lastMessageAt' && !hasIndexedText(filter) && !hasUpdates(filter)) return undefined
  const { direction, limit, after } = bounds
  const order = raw(direction)
  const beyond = raw(direction === 'desc' ? '<' : '>')
  const bound = after
    ? sql`(${value}, c.id) ${beyond} (${after[0]}${walks[field]!.cast}, ${after[1]}::text collate "C")`
    : raw('true')
  const { rows, alias } = walks[field]!
  return sql`
    with walked as materialized (${selectWalked(query, field, bounds)}),
    first as materialized (
      select c.id, ${alias}.value from ${rows(raw('select * from walked'))}
      where ${and(toConditions(query))} limit ${inlineLimit(limit)}
    )
    select id, value from first
    ${join(
      chooseSources(query, field).map(
        source => sql`
    union all
    select id, value from (
      select c.id, ${value} as value from ${source.rows}
      where ${and([...toConditions(query), bound])}
      order by ${value} ${order}, c.id ${order} limit ${inlineLimit(limit)}) collected
    where case when (select count(*) from first) < ${inlineLimit(limit)}
      then (select count(*) from walked) = ${inlineLimit(walkedPerResult * limit)} and ${source.when} else false end`,
      ),
      ' ',
    )}`
}

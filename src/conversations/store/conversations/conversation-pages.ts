/** Lists conversations, a page at a time, and counts them. */
import type { Db, Tx } from '../../../platform/db/db.ts'
import { and, inlineLimit, join, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { SortKey } from '../../../platform/http/page.ts'
import type { Sort } from '../../lists/schemas.ts'
import { buildConditions } from '../lists/conditions.ts'
import { type ListQuery, selectByLastMessage, selectByWaiting } from '../lists/ranges.ts'
import { selectByWalk, selectCollectedIds } from '../lists/walks.ts'
import { conversationTables, type ListedRow, listedColumns } from './conversation-rows.ts'

const sortColumns = {
  lastMessageAt: raw('s.last_message_at'),
  waitingSince: raw('s.waiting_since'),
  createdAt: raw('c.created_at'),
  updatedAt: raw('s.updated_at'),
  name: raw('c.search'),
}

export interface ListedConversation extends ListedRow {
  sortValue: string
}

export interface ListPage {
  limit: number
  after?: SortKey | undefined
}

/** Returns one row more than the page has, if there is a next page. */
export function listConversations(
  db: Db,
  query: ListQuery,
  sort: Sort,
  page: ListPage,
): Promise<ListedConversation[]> {
  const { viewer, filter, ids } = query
  const statement = selectFromRanges(query, sort, page) ?? selectSorted(query, sort, page)
  // Filters are planned for their values; without a filter one prepared plan is best.
  if (!ids && Object.keys(filter).length === 0 && sort.field !== 'waitingSince') return db.rows(statement)
  return db.search(viewer.tenantId, statement)
}

/** Reads the ids of the page in its order from an index, then the rows of these ids; undefined without such an index. */
function selectFromRanges(query: ListQuery, { field, direction }: Sort, page: ListPage): Sql | undefined {
  const { limit, after } = page
  const bounds = { direction, limit: limit + 1, after }
  const matches =
    field === 'waitingSince'
      ? selectByWaiting(query, bounds)
      : ((field === 'lastMessageAt' ? selectByLastMessage(query, bounds) : undefined) ??
        selectByWalk(query, { field }, bounds))
  if (!matches) return undefined
  const order = raw(direction)
  return sql`
    with page as materialized (
      select distinct value, id from (${matches}) found order by value ${order}, id ${order} limit ${inlineLimit(limit + 1)}
    )
    select ${listedColumns}, page.value as "sortValue" from page cross join lateral (
      select * from conversations t where t.tenant_id = ${query.viewer.tenantId} and t.id = page.id offset 0) c
    join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
    left join contacts k on k.tenant_id = c.tenant_id and k.id = c.contact_id
    order by page.value ${order}, page.id ${order}`
}

/** Leaves the choice of the index to the planner. */
function selectSorted(query: ListQuery, { field, direction }: Sort, { limit, after }: ListPage): Sql {
  const column = sortColumns[field]
  const cast = raw(field === 'name' ? '::text collate "C"' : '::timestamptz')
  const before = raw(direction === 'desc' ? '<' : '>')
  const order = raw(direction)
  const where = [
    ...buildWhere(query),
    ...(after ? [sql`(${column}, c.id) ${before} (${after[0]}${cast}, ${after[1]}::text collate "C")`] : []),
  ]
  return sql`
    select ${listedColumns}, ${column} as "sortValue" from ${conversationTables}
    where ${and(where)} order by ${column} ${order}, c.id ${order} limit ${inlineLimit(limit + 1)}`
}

function buildWhere({ viewer, filter, ids }: ListQuery): Sql[] {
  const { onState, onConversation } = buildConditions(viewer, filter)
  return [
    sql`c.tenant_id = ${viewer.tenantId}`,
    ...onState,
    ...onConversation,
    ...(ids ? [sql`c.id = any(${ids})`] : []),
  ]
}

/** Builds `select id` of up to `max` matches. */
export function selectMatchingIds(query: ListQuery, max: number): Sql {
  const ranges = selectByLastMessage(query, { direction: 'desc', limit: max })
  if (ranges) return sql`select distinct id from (${ranges}) found limit ${inlineLimit(max)}`
  const collected = selectCollectedIds(query)
  if (collected) return sql`${collected} limit ${inlineLimit(max)}`
  return sql`
    select c.id from ${conversationTables} where ${and(buildWhere(query))} limit ${inlineLimit(max)}`
}

/** Counts the matches of each filter, up to `max`. */
export async function countConversations(
  db: Db,
  queries: readonly ListQuery[],
  max: number,
): Promise<number[]> {
  const counts = queries.map(query => sql`(select count(*) from (${selectMatchingIds(query, max)}) counted)`)
  const [row] = await db.search<{ counts: number[] }>(
    queries[0]!.viewer.tenantId,
    sql`select array[${join(counts)}]::int[] as counts`,
  )
  return row!.counts
}

interface IdleConversation {
  conversationId: string
  contactId: string
  /** Time of the last message that no journey, bot or campaign sent. */
  lastMessageAt: string
  /** When the current session was opened. */
  openedAt: string
}

/** Lists open conversations by the time of the last message of a person. */
export function listIdleConversations(
  tx: Tx,
  tenantId: string,
  span: { after: string; afterId: string; until: string },
  limit: number,
): Promise<IdleConversation[]> {
  return tx.rows<IdleConversation>(sql`
    select s.conversation_id as "conversationId", c.contact_id as "contactId", s.last_person_at as "lastMessageAt",
      n.opened_at as "openedAt"
    from conversation_states s join conversations c on c.tenant_id = s.tenant_id and c.id = s.conversation_id
    join conversation_sessions n on n.tenant_id = s.tenant_id and n.id = s.session_id
    where s.tenant_id = ${tenantId} and s.status = 'open' and s.last_person_at <= ${span.until}
      and (s.last_person_at, s.conversation_id) > (${span.after}::timestamptz, ${span.afterId}::text)
    order by s.last_person_at, s.conversation_id limit ${limit}`)
}

/** Statements that find contacts. `contact-search.ts` decides which of them run, and in what order. */
import type { Db } from '../../platform/db/db.ts'
import { and, inlineLimit, join, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { ConditionSql } from '../filter/condition.ts'
import {
  activity,
  afterCursor,
  type Cursor,
  inIdRange,
  opposite,
  orderBy,
  type Sort,
  sortOrders,
} from './sort-order.ts'

export interface SearchQuery {
  tenantId: string
  conjuncts: readonly ConditionSql[]
  sort: Sort
}

export interface Scan {
  /** Number of rows read; fewer than requested means that there are no more. */
  scanned: number
  last: Cursor | undefined
  found: Cursor[]
}

interface ScanRow {
  scanned: number
  last: string[] | null
  values: string[]
  ids: string[]
}

/** Reads the next `size` contacts in the order of the list and checks them. */
export function scanList(db: Db, query: SearchQuery, after: Cursor | undefined, size: number): Promise<Scan> {
  const { tenantId, conjuncts, sort } = query
  const { column, table: of } = sortOrders[sort.field]
  if (of === 'contact_activity') {
    const source = sql`
      (select * from contact_activity a where a.tenant_id = ${tenantId} and ${afterCursor(sort, after)}
        order by ${orderBy(sort)} limit ${size}) a
      join contacts c on c.tenant_id = a.tenant_id and c.id = a.contact_id`
    return scan(db, query, source, column)
  }
  const predicates = listIndexPredicates(query)
  const source = sql`
    (select * from contacts c where c.tenant_id = ${tenantId} and c.deleted_at is null and ${and(predicates)}
      and ${inIdRange(conjuncts, raw('c.id'))} and ${afterCursor(sort, after)}
      order by ${orderBy(sort)} limit ${size}) c ${activity}`
  return scan(db, query, source, column)
}

function listIndexPredicates({ conjuncts, sort }: SearchQuery): Sql[] {
  return sort.field === 'createdAt' ? conjuncts.flatMap(conjunct => conjunct.indexPredicate ?? []) : []
}

/** A list without filters reads a range of an index, whatever its values are: it needs no search and can be prepared. */
export function isPlainList(query: SearchQuery): boolean {
  return query.sort.field === 'createdAt' && listIndexPredicates(query).length === query.conjuncts.length
}

/** Selects the next contacts of a plain list. */
export function selectPlainList(query: SearchQuery, after: Cursor | undefined, limit: number): Sql {
  const { tenantId, sort } = query
  return sql`
    select * from contacts c where c.tenant_id = ${tenantId} and c.deleted_at is null and ${and(listIndexPredicates(query))}
      and ${afterCursor(sort, after)}
    order by ${orderBy(sort)} limit ${inlineLimit(limit)}`
}

/** Reads the next `size` contacts of these selects of ids and checks them, for lists by createdAt. Fast for sorted ids. */
export function scanIds(
  db: Db,
  query: SearchQuery,
  orderedIds: readonly Sql[],
  after: Cursor | undefined,
  size: number,
): Promise<Scan> {
  const { tenantId, conjuncts, sort } = query
  const rest = and([
    inIdRange(conjuncts, raw('l.contact_id')),
    ...(after ? [sql`l.contact_id ${raw(sort.direction === 'desc' ? '<' : '>')} ${after[1]}`] : []),
  ])
  const source = sql`
    (select l.contact_id from (${join(orderedIds, ' union all ')}) l where ${rest}
      order by l.contact_id ${raw(sort.direction)} limit ${size}) l
    join contacts c on c.tenant_id = ${tenantId} and c.id = l.contact_id ${activity}`
  return scan(db, query, source, raw('c.id'))
}

/** Returns one row in any case: the number of rows, the last cursor and the distinct matches. */
async function scan(
  db: Db,
  { tenantId, conjuncts, sort }: SearchQuery,
  source: Sql,
  column: Sql,
): Promise<Scan> {
  const order = sql`value ${raw(sort.direction)}, id ${raw(sort.direction)}`
  const statement = sql`
    with scanned as materialized (
      select ${column} as value, c.id, c.deleted_at is null and ${and(conjuncts.map(conjunct => conjunct.check))} as matches
      from ${source}
    ), found as (
      select distinct value, id from scanned where matches
    )
    select (select count(*)::int from scanned) as scanned,
      (select array[value::text, id] from scanned order by value ${raw(opposite(sort))}, id ${raw(opposite(sort))} limit 1)
        as last,
      coalesce(array_agg(value::text order by ${order}), '{}') as values,
      coalesce(array_agg(id order by ${order}), '{}') as ids
    from found`
  const [row] = await db.search<ScanRow>(tenantId, statement)
  const { scanned, last, values, ids } = row!
  return {
    scanned,
    last: last ? [last[0]!, last[1]!] : undefined,
    found: ids.map((id, i) => [values[i]!, id]),
  }
}

/** Rows that the text index returns are checked by their own columns where possible. */
export function collectWhere({ tenantId, conjuncts }: Pick<SearchQuery, 'tenantId' | 'conjuncts'>): Sql {
  const usesTextIndex = conjuncts.some(conjunct => conjunct.textPredicate)
  return and([
    sql`c.tenant_id = ${tenantId}`,
    raw('c.deleted_at is null'),
    ...conjuncts.map(({ check, contactOnly, collectCheck = check }) =>
      usesTextIndex && contactOnly ? check : collectCheck,
    ),
  ])
}

/**
 * Like `collectWhere`, but intersects the selects of ids of several conditions, the id range and the cursor before any
 * contact is read. The planner cannot foresee that an intersection of large sets is small.
 */
function collectWhereByIds(query: SearchQuery, after: Cursor | undefined): Sql {
  const { conjuncts, sort } = query
  const isRange = ({ fromId, toId }: ConditionSql) => fromId !== undefined || toId !== undefined
  const withIds = conjuncts.filter(conjunct => conjunct.ids && !conjunct.textPredicate && !isRange(conjunct))
  const hasRange = withIds.length > 0 && conjuncts.some(isRange)
  const isSingle = withIds.length + (hasRange ? 1 : 0) < 2
  if (isSingle && !withIds[0]?.activity)
    return and([collectWhere(query), ...(sort.field === 'createdAt' ? [afterCursor(sort, after)] : [])])
  const beyond = raw(sort.direction === 'desc' ? '<' : '>')
  const range = and([
    inIdRange(conjuncts, raw('listed.contact_id')),
    ...(after && sort.field === 'createdAt' ? [sql`listed.contact_id ${beyond} ${after[1]}`] : []),
  ])
  const selects = withIds.map(({ ids }) => sql`select contact_id from (${ids!}) listed where ${range}`)
  const others = conjuncts.filter(conjunct => !withIds.includes(conjunct))
  return and([sql`c.id in (${join(selects, ' intersect ')})`, collectWhere({ ...query, conjuncts: others })])
}

/** Collects all matches through the indexes of the conditions, sorts them and returns the next ones. */
export async function collectAll(
  db: Db,
  query: SearchQuery,
  after: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  const { tenantId, sort } = query
  const { column, type } = sortOrders[sort.field]
  const direction = raw(sort.direction)
  const beyond = raw(sort.direction === 'desc' ? '<' : '>')
  const isAfter = after
    ? sql`(found.value, found.id) ${beyond} (${after[0]}::${type}, ${after[1]}::text)`
    : raw('true')
  // `offset 0` keeps the planner from scanning the list in its order, which earlier strategies did already.
  const rows = await db.search<{ value: string; id: string }>(
    tenantId,
    sql`
    select value::text as value, id from (
      select ${column} as value, c.id from contacts c ${activity} where ${collectWhereByIds(query, after)} offset 0
    ) found where ${isAfter} order by found.value ${direction}, found.id ${direction} limit ${limit}`,
  )
  return rows.map(row => [row.value, row.id])
}

/** Builds the select of the text index for all conditions with a text predicate; empty without one. */
export function idsByText({ tenantId, conjuncts }: SearchQuery): Sql[] {
  const texts = conjuncts.flatMap(conjunct => conjunct.textPredicate ?? [])
  if (texts.length === 0) return []
  return [
    sql`select c.id as contact_id from contacts c
      where c.tenant_id = ${tenantId} and c.deleted_at is null and ${and(texts)}`,
  ]
}

/** Checks a few ids, which contain all matches and possibly duplicates, and returns the next matches. */
export async function pickMatches(
  db: Db,
  query: SearchQuery,
  ids: readonly string[],
  after: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  const { tenantId, conjuncts, sort } = query
  const direction = raw(sort.direction)
  const rows = await db.search<{ value: string; id: string }>(
    tenantId,
    sql`
    with few as materialized (select distinct contact_id from unnest(${ids}::text[]) as listed (contact_id)),
    found as materialized (
      select ${sortOrders[sort.field].column} as value, c.id
      from few cross join lateral (
        select * from contacts c where c.tenant_id = ${tenantId} and c.id = few.contact_id collate "C" offset 0) c ${activity}
      where c.deleted_at is null and ${and(conjuncts.map(conjunct => conjunct.check))} and ${afterCursor(sort, after)}
    )
    select value::text as value, id from found order by found.value ${direction}, id ${direction} limit ${limit}`,
  )
  return rows.map(row => [row.value, row.id])
}

/** Builds `select contact_id` of all matches, unordered, for statements that copy them to another table. */
export function selectMatches(query: Pick<SearchQuery, 'tenantId' | 'conjuncts'>): Sql {
  return sql`select c.id as contact_id from contacts c ${activity} where ${collectWhere(query)}`
}

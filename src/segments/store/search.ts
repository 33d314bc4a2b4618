/** Statements that find contacts. `contact-search.ts` decides which of them run, and in what order. */
import type { Db } from '../../platform/db/db.ts'
import { and, join, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { ConditionSql } from '../filter/condition.ts'

export type SortField = 'createdAt' | 'updatedAt' | 'name' | 'lastInteractionAt'

export interface Sort {
  field: SortField
  direction: 'asc' | 'desc'
}

export interface SearchQuery {
  tenantId: string
  conjuncts: readonly ConditionSql[]
  sort: Sort
}

/** The position of a contact in a list: its sort value as text, and its id. */
export type Cursor = readonly [value: string, id: string]

interface SortOrder {
  column: Sql
  type: Sql
  /** The table whose index has this order. */
  table: 'contacts' | 'contact_activity'
}

const sortOrders: Record<SortField, SortOrder> = {
  createdAt: { column: raw('c.id'), type: raw('text'), table: 'contacts' },
  name: { column: raw('c.sort_name'), type: raw('text'), table: 'contacts' },
  updatedAt: { column: raw('a.updated_at'), type: raw('timestamptz'), table: 'contact_activity' },
  lastInteractionAt: {
    column: raw('a.last_interaction_at'),
    type: raw('timestamptz'),
    table: 'contact_activity',
  },
}

const activity = raw('left join contact_activity a on a.tenant_id = c.tenant_id and a.contact_id = c.id')

function idColumn({ field }: Sort): Sql {
  return raw(sortOrders[field].table === 'contacts' ? 'c.id' : 'a.contact_id')
}

/** Selects the rows after a cursor, in the order of an index that ends in the id. */
function afterCursor(sort: Sort, after: Cursor | undefined): Sql {
  if (!after) return raw('true')
  const beyond = raw(sort.direction === 'desc' ? '<' : '>')
  const { column, type } = sortOrders[sort.field]
  if (sort.field === 'createdAt') return sql`c.id ${beyond} ${after[1]}`
  return sql`(${column}, ${idColumn(sort)}) ${beyond} (${after[0]}::${type}, ${after[1]}::text)`
}

function orderBy(sort: Sort): Sql {
  const direction = raw(sort.direction)
  if (sort.field === 'createdAt') return sql`c.id ${direction}`
  return sql`${sortOrders[sort.field].column} ${direction}, ${idColumn(sort)} ${direction}`
}

function inIdRange(conjuncts: readonly ConditionSql[], id: Sql): Sql {
  return and([
    ...conjuncts.flatMap(({ fromId }) => (fromId === undefined ? [] : [sql`${id} >= ${fromId}`])),
    ...conjuncts.flatMap(({ toId }) => (toId === undefined ? [] : [sql`${id} < ${toId}`])),
  ])
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
  const predicates =
    sort.field === 'createdAt' ? conjuncts.flatMap(conjunct => conjunct.indexPredicate ?? []) : []
  const source = sql`
    (select * from contacts c where c.tenant_id = ${tenantId} and c.deleted_at is null and ${and(predicates)}
      and ${inIdRange(conjuncts, raw('c.id'))} and ${afterCursor(sort, after)}
      order by ${orderBy(sort)} limit ${size}) c ${activity}`
  return scan(db, query, source, column)
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
  const [row] = await db.search<ScanRow>(
    tenantId,
    sql`
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
    from found`,
  )
  const { scanned, last, values, ids } = row!
  return {
    scanned,
    last: last ? [last[0]!, last[1]!] : undefined,
    found: ids.map((id, i) => [values[i]!, id]),
  }
}

function opposite({ direction }: Sort): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc'
}

/** Rows that the text index returns are checked by their own columns where possible. */
function collectWhere({ tenantId, conjuncts }: Pick<SearchQuery, 'tenantId' | 'conjuncts'>): Sql {
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

export async function countMatches(db: Db, query: SearchQuery): Promise<number> {
  const [row] = await db.search<{ n: number }>(
    query.tenantId,
    sql`select count(*) as n from contacts c ${activity} where ${collectWhere(query)}`,
  )
  return row!.n
}

/**
 * Counts the ids of each select, up to `max`. Materialized parts are planned as if all rows were needed, yet stop at the
 * limit; a plain limit would make the planner choose a plan for the first rows.
 */
export async function countUpTo(
  db: Db,
  tenantId: string,
  sets: readonly Sql[],
  max: number,
): Promise<number[]> {
  const parts = sets.map((set, i) => sql`${raw(`set${i}`)} as materialized (${set})`)
  const counts = sets.map(
    (_, i) => sql`(select count(*) from (select from ${raw(`set${i}`)} limit ${max}) counted)`,
  )
  const [row] = await db.search<{ counts: number[] }>(
    tenantId,
    sql`with ${join(parts)} select array[${join(counts)}]::int[] as counts`,
  )
  return row!.counts
}

/** Returns the ids of each select that has at most `max` of them, otherwise null. */
export async function listIfFew(
  db: Db,
  tenantId: string,
  sets: readonly Sql[],
  max: number,
): Promise<(string[] | null)[]> {
  const parts = sets.flatMap((set, i) => [
    sql`${raw(`set${i}`)} as materialized (${set})`,
    sql`${raw(`few${i}`)} as materialized (select contact_id from ${raw(`set${i}`)} limit ${max + 1})`,
  ])
  const lists = sets.map((_, i) => {
    const few = raw(`few${i}`)
    return sql`case when (select count(*) from ${few}) <= ${max}
      then coalesce((select json_agg(contact_id) from ${few}), '[]') end`
  })
  const [row] = await db.search<{ lists: (string[] | null)[] }>(
    tenantId,
    sql`with ${join(parts)} select json_build_array(${join(lists)}) as lists`,
  )
  return row!.lists
}

/** Returns the planner's estimate of the number of rows, without running the select. */
export async function expectedRows(db: Db, tenantId: string, set: Sql): Promise<number> {
  const [row] = await db.search<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    tenantId,
    sql`explain (format json) ${set}`,
  )
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}

export async function isBelow(db: Db, tenantId: string, set: Sql, limit: number): Promise<boolean> {
  const [row] = await db.search<{ n: number }>(
    tenantId,
    sql`select count(*) as n from (select from (${set}) s limit ${limit}) counted`,
  )
  return row!.n < limit
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

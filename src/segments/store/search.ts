/** The statements that find contacts; which of them are asked, and in what order, is decided in search.ts. */
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

/** Where a contact stands in a list: the value sorted by, as text, and its id. */
export type Cursor = readonly [value: string, id: string]

interface SortOrder {
  column: Sql
  type: Sql
  /** Whether the order is that of contacts or of contact_activity. */
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

/** The rows behind a place, in the order of an index that ends in the id. */
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
    ...conjuncts.flatMap(one => (one.fromId === undefined ? [] : [sql`${id} >= ${one.fromId}`])),
    ...conjuncts.flatMap(one => (one.toId === undefined ? [] : [sql`${id} < ${one.toId}`])),
  ])
}

export interface Scan {
  /** How many rows were looked at; fewer than asked for means that there are no more. */
  scanned: number
  last: Cursor | undefined
  found: Cursor[]
}

interface ScanRow {
  walked: number
  last: string[] | null
  values: string[]
  ids: string[]
}

/** Looks at the next `size` contacts in the order of the list. */
export function scanList(
  db: Db,
  question: SearchQuery,
  after: Cursor | undefined,
  size: number,
): Promise<Scan> {
  const { tenantId, conjuncts, sort } = question
  const { column, table: of } = sortOrders[sort.field]
  if (of === 'contact_activity') {
    const source = sql`
      (select * from contact_activity a where a.tenant_id = ${tenantId} and ${afterCursor(sort, after)}
        order by ${orderBy(sort)} limit ${size}) a
      join contacts c on c.tenant_id = a.tenant_id and c.id = a.contact_id`
    return scan(db, question, source, column)
  }
  const narrow = sort.field === 'createdAt' ? conjuncts.flatMap(one => one.indexPredicate ?? []) : []
  const source = sql`
    (select * from contacts c where c.tenant_id = ${tenantId} and c.deleted_at is null and ${and(narrow)}
      and ${inIdRange(conjuncts, raw('c.id'))} and ${afterCursor(sort, after)}
      order by ${orderBy(sort)} limit ${size}) c ${activity}`
  return scan(db, question, source, column)
}

/** Looks at the next `size` contacts of these selects of ids; for lists by createdAt. Quick if they are in order. */
export function scanIds(
  db: Db,
  question: SearchQuery,
  streams: readonly Sql[],
  after: Cursor | undefined,
  size: number,
): Promise<Scan> {
  const { tenantId, conjuncts, sort } = question
  const rest = and([
    inIdRange(conjuncts, raw('l.contact_id')),
    ...(after ? [sql`l.contact_id ${raw(sort.direction === 'desc' ? '<' : '>')} ${after[1]}`] : []),
  ])
  const source = sql`
    (select l.contact_id from (${join(streams, ' union all ')}) l where ${rest}
      order by l.contact_id ${raw(sort.direction)} limit ${size}) l
    join contacts c on c.tenant_id = ${tenantId} and c.id = l.contact_id ${activity}`
  return scan(db, question, source, raw('c.id'))
}

/** One row in any case: how far it went, and what it found there. A contact found twice is one. */
async function scan(db: Db, { conjuncts, sort }: SearchQuery, source: Sql, column: Sql): Promise<Scan> {
  const order = sql`value ${raw(sort.direction)}, id ${raw(sort.direction)}`
  const [row] = await db.unprepared<ScanRow>(sql`
    with walked as materialized (
      select ${column} as value, c.id, c.deleted_at is null and ${and(conjuncts.map(one => one.check))} as ok
      from ${source}
    ), found as (
      select distinct value, id from walked where ok
    )
    select (select count(*)::int from walked) as walked,
      (select array[value::text, id] from walked order by value ${raw(opposite(sort))}, id ${raw(opposite(sort))} limit 1)
        as last,
      coalesce(array_agg(value::text order by ${order}), '{}') as values,
      coalesce(array_agg(id order by ${order}), '{}') as ids
    from found`)
  const { walked, last, values, ids } = row!
  return {
    scanned: walked,
    last: last ? [last[0]!, last[1]!] : undefined,
    found: ids.map((id, i) => [values[i]!, id]),
  }
}

function opposite({ direction }: Sort): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc'
}

/** Where the text index gives the rows, what they hold themselves is looked up in them. */
function collectWhere({ tenantId, conjuncts }: Pick<SearchQuery, 'tenantId' | 'conjuncts'>): Sql {
  const byText = conjuncts.some(one => one.text)
  return and([
    sql`c.tenant_id = ${tenantId}`,
    raw('c.deleted_at is null'),
    ...conjuncts.map(one => (byText && one.contactOnly ? one.check : (one.collectCheck ?? one.check))),
  ])
}

/**
 * The same where several conditions give their matches as selects of ids: these are cut against each other, and against
 * the range of ids and what was seen already, before any contact is looked up. Few of many may be in all of them, which no planner foresees.
 */
function collectWhereByIds(question: SearchQuery, after: Cursor | undefined): Sql {
  const { conjuncts, sort } = question
  const isRange = (one: ConditionSql) => one.fromId !== undefined || one.toId !== undefined
  const given = conjuncts.filter(one => one.ids && !one.text && !isRange(one))
  const ranged = given.length > 0 && conjuncts.some(isRange)
  const isSingle = given.length + (ranged ? 1 : 0) < 2
  if (isSingle && !given[0]?.activity)
    return and([collectWhere(question), ...(sort.field === 'createdAt' ? [afterCursor(sort, after)] : [])])
  const beyond = raw(sort.direction === 'desc' ? '<' : '>')
  const range = and([
    inIdRange(conjuncts, raw('given.contact_id')),
    ...(after && sort.field === 'createdAt' ? [sql`given.contact_id ${beyond} ${after[1]}`] : []),
  ])
  const selects = given.map(one => sql`select contact_id from (${one.ids!}) given where ${range}`)
  const others = conjuncts.filter(one => !given.includes(one))
  return and([
    sql`c.id in (${join(selects, ' intersect ')})`,
    collectWhere({ ...question, conjuncts: others }),
  ])
}

/** The next matches, found through the conditions' own indexes and then sorted. */
export async function collectAll(
  db: Db,
  question: SearchQuery,
  after: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  const { sort } = question
  const { column, type } = sortOrders[sort.field]
  const direction = raw(sort.direction)
  const beyond = raw(sort.direction === 'desc' ? '<' : '>')
  const place = after
    ? sql`(found.value, found.id) ${beyond} (${after[0]}::${type}, ${after[1]}::text)`
    : raw('true')
  // The fence keeps the planner from walking the list in its order, which has been done, and from betting on the place.
  const rows = await db.unprepared<{ value: string; id: string }>(sql`
    select value::text as value, id from (
      select ${column} as value, c.id from contacts c ${activity} where ${collectWhereByIds(question, after)} offset 0
    ) found where ${place} order by found.value ${direction}, found.id ${direction} limit ${limit}`)
  return rows.map(row => [row.value, row.id])
}

export async function countMatches(db: Db, question: SearchQuery): Promise<number> {
  const [row] = await db.unprepared<{ n: number }>(
    sql`select count(*) as n from contacts c ${activity} where ${collectWhere(question)}`,
  )
  return row!.n
}

/**
 * How many each of these selects of ids gives, up to `most`. A limit makes the planner bet on finding enough early on;
 * within a materialized part each is planned as if all were wanted, and still ends where the limit does.
 */
export async function countUpTo(db: Db, sets: readonly Sql[], most: number): Promise<number[]> {
  const parts = sets.map((set, i) => sql`${raw(`set${i}`)} as materialized (${set})`)
  const counts = sets.map(
    (_, i) => sql`(select count(*) from (select from ${raw(`set${i}`)} limit ${most}) counted)`,
  )
  const [row] = await db.unprepared<{ counts: number[] }>(
    sql`with ${join(parts)} select array[${join(counts)}]::int[] as counts`,
  )
  return row!.counts
}

/** What each of these selects gives, where that is no more than `most`. */
export async function listIfFew(db: Db, sets: readonly Sql[], most: number): Promise<(string[] | null)[]> {
  const parts = sets.flatMap((set, i) => [
    sql`${raw(`set${i}`)} as materialized (${set})`,
    sql`${raw(`few${i}`)} as materialized (select contact_id from ${raw(`set${i}`)} limit ${most + 1})`,
  ])
  const lists = sets.map((_, i) => {
    const few = raw(`few${i}`)
    return sql`case when (select count(*) from ${few}) <= ${most}
      then coalesce((select json_agg(contact_id) from ${few}), '[]') end`
  })
  const [row] = await db.unprepared<{ lists: (string[] | null)[] }>(
    sql`with ${join(parts)} select json_build_array(${join(lists)}) as lists`,
  )
  return row!.lists
}

/** How many rows the planner expects of it, which costs next to nothing to know. */
export async function expectedRows(db: Db, set: Sql): Promise<number> {
  const [row] = await db.unprepared<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    sql`explain (format json) ${set}`,
  )
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}

/** Whether a select of ids gives fewer than so many. */
export async function isBelow(db: Db, set: Sql, many: number): Promise<boolean> {
  const [row] = await db.unprepared<{ n: number }>(
    sql`select count(*) as n from (select from (${set}) s limit ${many}) counted`,
  )
  return row!.n < many
}

/** The contacts that the text index gives for all conditions that have text, if there are any. */
export function idsByText({ tenantId, conjuncts }: SearchQuery): Sql[] {
  const texts = conjuncts.flatMap(one => one.text ?? [])
  if (texts.length === 0) return []
  return [
    sql`select c.id as contact_id from contacts c
      where c.tenant_id = ${tenantId} and c.deleted_at is null and ${and(texts)}`,
  ]
}

/** The next matches, all of which are among a few ids, looked up one by one; a contact may be there twice. */
export async function pickMatches(
  db: Db,
  question: SearchQuery,
  ids: readonly string[],
  after: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  const { tenantId, conjuncts, sort } = question
  const direction = raw(sort.direction)
  const rows = await db.unprepared<{ value: string; id: string }>(sql`
    with few as materialized (select distinct contact_id from unnest(${ids}::text[]) as given (contact_id)),
    found as materialized (
      select ${sortOrders[sort.field].column} as value, c.id
      from few cross join lateral (
        select * from contacts c where c.tenant_id = ${tenantId} and c.id = few.contact_id collate "C" offset 0) c ${activity}
      where c.deleted_at is null and ${and(conjuncts.map(one => one.check))} and ${afterCursor(sort, after)}
    )
    select value::text as value, id from found order by found.value ${direction}, id ${direction} limit ${limit}`)
  return rows.map(row => [row.value, row.id])
}

/** `select contact_id` of all that match, in no order: for those who put them into a table of their own. */
export function selectMatches(question: Pick<SearchQuery, 'tenantId' | 'conjuncts'>): Sql {
  return sql`select c.id as contact_id from contacts c ${activity} where ${collectWhere(question)}`
}

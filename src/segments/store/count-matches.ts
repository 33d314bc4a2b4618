/** Counts the contacts that a filter matches, exactly, up to a limit, or estimated by the planner. */
import type { Db } from '../../platform/db/db.ts'
import { join, raw, type Sql, sql } from '../../platform/db/sql.ts'
import { collectWhere, type SearchQuery } from './search.ts'
import { activity } from './sort-order.ts'

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

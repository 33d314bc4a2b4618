/**
 * Exact counters of contacts without counting rows: every statement that changes a count inserts a delta, readers add
 * the deltas up, and a cron folds them into the counters.
 */

import type { Db, Queryable } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import { isAssignedTo, type Viewer } from '../access.ts'

/** Builds the count of a subject, which may be a column of the surrounding query. */
export function countSql(tenantId: string, subject: Sql): Sql {
  return sql`(
    coalesce((select n from contact_counts k where k.tenant_id = ${tenantId} and k.subject = ${subject}), 0)
    + coalesce((select sum(n) from contact_count_deltas d where d.tenant_id = ${tenantId} and d.subject = ${subject}), 0)
  )::bigint`
}

export async function getCount(on: Queryable, tenantId: string, subject: string): Promise<number> {
  return (await on.one<{ n: number }>(sql`select ${countSql(tenantId, sql`${subject}::text`)} as n`)).n
}

const stateSql = { active: raw('c.archived_at is null'), archived: raw('c.archived_at is not null') }

/** Subtracts the invisible contacts from the counter, so that only contacts with conversations are read. */
export async function countVisible(db: Db, viewer: Viewer, state: keyof typeof stateSql): Promise<number> {
  const [row] = await db.search<{ n: number }>(
    viewer.tenantId,
    sql`
    select ${countSql(viewer.tenantId, sql`${state}::text`)} - (
      select count(*) from (
        select v.contact_id from contact_conversations v where v.tenant_id = ${viewer.tenantId}
        group by v.contact_id having not bool_or(${isAssignedTo(viewer)})
      ) hidden
      join contacts c on c.tenant_id = ${viewer.tenantId} and c.id = hidden.contact_id and c.deleted_at is null
        and ${stateSql[state]}
    ) as n`,
  )
  return row!.n
}

/** Folds up to `limit` deltas. Returns their number. Concurrent calls take different rows and upsert in one order. */
export async function foldDeltas(db: Db, limit: number): Promise<number> {
  const row = await db.one<{ folded: number }>(sql`
    with deleted as (
      delete from contact_count_deltas where ctid = any(array(
        select ctid from contact_count_deltas where ${notMoving('contact_count_deltas.tenant_id')} limit ${limit} for update skip locked))
      returning tenant_id, subject, n
    ), folded as (
      insert into contact_counts as k (tenant_id, subject, n)
      select tenant_id, subject, sum(n) from deleted group by 1, 2 order by 1, 2
      on conflict (tenant_id, subject) do update set n = k.n + excluded.n
    )
    select count(*) as folded from deleted`)
  return row.folded
}

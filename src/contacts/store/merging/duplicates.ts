import type { Db } from '../../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import { emailFieldId } from '../../tags-and-fields/custom-field-values.ts'

export type DuplicateKind = 'email' | 'name'

export interface DuplicateRange {
  groups: { key: string; contactIds: string[] }[]
  /** Where the next range starts; undefined at the end of the index. */
  end: { key: string; isInclusive: boolean } | undefined
}

/** Entries of the index that one request reads. */
const rangeSize = 10_000

/** Lists the keys that several active, visible contacts of a range of the index have. The last, incomplete key is left out. */
export async function listDuplicates(
  db: Db,
  viewer: Viewer,
  kind: DuplicateKind,
  start: { key: string; isInclusive: boolean } | undefined,
): Promise<DuplicateRange> {
  const { tenantId } = viewer
  const from = (column: Sql) =>
    start === undefined ? raw('true') : sql`${column} ${raw(start.isInclusive ? '>=' : '>')} ${start.key}`
  const range =
    kind === 'email'
      ? sql`select key, contact_id as id from contact_field_values
          where tenant_id = ${tenantId} and field_id = ${emailFieldId} and key <> '' and ${from(raw('key'))}
          order by key, contact_id limit ${rangeSize}`
      : sql`select sort_name as key, id from contacts
          where tenant_id = ${tenantId} and deleted_at is null and sort_name <> '' and ${from(raw('sort_name'))}
          order by sort_name, id limit ${rangeSize}`
  const { read, lastKey, firstKey, groups } = await db.one<{
    read: number
    lastKey: string | null
    firstKey: string | null
    groups: DuplicateRange['groups']
  }>(sql`
    with range as materialized (${range}), repeated as (
      select key from range group by key having count(*) > 1
    ), visible as (
      select r.key, c.id from range r join repeated using (key)
      join contacts c on c.tenant_id = ${tenantId} and c.id = r.id
      where c.deleted_at is null and c.archived_at is null and ${visibleTo(viewer)}
    ), groups as (
      select key, json_agg(id order by id) as ids from visible group by key having count(*) > 1
    )
    select (select count(*)::int from range) as read, (select max(key) from range) as "lastKey",
      (select min(key) from range) as "firstKey",
      coalesce((select json_agg(json_build_object('key', key, 'contactIds', ids) order by key) from groups), '[]') as groups`)
  if (read < rangeSize) return { groups, end: undefined }
  // A key that fills the whole range is shown as far as it was read.
  if (firstKey === lastKey) return { groups, end: { key: lastKey!, isInclusive: false } }
  return {
    groups: groups.filter(({ key }) => key !== lastKey),
    end: { key: lastKey!, isInclusive: true },
  }
}

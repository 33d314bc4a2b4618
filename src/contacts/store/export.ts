/**
 * Reads contacts in keyset pages and their tags by the same range of ids, so that an export reads every row once.
 * Unprepared: an import may change the size of the tables meanwhile.
 */
import type { Db } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'

export interface ExportedContact {
  id: string
  name: string | null
  /** By field id. */
  fields: Record<string, string>
  phone: string | null
}

/** Active or archived contacts, or those whose `contact_id` a statement selects. */
export type ExportSelection = { archived: boolean } | { matching: Sql }

const toCondition = (selection: ExportSelection): Sql =>
  'matching' in selection
    ? sql`c.id in (select m.contact_id from (${selection.matching}) m)`
    : raw(`c.archived_at is ${selection.archived ? 'not null' : 'null'}`)

/** Lists contacts after an id, oldest first. A contact has one row per phone number, the first number first. */
export function listExportPage(
  db: Db,
  viewer: Viewer,
  { selection, after, limit }: { selection: ExportSelection; after: string; limit: number },
): Promise<ExportedContact[]> {
  return db.search<ExportedContact>(
    viewer.tenantId,
    sql`
    select c.id, c.name, c.fields, i.phone
    from contacts c left join contact_identities i
      on i.tenant_id = c.tenant_id and i.channel = 'chatapp' and i.contact_id = c.id and i.contact_id > ${after}
        and i.phone is not null
    where c.tenant_id = ${viewer.tenantId} and c.id > ${after} and c.deleted_at is null
      and ${toCondition(selection)} and ${visibleTo(viewer)}
    order by c.id, i.created_at, i.id limit ${limit}`,
  )
}

export interface IdRange {
  first: string
  last: string
}

export function listTagNamesInRange(
  db: Db,
  tenantId: string,
  { first, last }: IdRange,
): Promise<{ contactId: string; name: string }[]> {
  return db.search(
    tenantId,
    sql`
    select l.contact_id as "contactId", t.name
    from contact_tags l join tags t on t.tenant_id = l.tenant_id and t.id = l.tag_id
    where l.tenant_id = ${tenantId} and l.contact_id >= ${first} and l.contact_id <= ${last} and t.deleted_at is null
    order by l.contact_id, l.tag_id`,
  )
}

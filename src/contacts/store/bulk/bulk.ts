/** Statements that read and change many locked contacts. */
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import { canSeeAll, type Viewer, visibleTo } from '../../access.ts'
import type { StoredProfile } from '../../search/search-document.ts'

/**
 * Plans every statement of the transaction again. Tables grow so fast during an import that a cached plan can be a hundred
 * times too slow. Costs a few milliseconds.
 */
export async function replan(tx: Tx): Promise<void> {
  await tx.run(sql`set local plan_cache_mode = force_custom_plan`)
}

/** Finds the contacts of phone numbers. Unprepared: planned for the current size of the table. */
export function findContactsByPhone(
  tx: Tx,
  tenantId: string,
  phones: readonly string[],
): Promise<{ phone: string; contactId: string }[]> {
  return tx.unprepared(sql`
    select phone, contact_id as "contactId" from contact_identities
    where tenant_id = ${tenantId} and channel = 'chatapp' and external_id = any(${phones}) and phone is not null`)
}

/** Finds the contacts that have one of the values, given by field and index key. */
export function findContactsByFieldValue(
  tx: Tx,
  tenantId: string,
  values: readonly { fieldId: string; key: string }[],
): Promise<{ fieldId: string; value: string; contactId: string }[]> {
  return tx.unprepared(sql`
    select distinct v.field_id as "fieldId", c.fields ->> v.field_id as value, c.id as "contactId"
    from unnest(${values.map(({ fieldId }) => fieldId)}::text[], ${values.map(({ key }) => key)}::text[]) as g (field_id, key)
    join contact_field_values v on v.tenant_id = ${tenantId} and v.field_id = g.field_id collate "C"
      and v.key = g.key collate "C"
    join contacts c on c.tenant_id = v.tenant_id and c.id = v.contact_id and c.deleted_at is null`)
}

/** Resolves ids to contacts, following merges, and reports whether the viewer may see them. */
export function resolveContactIds(
  tx: Tx,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ given: string; id: string; isVisible: boolean }[]> {
  return tx.unprepared(sql`
    select o.id as given, c.id, ${visibleTo(viewer)} as "isVisible"
    from contacts o join contacts c on c.tenant_id = o.tenant_id and c.id = coalesce(o.merged_into, o.id)
    where o.tenant_id = ${viewer.tenantId} and o.id = any(${ids}) and c.deleted_at is null`)
}

export async function listInvisible(tx: Tx, viewer: Viewer, ids: readonly string[]): Promise<Set<string>> {
  if (canSeeAll(viewer) || ids.length === 0) return new Set()
  const rows = await tx.unprepared<{ id: string }>(sql`
    select c.id from contacts c where c.tenant_id = ${viewer.tenantId} and c.id = any(${ids})
      and not ${visibleTo(viewer)}`)
  return new Set(rows.map(row => row.id))
}

/** Lists the phone numbers of contacts, the oldest first. */
export async function listPhonesByContact(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await on.rows<{ id: string; phone: string }>(sql`
    select contact_id as id, phone from contact_identities
    where tenant_id = ${tenantId} and channel = any('{chatapp,sms}') and contact_id = any(${ids}) and phone is not null
    order by contact_id, created_at, id`)
  const phones = new Map<string, string[]>()
  for (const { id, phone } of rows) phones.set(id, [...new Set([...(phones.get(id) ?? []), phone])])
  return phones
}

export async function updateProfiles(
  tx: Tx,
  tenantId: string,
  profiles: readonly (StoredProfile & { id: string })[],
): Promise<void> {
  const column = <T>(pick: (profile: StoredProfile & { id: string }) => T) => profiles.map(pick)
  await tx.run(sql`
    update contacts c set name = n.name, sort_name = n.sort_name, fields = n.fields::jsonb,
      search_values = n.search_values::jsonb, search = n.search, field_text = n.field_text
    from unnest(${column(p => p.id)}::text[], ${column(p => p.name)}::text[], ${column(p => p.sortName)}::text[],
      ${column(p => JSON.stringify(p.fields))}::text[], ${column(p => JSON.stringify(p.searchValues))}::text[],
      ${column(p => p.search)}::text[], ${column(p => p.fieldText)}::text[]
    ) as n (id, name, sort_name, fields, search_values, search, field_text)
    where c.tenant_id = ${tenantId} and c.id = n.id`)
}

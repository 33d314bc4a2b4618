/** What changes many contacts in one statement. The contacts are locked. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { canSeeAll, type Viewer, visibleTo } from '../access.ts'
import type { FieldValueRow, StoredProfile } from '../search-document.ts'

/**
 * For a transaction that changes many rows: tables grow so fast under an import that a plan made for them a minute ago
 * may be a hundred times too slow. Costs a few milliseconds.
 */
export async function replan(tx: Tx): Promise<void> {
  await tx.run(sql`set local plan_cache_mode = force_custom_plan`)
}

/** The contacts that hold phone numbers. Planned for how large the table is now. */
export function findContactsByPhone(
  tx: Tx,
  tenantId: string,
  phones: readonly string[],
): Promise<{ phone: string; contactId: string }[]> {
  return tx.unprepared(sql`
    select phone, contact_id as "contactId" from contact_identities
    where tenant_id = ${tenantId} and channel = 'chatapp' and external_id = any(${phones}) and phone is not null`)
}

/** The contacts that ids stand for, and whether the viewer may see them. */
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

/** Those of the contacts that the viewer may not see. */
export async function listInvisible(tx: Tx, viewer: Viewer, ids: readonly string[]): Promise<Set<string>> {
  if (canSeeAll(viewer) || ids.length === 0) return new Set()
  const rows = await tx.unprepared<{ id: string }>(sql`
    select c.id from contacts c where c.tenant_id = ${viewer.tenantId} and c.id = any(${ids})
      and not ${visibleTo(viewer)}`)
  return new Set(rows.map(row => row.id))
}

/** In the order in which they came to each contact. */
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

export interface ContactFieldValueRow extends FieldValueRow {
  contactId: string
}

/** Takes rows out of the index over field values and puts others in. */
export async function replaceFieldValuesBatch(
  tx: Tx,
  tenantId: string,
  gone: readonly ContactFieldValueRow[],
  come: readonly ContactFieldValueRow[],
): Promise<void> {
  if (gone.length > 0) {
    await tx.run(sql`
      delete from contact_field_values v
      using unnest(${gone.map(v => v.fieldId)}::text[], ${gone.map(v => v.key)}::text[],
        ${gone.map(v => v.contactId)}::text[]) as old (field_id, key, contact_id)
      where v.tenant_id = ${tenantId} and v.field_id = old.field_id and v.key = old.key
        and v.contact_id = old.contact_id`)
  }
  if (come.length > 0) {
    await tx.run(sql`
      insert into contact_field_values (tenant_id, field_id, key, contact_id, month_day)
      select ${tenantId}, field_id, key, contact_id, month_day
      from unnest(${come.map(v => v.fieldId)}::text[], ${come.map(v => v.key)}::text[],
        ${come.map(v => v.contactId)}::text[], ${come.map(v => v.monthDay)}::text[])
        as new (field_id, key, contact_id, month_day)
      on conflict do nothing`)
  }
}

import type { Queryable, Tx } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { FieldValueRow, StoredProfile } from '../search/search-document.ts'

/** Resolves an id to the contact or the one it was merged into; undefined if the viewer may not see it. */
export function findContactId(on: Queryable, viewer: Viewer, id: string): Promise<string | undefined> {
  return on.value<string>(sql`
    select c.id from contacts o
    join contacts c on c.tenant_id = o.tenant_id and c.id = coalesce(o.merged_into, o.id)
    where o.tenant_id = ${viewer.tenantId} and o.id = ${id} and c.deleted_at is null and ${visibleTo(viewer)}`)
}

export interface LockedContact {
  id: string
  name: string | null
  fields: Record<string, string>
  searchValues: Record<string, string>
  createdAt: string
  archivedAt: string | null
}

const lockedColumns = sql`id, name, fields, search_values as "searchValues", created_at as "createdAt", archived_at as "archivedAt"`

/** Locks a contact. Every change of a contact and every event about it takes this lock first. */
export function lockContact(tx: Tx, tenantId: string, id: string): Promise<LockedContact | undefined> {
  return tx.maybe<LockedContact>(sql`
    select ${lockedColumns} from contacts where tenant_id = ${tenantId} and id = ${id} and deleted_at is null for no key update`)
}

export async function isArchived(on: Queryable, tenantId: string, id: string): Promise<boolean> {
  const row = await on.maybe(
    sql`select 1 from contacts where tenant_id = ${tenantId} and id = ${id} and archived_at is not null`,
  )
  return row !== undefined
}

/** Locks the contact or the one it was merged into; undefined when it was deleted. */
export function lockSurvivingContact(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ id: string } | undefined> {
  return tx.maybe(sql`
    select c.id from contacts o
    join contacts c on c.tenant_id = o.tenant_id and c.id = coalesce(o.merged_into, o.id)
    where o.tenant_id = ${tenantId} and o.id = ${id} and c.deleted_at is null
    for no key update of c`)
}

/** Lists the deleted ones among these contacts, each with the contact it was merged into. */
export function listDeletedContacts(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<{ id: string; mergedInto: string | null }[]> {
  return on.rows(sql`
    select id, merged_into as "mergedInto" from contacts
    where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is not null order by id`)
}

/** Locks contacts in the order of their ids, so that concurrent calls cannot deadlock. */
export function lockContacts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<LockedContact[]> {
  return tx.rows<LockedContact>(sql`
    select ${lockedColumns} from contacts where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is null
    order by id for no key update`)
}

/** Like `lockContacts`; returns only the ids. */
export function lockContactIds(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  return tx.set<string>(sql`
    select id from contacts where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is null
    order by id for no key update`)
}

/** Locks contacts against deletion. Returns the ids that exist. */
export function lockContactsForShare(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  return tx.set<string>(sql`
    select id from contacts where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is null
    order by id for share`)
}

/** Returns whether the URL is another one now. */
export async function updateAvatar(
  tx: Tx,
  tenantId: string,
  id: string,
  url: string | null,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update contacts set avatar_url = ${url}
    where tenant_id = ${tenantId} and id = ${id} and avatar_url is distinct from ${url}`)
  return changed > 0
}

export async function updateProfile(
  tx: Tx,
  tenantId: string,
  id: string,
  profile: StoredProfile,
): Promise<void> {
  await tx.run(sql`
    update contacts set name = ${profile.name}, sort_name = ${profile.sortName},
      fields = ${JSON.stringify(profile.fields)}::jsonb, search_values = ${JSON.stringify(profile.searchValues)}::jsonb,
      search = ${profile.search}, field_text = ${profile.fieldText}
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** A field value of one contact. */
export interface ContactFieldValueRow extends FieldValueRow {
  contactId: string
}

/** Replaces values of locked contacts. Values that normalize to the same text have the same key and stay. */
/** Sends its statements in one tick. */
export async function replaceFieldValues(
  tx: Tx,
  tenantId: string,
  before: readonly ContactFieldValueRow[],
  after: readonly ContactFieldValueRow[],
): Promise<void> {
  const removed = subtract(before, after)
  const added = subtract(after, before)
  const statements: Sql[] = []
  if (removed.length > 0)
    statements.push(sql`
      delete from contact_field_values v
      using unnest(${removed.map(v => v.fieldId)}::text[], ${removed.map(v => v.key)}::text[],
        ${removed.map(v => v.contactId)}::text[]) as old (field_id, key, contact_id)
      where v.tenant_id = ${tenantId} and v.field_id = old.field_id and v.key = old.key
        and v.contact_id = old.contact_id`)
  if (added.length > 0)
    statements.push(sql`
      insert into contact_field_values (tenant_id, field_id, key, contact_id, month_day)
      select ${tenantId}, field_id, key, contact_id, month_day
      from unnest(${added.map(v => v.fieldId)}::text[], ${added.map(v => v.key)}::text[],
        ${added.map(v => v.contactId)}::text[], ${added.map(v => v.monthDay)}::text[])
        as new (field_id, key, contact_id, month_day)
      on conflict do nothing`)
  await Promise.all(statements.map(statement => tx.run(statement)))
}

/** Returns the rows that are not among the others. */
function subtract(
  rows: readonly ContactFieldValueRow[],
  others: readonly ContactFieldValueRow[],
): ContactFieldValueRow[] {
  const toKey = (row: ContactFieldValueRow) => JSON.stringify([row.contactId, row.fieldId, row.key])
  const keys = new Set(others.map(toKey))
  return rows.filter(row => !keys.has(toKey(row)))
}

export async function setArchived(tx: Tx, tenantId: string, id: string, archived: boolean): Promise<void> {
  await tx.run(sql`
    with changed as (
      update contacts set archived_at = ${archived ? tx.now : null} where tenant_id = ${tenantId} and id = ${id}
      returning id
    )
    insert into contact_count_deltas (tenant_id, subject, n)
    select ${tenantId}, subject, n from changed,
      (values ('active', ${archived ? -1 : 1}::int), ('archived', ${archived ? 1 : -1}::int)) as delta (subject, n)`)
}

/**
 * Marks a contact as deleted; its name remains for history. Its tags, identities and values must be deleted already.
 * With `mergedInto`, its id becomes an alias.
 */
export async function markDeleted(
  tx: Tx,
  tenantId: string,
  id: string,
  mergedInto: string | null = null,
): Promise<void> {
  await tx.run(sql`
    with activity as (
      delete from contact_activity where tenant_id = ${tenantId} and contact_id = ${id}
    ), conversations as (
      delete from contact_conversations where tenant_id = ${tenantId} and contact_id = ${id}
    ), chats as (
      delete from contact_chats where tenant_id = ${tenantId} and contact_id = ${id}
    ), events as (
      delete from contact_events where tenant_id = ${tenantId} and contact_id = ${id}
    ), opt_outs as (
      delete from contact_opt_outs where tenant_id = ${tenantId} and contact_id = ${id}
    ), deleted as (
      update contacts
      set deleted_at = ${tx.now}, merged_into = ${mergedInto}, avatar_url = null, search_values = '{}', search = '',
        field_text = ''
      where tenant_id = ${tenantId} and id = ${id} and deleted_at is null
      returning archived_at
    )
    insert into contact_count_deltas (tenant_id, subject, n)
    select ${tenantId}, case when archived_at is null then 'active' else 'archived' end, -1 from deleted`)
}

export async function touch(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update contact_activity a set updated_at = ${tx.now}
    from (
      select contact_id from contact_activity
      where tenant_id = ${tenantId} and contact_id = any(${ids}) order by contact_id for no key update
    ) locked
    where a.tenant_id = ${tenantId} and a.contact_id = locked.contact_id`)
}

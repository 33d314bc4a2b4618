import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Tag } from '../../schemas.ts'
import { countSql } from '../counts.ts'

export function listTags(on: Queryable, tenantId: string): Promise<Tag[]> {
  return on.rows<Tag>(sql`
    select t.id, t.name, t.color, t.created_at as "createdAt", t.created_by as "createdBy",
      ${countSql(tenantId, sql`t.id`)} as "labeledCount"
    from tags t where t.tenant_id = ${tenantId} and t.deleted_at is null order by t.id desc`)
}

export interface NewTag {
  id: string
  name: string
  nameKey: string
  createdBy: string | null
}

/** Returns the tag as it is then; undefined when it does not exist. */
export function updateTag(
  tx: Tx,
  tenantId: string,
  id: string,
  { name, nameKey, color }: { name?: string; nameKey?: string; color?: string | null },
): Promise<Tag | undefined> {
  return tx.maybe<Tag>(sql`
    update tags t set name = coalesce(${name ?? null}, t.name), name_key = coalesce(${nameKey ?? null}, t.name_key),
      color = case when ${color !== undefined} then ${color ?? null} else t.color end
    where t.tenant_id = ${tenantId} and t.id = ${id} and t.deleted_at is null
    returning t.id, t.name, t.color, t.created_at as "createdAt", t.created_by as "createdBy",
      ${countSql(tenantId, sql`t.id`)} as "labeledCount"`)
}

/** Returns false when the name is taken. */
export async function insertTag(tx: Tx, tenantId: string, tag: NewTag): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into tags (tenant_id, id, name, name_key, created_at, created_by)
    values (${tenantId}, ${tag.id}, ${tag.name}, ${tag.nameKey}, ${tx.now}, ${tag.createdBy})
    on conflict (tenant_id, name_key) where deleted_at is null do nothing`)
  return inserted === 1
}

/** Locks tags against deletion. Returns the ids that exist. */
export function lockTags(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  return tx.set<string>(sql`
    select id from tags where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is null
    order by id for share`)
}

export async function tagExists(on: Queryable, tenantId: string, id: string): Promise<boolean> {
  const row = await on.maybe(
    sql`select 1 from tags where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`,
  )
  return row !== undefined
}

export async function hasTag(
  on: Queryable,
  tenantId: string,
  contactId: string,
  tagId: string,
): Promise<boolean> {
  const row = await on.maybe(sql`
    select 1 from contact_tags where tenant_id = ${tenantId} and contact_id = ${contactId} and tag_id = ${tagId}`)
  return row !== undefined
}

export function listExistingTags(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  return on.set<string>(
    sql`select id from tags where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is null`,
  )
}

export function findTagsByKey(
  on: Queryable,
  tenantId: string,
  keys: readonly string[],
): Promise<{ id: string; key: string }[]> {
  return on.rows(sql`
    select id, name_key as key from tags
    where tenant_id = ${tenantId} and name_key = any(${keys}) and deleted_at is null`)
}

/** Lists tags whose normalized name contains a text. */
export function listTagsContaining(on: Queryable, tenantId: string, text: string): Promise<string[]> {
  return on.values<string>(sql`
    select id from tags where tenant_id = ${tenantId} and deleted_at is null and strpos(name_key, ${text}) > 0
    order by id`)
}

/** Returns the name, undefined when the tag does not exist. */
export function markTagDeleted(tx: Tx, tenantId: string, id: string): Promise<string | undefined> {
  return tx.value<string>(sql`
    update tags set deleted_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null returning name`)
}

/** Adds tags to contacts. Returns the pairs that are new. */
export function insertContactTags(
  tx: Tx,
  tenantId: string,
  pairs: readonly { contactId: string; tagId: string }[],
): Promise<{ contactId: string; tagId: string }[]> {
  return tx.rows(sql`
    with added as (
      insert into contact_tags (tenant_id, tag_id, contact_id)
      select ${tenantId}, tag_id, contact_id
      from unnest(${pairs.map(pair => pair.tagId)}::text[], ${pairs.map(pair => pair.contactId)}::text[])
        as pair (tag_id, contact_id)
      order by tag_id, contact_id
      on conflict do nothing
      returning contact_id, tag_id
    ), counted as (
      insert into contact_count_deltas (tenant_id, subject, n)
      select ${tenantId}, tag_id, count(*) from added group by tag_id
    )
    select contact_id as "contactId", tag_id as "tagId" from added`)
}

/** Returns whether the contact had the tag. */
export async function deleteContactTag(
  tx: Tx,
  tenantId: string,
  contactId: string,
  tagId: string,
): Promise<boolean> {
  const deleted = await tx.rows(sql`
    with deleted as (
      delete from contact_tags
      where tenant_id = ${tenantId} and tag_id = ${tagId} and contact_id = ${contactId}
      returning tag_id
    ), counted as (
      insert into contact_count_deltas (tenant_id, subject, n) select ${tenantId}, tag_id, -1 from deleted
    )
    select tag_id from deleted`)
  return deleted.length > 0
}

export async function deleteTagsOfContact(tx: Tx, tenantId: string, contactId: string): Promise<void> {
  await tx.run(sql`
    with deleted as (
      delete from contact_tags where tenant_id = ${tenantId} and contact_id = ${contactId} returning tag_id
    )
    insert into contact_count_deltas (tenant_id, subject, n) select ${tenantId}, tag_id, -1 from deleted`)
}

/** Removes a deleted tag from up to `limit` contacts. Returns their ids. */
export function sweepTag(tx: Tx, tenantId: string, tagId: string, limit: number): Promise<string[]> {
  return tx.values<string>(sql`
    delete from contact_tags where tenant_id = ${tenantId} and tag_id = ${tagId} and contact_id = any(array(
      select contact_id from contact_tags where tenant_id = ${tenantId} and tag_id = ${tagId}
      order by contact_id limit ${limit}))
    returning contact_id`)
}

export async function deleteCount(tx: Tx, tenantId: string, subject: string): Promise<void> {
  await tx.run(sql`delete from contact_count_deltas where tenant_id = ${tenantId} and subject = ${subject}`)
  await tx.run(sql`delete from contact_counts where tenant_id = ${tenantId} and subject = ${subject}`)
}

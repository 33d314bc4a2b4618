import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { CustomField, EntityType, FieldType } from '../../schemas.ts'

const columns = sql`id, name, type, created_at as "createdAt", created_by as "createdBy", false as predefined,
  entity_type as "entityType"`

export function listFields(on: Queryable, tenantId: string, entityType: EntityType): Promise<CustomField[]> {
  return on.rows<CustomField>(sql`
    select ${columns} from custom_fields
    where tenant_id = ${tenantId} and entity_type = ${entityType} and deleted_at is null order by id desc`)
}

export async function getTenantCreatedAt(on: Queryable, tenantId: string): Promise<string> {
  return (await on.one<{ at: string }>(sql`select created_at as at from tenants where id = ${tenantId}`)).at
}

/** Locks a field against renaming and deletion. */
export function lockField(
  tx: Tx,
  tenantId: string,
  entityType: EntityType,
  id: string,
): Promise<CustomField | undefined> {
  return tx.maybe<CustomField>(sql`
    select ${columns} from custom_fields
    where tenant_id = ${tenantId} and id = ${id} and entity_type = ${entityType} and deleted_at is null for update`)
}

export interface NewField {
  id: string
  entityType: EntityType
  name: string
  nameKey: string
  type: FieldType
  createdBy: string | null
}

/** Returns false when the name is taken. */
export async function insertField(tx: Tx, tenantId: string, field: NewField): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into custom_fields (tenant_id, id, entity_type, name, name_key, type, created_at, created_by)
    values (${tenantId}, ${field.id}, ${field.entityType}, ${field.name}, ${field.nameKey}, ${field.type}, ${tx.now},
      ${field.createdBy})
    on conflict (tenant_id, entity_type, name_key) where deleted_at is null do nothing`)
  return inserted === 1
}

export async function renameField(
  tx: Tx,
  tenantId: string,
  id: string,
  name: string,
  nameKey: string,
): Promise<void> {
  await tx.run(sql`
    update custom_fields set name = ${name}, name_key = ${nameKey} where tenant_id = ${tenantId} and id = ${id}`)
}

export async function markFieldDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(
    sql`update custom_fields set deleted_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`,
  )
}

/** Locks fields against deletion, so that references to them are saved first. */
export async function lockFieldTypesForShare(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, FieldType>> {
  const rows = await tx.rows<{ id: string; type: FieldType }>(sql`
    select id, type from custom_fields
    where tenant_id = ${tenantId} and id = any(${ids}) and entity_type = 'contact' and deleted_at is null
    order by id for share`)
  return new Map(rows.map(row => [row.id, row.type]))
}

/** Removes a deleted field from up to `limit` contacts. Returns their ids. */
export function sweepField(tx: Tx, tenantId: string, fieldId: string, limit: number): Promise<string[]> {
  return tx.values<string>(sql`
    with deleted as (
      delete from contact_field_values v
      using (
        select key, contact_id from contact_field_values
        where tenant_id = ${tenantId} and field_id = ${fieldId} order by key, contact_id limit ${limit}
      ) batch
      where v.tenant_id = ${tenantId} and v.field_id = ${fieldId} and v.key = batch.key and v.contact_id = batch.contact_id
      returning v.contact_id
    )
    update contacts c set fields = c.fields - ${fieldId}::text, search_values = c.search_values - ${fieldId}::text,
      field_text = coalesce((
        select string_agg(value, e'\n') from jsonb_each_text(c.search_values - ${fieldId}::text)
        where key <> all('{cf_email,cf_phone}')), '')
    from (select contact_id from deleted order by contact_id) d
    where c.tenant_id = ${tenantId} and c.id = d.contact_id returning c.id`)
}

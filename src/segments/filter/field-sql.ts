/** SQL for the values of a custom field: in the row of a contact, and in the index over all values. */
import { type Sql, sql } from '../../platform/db/sql.ts'

/** The comparable form in the row of the contact; null without a value. */
export function storedValue(fieldId: string): Sql {
  return sql`(c.search_values ->> ${fieldId}::text) collate "C"`
}

export function selectIdsWhere(tenantId: string, fieldId: string, where: Sql): Sql {
  return sql`
    select contact_id from contact_field_values
    where tenant_id = ${tenantId} and field_id = ${fieldId} and ${where}`
}

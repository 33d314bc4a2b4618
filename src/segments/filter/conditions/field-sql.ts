/** How the values of one custom field are reached: in a contact's row, and in the index over all values. */
import { type Sql, sql } from '../../../platform/db/sql.ts'

/** The comparable form in the row of the contact; null when it has none. */
export function storedValue(fieldId: string): Sql {
  return sql`(c.spelled ->> ${fieldId}::text) collate "C"`
}

export function selectIdsWhere(tenantId: string, fieldId: string, where: Sql): Sql {
  return sql`
    select contact_id from contact_field_values
    where tenant_id = ${tenantId} and field_id = ${fieldId} and ${where}`
}

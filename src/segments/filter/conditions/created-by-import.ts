/** Matches contacts that an import has created. An unknown import, or a dry run, has created none. */
import Type from 'typebox'
import { sql } from '../../../platform/db/sql.ts'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

export const createdByImport = conditionType({
  schema: object(
    { type: Type.Literal('createdByImport'), importId: AnyId },
    { description: 'extension: the import has created the contact' },
  ),
  sql: ({ importId }, { tenantId }) => {
    const ids = sql`
      select c.id as contact_id from contacts c
      where c.tenant_id = ${tenantId} and c.import_id = ${importId} and c.deleted_at is null`
    return { check: sql`(c.import_id = ${importId})`, contactOnly: true, ids, orderedIds: [ids] }
  },
  matches: ({ importId }, contact) => contact.importId === importId,
})

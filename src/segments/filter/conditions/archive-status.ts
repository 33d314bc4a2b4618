/** Matches active contacts, archived contacts, or both. A filter without this condition means active contacts. */
import Type from 'typebox'
import { raw, sql } from '../../../platform/db/sql.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

export type ArchiveState = 'active' | 'archived' | 'any'

const checks: Record<ArchiveState, string> = {
  active: 'c.archived_at is null',
  archived: 'c.archived_at is not null',
  any: 'true',
}

export const archiveStatus = conditionType({
  schema: object({
    type: Type.Literal('archiveStatus'),
    status: literals(['active', 'archived', 'any']),
  }),
  sql: ({ status }, { tenantId }) => {
    const check = raw(checks[status])
    if (status !== 'archived') return { check, indexPredicate: check }
    const ids = sql`
      select c.id as contact_id from contacts c
      where c.tenant_id = ${tenantId} and c.deleted_at is null and c.archived_at is not null`
    return { check, indexPredicate: check, ids, orderedIds: [ids] }
  },
  matches: ({ status }, { archivedAt }) =>
    status === 'any' || (status === 'archived') === (archivedAt !== null),
})

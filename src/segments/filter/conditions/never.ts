/** Matches no contact. Replaces a condition on a custom field that was deleted. */
import Type from 'typebox'
import { raw } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

/** Returns `never` for a condition on a deleted field, other conditions as they are. */
export function withoutField<C extends { fieldId: string }>(
  condition: C,
  deleted: { kind: string; id: string },
) {
  if (deleted.kind !== 'field' || deleted.id !== condition.fieldId) return condition
  return { type: 'never', reason: 'the custom field was deleted' }
}

export const neverKind = conditionType({
  schema: object({
    type: Type.Literal('never'),
    reason: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  sql: () => ({ check: raw('false'), ids: raw('select null::text as contact_id where false') }),
  matches: () => false,
})

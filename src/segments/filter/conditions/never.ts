/** Matches no contact. Replaces a condition on a custom field that was deleted. */
import Type from 'typebox'
import { raw } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

export function never(reason: string): { type: 'never'; reason: string } {
  return { type: 'never', reason }
}

export const neverKind = conditionType({
  schema: object({
    type: Type.Literal('never'),
    reason: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  sql: () => ({ check: raw('false'), ids: raw('select null::text as contact_id where false') }),
  matches: () => false,
})

/**
 * Matches the value of a text field without regard to case. `notEquals` is the opposite of `equals`, so it also matches
 * contacts without a value.
 */
import Type from 'typebox'
import { hasTrigrams, toSearchText } from '../../../contacts/search/search-text.ts'
import {
  emailFieldId,
  phoneFieldId,
  prefixUpperBound,
  toIndexKey,
  toPrefixKey,
} from '../../../contacts/tags-and-fields/custom-field-values.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { violation } from '../../../platform/errors.ts'
import { AnyId, literals, object } from '../../../platform/http/schemas.ts'
import { type ConditionSql, conditionType } from '../condition.ts'
import { selectIdsWhere, storedValue } from '../field-sql.ts'
import { withoutField } from './never.ts'
import { toTextIndex } from './search-text.ts'

const withValue = ['equals', 'notEquals', 'contains', 'startsWith'] as const
const withoutValue = ['isSet', 'isNotSet'] as const
type Operator = (typeof withValue)[number] | (typeof withoutValue)[number]

interface FieldKey {
  tenantId: string
  fieldId: string
}

function equals({ tenantId, fieldId }: FieldKey, wanted: string): ConditionSql {
  const ids = selectIdsWhere(tenantId, fieldId, sql`key = ${toIndexKey(wanted)}`)
  return {
    check: sql`${storedValue(fieldId)} = ${wanted}`,
    contactOnly: true,
    collectCheck: sql`c.id in (${ids})`,
    ids,
    orderedIds: [ids],
  }
}

function startsWith({ tenantId, fieldId }: FieldKey, wanted: string): ConditionSql {
  const check = sql`${storedValue(fieldId)} like ${`${wanted}%`}`
  const prefix = toPrefixKey(wanted)
  const ids = selectIdsWhere(tenantId, fieldId, sql`key >= ${prefix} and key < ${prefixUpperBound(prefix)}`)
  // A prefix longer than the keys returns too many contacts: the row decides.
  if (prefix !== wanted) return { check: sql`(c.id in (${ids}) and ${check})` }
  return { check, contactOnly: true, collectCheck: sql`c.id in (${ids})`, ids }
}

/** cf_email and cf_phone are part of the search text. */
function contains({ tenantId, fieldId }: FieldKey, wanted: string): ConditionSql {
  const text = raw(fieldId === emailFieldId || fieldId === phoneFieldId ? 'search' : 'field_text')
  const pattern = `%${wanted}%`
  const check = sql`${storedValue(fieldId)} like ${pattern}`
  return {
    check,
    collectCheck: sql`(c.${text} like ${pattern} and ${check})`,
    ...toTextIndex(sql`c.${text} like ${pattern}`, hasTrigrams(wanted)),
    ids: sql`
      select c.id as contact_id from contacts c
      where c.tenant_id = ${tenantId} and c.deleted_at is null and c.${text} like ${pattern} and ${check}`,
  }
}

const compile: Record<Operator, (key: FieldKey, wanted: string) => ConditionSql> = {
  equals,
  startsWith,
  contains,
  notEquals: ({ fieldId }, wanted) => ({ check: sql`${storedValue(fieldId)} is distinct from ${wanted}` }),
  isNotSet: ({ fieldId }) => ({ check: sql`${storedValue(fieldId)} is null` }),
  isSet: ({ tenantId, fieldId }) => {
    const ids = selectIdsWhere(tenantId, fieldId, sql`true`)
    return {
      check: sql`${storedValue(fieldId)} is not null`,
      contactOnly: true,
      collectCheck: sql`c.id in (${ids})`,
      ids,
    }
  },
}

const holds: Record<Operator, (value: string | undefined, wanted: string) => boolean> = {
  equals: (value, wanted) => value === wanted,
  notEquals: (value, wanted) => value !== wanted,
  contains: (value, wanted) => value?.includes(wanted) ?? false,
  startsWith: (value, wanted) => value?.startsWith(wanted) ?? false,
  isSet: value => value !== undefined,
  isNotSet: value => value === undefined,
}

export const customFieldText = conditionType({
  schema: object({
    type: Type.Literal('customFieldText'),
    fieldId: AnyId,
    operator: literals([...withValue, ...withoutValue]),
    value: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  }),
  references: ({ fieldId }) => [{ kind: 'field', id: fieldId, path: 'fieldId', fieldType: 'text' }],
  violations: ({ operator, value }, path) =>
    (withValue as readonly string[]).includes(operator) && value === undefined
      ? [violation(`${path}.value`, 'required', `is required with ${operator}`)]
      : [],
  sql: ({ fieldId, operator, value = '' }, { tenantId }) =>
    compile[operator]({ tenantId, fieldId }, toSearchText(value)),
  matches: ({ fieldId, operator, value = '' }, { fields }) => {
    const stored = fields[fieldId]
    return holds[operator](stored === undefined ? undefined : toSearchText(stored), toSearchText(value))
  },
  without: withoutField,
})

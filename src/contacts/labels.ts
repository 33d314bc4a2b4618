/** Which of the given tags and custom fields of contacts exist. Asks the database only about what was given. */
import type { Queryable } from '../platform/db/db.ts'
import { fieldBook } from './fields.ts'
import type { FieldType } from './schemas.ts'
import { knownTags } from './store/tags.ts'

export async function knownLabels(
  on: Queryable,
  tenantId: string,
  tagIds: readonly string[],
  fieldIds: readonly string[],
): Promise<{ tags: Set<string>; fields: Map<string, FieldType> }> {
  const [tags, book] = await Promise.all([
    tagIds.length > 0 ? knownTags(on, tenantId, tagIds) : new Set<string>(),
    fieldIds.length > 0 ? fieldBook(on, tenantId) : undefined,
  ])
  const known = fieldIds.flatMap(id => book?.byId.get(id) ?? [])
  return { tags, fields: new Map(known.map(field => [field.id, field.type])) }
}

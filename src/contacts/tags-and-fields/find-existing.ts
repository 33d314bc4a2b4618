/** Which of the given tags and custom fields of contacts exist. Asks the database only about what was given. */
import type { Queryable } from '../../platform/db/db.ts'
import { type FieldType } from '../schemas.ts'
import { listExistingTags } from '../store/tags.ts'
import { getFieldDefinitions } from './custom-fields.ts'

export async function findExistingTagsAndFields(
  on: Queryable,
  tenantId: string,
  tagIds: readonly string[],
  fieldIds: readonly string[],
): Promise<{ tags: Set<string>; fields: Map<string, FieldType> }> {
  const [tags, book] = await Promise.all([
    tagIds.length > 0 ? listExistingTags(on, tenantId, tagIds) : new Set<string>(),
    fieldIds.length > 0 ? getFieldDefinitions(on, tenantId) : undefined,
  ])
  const known = fieldIds.flatMap(id => book?.byId.get(id) ?? [])
  return { tags, fields: new Map(known.map(field => [field.id, field.type])) }
}

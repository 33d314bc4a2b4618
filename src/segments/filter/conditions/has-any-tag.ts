/** Matches contacts with at least one of the tags. An empty list matches no contact. */
import Type from 'typebox'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

export function isTagged(tagIds: readonly string[]): Sql {
  return sql`coalesce((
    select true from contact_tags l
    where l.tenant_id = c.tenant_id and l.tag_id = any(${tagIds}) and l.contact_id = c.id limit 1), false)`
}

export function selectTaggedIds(tenantId: string, tagIds: readonly string[]): Sql {
  return sql`select contact_id from contact_tags where tenant_id = ${tenantId} and tag_id = any(${tagIds})`
}

export const hasAnyTag = conditionType({
  schema: object({
    type: Type.Literal('hasAnyTag'),
    tagIds: Type.Array(AnyId, { maxItems: 100, description: 'an empty list matches no contact' }),
  }),
  references: ({ tagIds }) => tagIds.map((id, i) => ({ kind: 'tag', id, path: `tagIds[${i}]` })),
  sql: ({ tagIds }, { tenantId }) => ({
    check: isTagged(tagIds),
    collectCheck: sql`c.id in (${selectTaggedIds(tenantId, tagIds)})`,
    ids: selectTaggedIds(tenantId, tagIds),
    orderedIds: [...new Set(tagIds)].map(
      id => sql`select contact_id from contact_tags where tenant_id = ${tenantId} and tag_id = ${id}`,
    ),
  }),
  matches: ({ tagIds }, { tags }) => tags.some(tag => tagIds.includes(tag.id)),
  without: (condition, deleted) =>
    deleted.kind === 'tag'
      ? { ...condition, tagIds: condition.tagIds.filter(id => id !== deleted.id) }
      : condition,
})

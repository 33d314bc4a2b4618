/** Matches contacts with none of the tags. */
import Type from 'typebox'
import { sql } from '../../../platform/db/sql.ts'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'
import { isTagged } from './has-any-tag.ts'

export const notAnyTag = conditionType({
  schema: object(
    { type: Type.Literal('notAnyTag'), tagIds: Type.Array(AnyId, { minItems: 1, maxItems: 100 }) },
    { description: 'extension: has none of these tags' },
  ),
  references: ({ tagIds }) =>
    tagIds.map((id, i) => ({ kind: 'tag', id, path: `tagIds[${i}]`, isExcluded: true })),
  sql: ({ tagIds }) => ({ check: sql`not ${isTagged(tagIds)}` }),
  matches: ({ tagIds }, { tags }) => !tags.some(tag => tagIds.includes(tag.id)),
  // Without the tag, the condition would match the contacts that had it.
  without: (condition, deleted) =>
    deleted.kind === 'tag' && condition.tagIds.includes(deleted.id)
      ? { type: 'never', reason: 'the tag was deleted' }
      : condition,
})

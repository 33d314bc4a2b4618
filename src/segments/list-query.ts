/** Converts the query parameters of the contact list to conditions that must all match. */
import type { Viewer } from '../contacts/contact-views.ts'
import {
  isDateValue,
  type TypedField,
  toComparable,
  toIndexKey,
} from '../contacts/tags-and-fields/custom-field-values.ts'
import { findExistingTagsAndFields, getFieldDefinitions } from '../contacts/tags-and-fields/custom-fields.ts'
import type { Channel } from '../platform/config.ts'
import type { Queryable } from '../platform/db/db.ts'
import { sql } from '../platform/db/sql.ts'
import { invalid, violation } from '../platform/errors.ts'
import type { ConditionSql } from './filter/condition.ts'
import { selectIdsWhere } from './filter/field-sql.ts'
import type { Condition, ContactFilter } from './filter/filter.ts'
import { compileFilters } from './search.ts'

export interface ListQuery {
  search?: string
  customFields?: Record<string, string>
  tagIds?: string[]
  channels?: Channel[]
  archived?: boolean
  createdAfter?: string
  createdBefore?: string
}

export async function buildListConjuncts(
  on: Queryable,
  viewer: Viewer,
  query: ListQuery,
  now: Date,
): Promise<ConditionSql[]> {
  await assertTagsExist(on, viewer.tenantId, query.tagIds ?? [])
  const exact = await buildExactValues(on, viewer.tenantId, query.customFields ?? {})
  return [...(await compileFilters(on, viewer, [{ filter: toFilter(query) }], now)), ...exact]
}

function toFilter(query: ListQuery): ContactFilter {
  const { search, tagIds, channels, archived = false, createdAfter: after, createdBefore: before } = query
  const conditions: Condition[] = [
    { type: 'archiveStatus', status: archived ? 'archived' : 'active' },
    ...(search ? [{ type: 'searchText', text: search }] : []),
    ...(tagIds ? [{ type: 'hasAnyTag', tagIds }] : []),
    ...(channels ? [{ type: 'hasAnyChannel', channels }] : []),
    ...(after || before ? [{ type: 'createdAt', after, before }] : []),
  ]
  return { match: 'all', conditions }
}

async function assertTagsExist(on: Queryable, tenantId: string, tagIds: readonly string[]): Promise<void> {
  if (tagIds.length === 0) return
  const { tags } = await findExistingTagsAndFields(on, tenantId, tagIds, [])
  const unknown = tagIds.flatMap((id, i) =>
    tags.has(id) ? [] : [violation(`tagIds[${i}]`, 'unknown_tag', 'is not a tag of this workspace')],
  )
  if (unknown.length > 0) invalid(...unknown)
}

async function buildExactValues(
  on: Queryable,
  tenantId: string,
  given: Record<string, string>,
): Promise<ConditionSql[]> {
  if (Object.keys(given).length === 0) return []
  const definitions = await getFieldDefinitions(on, tenantId)
  return Object.entries(given).map(([name, value]) => {
    const field = definitions.byName.get(name)
    if (!field)
      invalid(violation(`customFields.${name}`, 'unknown_custom_field', 'is not a custom field of contacts'))
    return buildExactValue(tenantId, field, value)
  })
}

/** An empty value matches contacts without a value. */
function buildExactValue(tenantId: string, field: TypedField, value: string): ConditionSql {
  if (value === '') return { check: sql`not (c.fields ? ${field.id}::text)` }
  const check = sql`c.fields ->> ${field.id}::text = ${value}`
  if (field.type === 'date' && !isDateValue(value)) return { check: sql`false` }
  const ids = selectIdsWhere(tenantId, field.id, sql`key = ${toIndexKey(toComparable(field, value))}`)
  return { check, collectCheck: sql`(c.id in (${ids}) and ${check})`, ids, orderedIds: [ids] }
}

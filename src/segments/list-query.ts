/** The query parameters of the contact list as conditions: each narrows the list further. */

import { fieldBook } from '../contacts/fields.ts'
import { knownLabels } from '../contacts/labels.ts'
import type { Channel } from '../contacts/schemas.ts'
import { comparable, type FieldKind, isMoment, keyOf } from '../contacts/values.ts'
import type { Viewer } from '../contacts/visibility.ts'
import type { Queryable } from '../platform/db/db.ts'
import { sql } from '../platform/db/sql.ts'
import { invalid, violation } from '../platform/errors.ts'
import type { ConditionSql } from './filter/condition.ts'
import { idsWhere } from './filter/conditions/field-sql.ts'
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

export async function listConjuncts(
  on: Queryable,
  viewer: Viewer,
  query: ListQuery,
  now: Date,
): Promise<ConditionSql[]> {
  await requireTags(on, viewer.tenantId, query.tagIds ?? [])
  const exact = await exactValues(on, viewer.tenantId, query.customFields ?? {})
  return [...(await compileFilters(on, viewer, [{ filter: filterOf(query) }], now)), ...exact]
}

function filterOf(query: ListQuery): ContactFilter {
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

async function requireTags(on: Queryable, tenantId: string, tagIds: readonly string[]): Promise<void> {
  if (tagIds.length === 0) return
  const { tags } = await knownLabels(on, tenantId, tagIds, [])
  const unknown = tagIds.flatMap((id, i) =>
    tags.has(id) ? [] : [violation(`tagIds[${i}]`, 'unknown_tag', 'is not a tag of this workspace')],
  )
  if (unknown.length > 0) invalid(...unknown)
}

async function exactValues(
  on: Queryable,
  tenantId: string,
  given: Record<string, string>,
): Promise<ConditionSql[]> {
  if (Object.keys(given).length === 0) return []
  const book = await fieldBook(on, tenantId)
  return Object.entries(given).map(([name, value]) => {
    const field = book.byName.get(name)
    if (!field)
      invalid(violation(`customFields.${name}`, 'unknown_field', 'is not a custom field of contacts'))
    return exactValue(tenantId, field, value)
  })
}

/** An empty value means that there is none. */
function exactValue(tenantId: string, field: FieldKind, value: string): ConditionSql {
  if (value === '') return { check: sql`not (c.fields ? ${field.id}::text)` }
  const check = sql`c.fields ->> ${field.id}::text = ${value}`
  if (field.type === 'date' && !isMoment(value)) return { check: sql`false` }
  const ids = idsWhere(tenantId, field.id, sql`key = ${keyOf(comparable(field, value))}`)
  return { check, gather: sql`(c.id in (${ids}) and ${check})`, ids, streams: [ids] }
}

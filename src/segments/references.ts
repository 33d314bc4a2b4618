/** What a filter speaks of must exist: an unknown tag or field is a violation that names its path. */

import { type FieldType } from '../contacts/schemas.ts'
import { lockFieldTypes } from '../contacts/tags-and-fields/custom-fields.ts'
import { findExistingTagsAndFields } from '../contacts/tags-and-fields/find-existing.ts'
import { lockTags } from '../contacts/tags-and-fields/tags.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { invalid, type Violation, violation } from '../platform/errors.ts'
import type { Reference } from './filter/condition.ts'
import { type ContactFilter, filterReferences, filterViolations } from './filter/filter.ts'

interface ExistingReferences {
  tags: ReadonlySet<string>
  fields: ReadonlyMap<string, FieldType>
}

function referenceViolations(
  { kind, id, path, fieldType }: Reference,
  known: ExistingReferences,
): Violation[] {
  if (kind === 'tag')
    return known.tags.has(id) ? [] : [violation(path, 'unknown_tag', 'is not a tag of this workspace')]
  const type = known.fields.get(id)
  if (type === undefined) return [violation(path, 'unknown_field', 'is not a custom field of contacts')]
  if (fieldType === undefined || type === fieldType) return []
  return [
    violation(path, 'wrong_field_type', `is a ${type} field; this condition needs a ${fieldType} field`),
  ]
}

function assertValid(
  filter: ContactFilter,
  path: string,
  references: readonly Reference[],
  known: ExistingReferences,
): void {
  const faults = [
    ...filterViolations(filter, path),
    ...references.flatMap(reference => referenceViolations(reference, known)),
  ]
  if (faults.length > 0) invalid(...faults)
}

function listIds(references: readonly Reference[], kind: Reference['kind']): string[] {
  return references.filter(reference => reference.kind === kind).map(reference => reference.id)
}

/** For a search: 400 unless the filter makes sense now. */
export async function checkFilter(
  on: Queryable,
  tenantId: string,
  filter: ContactFilter,
  path = 'filter',
): Promise<void> {
  const references = filterReferences(filter, path)
  const known = await findExistingTagsAndFields(
    on,
    tenantId,
    listIds(references, 'tag'),
    listIds(references, 'field'),
  )
  assertValid(filter, path, references, known)
}

/** For saving: also keeps what it speaks of from being deleted before this commits. */
export async function lockFilterReferences(
  tx: Tx,
  tenantId: string,
  filter: ContactFilter,
  path = 'filter',
): Promise<void> {
  const references = filterReferences(filter, path)
  const tags = await lockTags(tx, tenantId, listIds(references, 'tag'))
  const fields = await lockFieldTypes(tx, tenantId, listIds(references, 'field'))
  assertValid(filter, path, references, { tags, fields })
}

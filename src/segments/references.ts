/** What a filter speaks of must exist: an unknown tag or field is a violation that names its path. */
import { holdFieldTypes } from '../contacts/fields.ts'
import { knownLabels } from '../contacts/labels.ts'
import type { FieldType } from '../contacts/schemas.ts'
import { holdTagIds } from '../contacts/tags.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { invalid, type Violation, violation } from '../platform/errors.ts'
import type { Reference } from './filter/condition.ts'
import { type ContactFilter, filterFaults, filterReferences } from './filter/filter.ts'

interface Known {
  tags: ReadonlySet<string>
  fields: ReadonlyMap<string, FieldType>
}

function faultOf({ kind, id, path, fieldType }: Reference, known: Known): Violation[] {
  if (kind === 'tag')
    return known.tags.has(id) ? [] : [violation(path, 'unknown_tag', 'is not a tag of this workspace')]
  const type = known.fields.get(id)
  if (type === undefined) return [violation(path, 'unknown_field', 'is not a custom field of contacts')]
  if (fieldType === undefined || type === fieldType) return []
  return [
    violation(path, 'wrong_field_type', `is a ${type} field; this condition needs a ${fieldType} field`),
  ]
}

function refuse(filter: ContactFilter, path: string, references: readonly Reference[], known: Known): void {
  const faults = [
    ...filterFaults(filter, path),
    ...references.flatMap(reference => faultOf(reference, known)),
  ]
  if (faults.length > 0) invalid(...faults)
}

function idsOf(references: readonly Reference[], kind: Reference['kind']): string[] {
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
  const known = await knownLabels(on, tenantId, idsOf(references, 'tag'), idsOf(references, 'field'))
  refuse(filter, path, references, known)
}

/** For saving: also keeps what it speaks of from being deleted before this commits. */
export async function holdFilter(
  tx: Tx,
  tenantId: string,
  filter: ContactFilter,
  path = 'filter',
): Promise<void> {
  const references = filterReferences(filter, path)
  const tags = await holdTagIds(tx, tenantId, idsOf(references, 'tag'))
  const fields = await holdFieldTypes(tx, tenantId, idsOf(references, 'field'))
  refuse(filter, path, references, { tags, fields })
}

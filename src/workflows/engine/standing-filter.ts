/**
 * Versions never change, so their conditions may speak of a field that was deleted since. Such a condition holds for
 * nobody, as in a segment: else "is not set" would let everybody in from the day the field is gone.
 */
import { findExistingTagsAndFields } from '../../contacts/tags-and-fields/find-existing.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { type ContactFilter, filterReferences, removeReference } from '../../segments/filter/filter.ts'

/** Deleted tags need no look: whoever had one has it no more, and no condition asks for its absence. */
export async function resolveFilter(
  on: Queryable,
  tenantId: string,
  filter: ContactFilter,
): Promise<ContactFilter> {
  const ids = filterReferences(filter, '').flatMap(({ kind, id }) => (kind === 'field' ? [id] : []))
  if (ids.length === 0) return filter
  const { fields } = await findExistingTagsAndFields(on, tenantId, [], ids)
  return ids
    .filter(id => !fields.has(id))
    .reduce((left, id) => removeReference(left, { kind: 'field', id }), filter)
}

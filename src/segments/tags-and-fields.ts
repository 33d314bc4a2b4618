/**
 * Deletes tags and custom fields of contacts together with their uses in segments, in one transaction. Jobs remove them
 * from contacts after the commit.
 */
import type { EntityType } from '../contacts/schemas.ts'
import { deleteField } from '../contacts/tags-and-fields/delete-field.ts'
import { deleteTag } from '../contacts/tags-and-fields/tags.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Dependents } from './dependents.ts'
import { rewriteSegments } from './segments.ts'

export async function deleteTagEverywhere(
  tx: Tx,
  caller: Caller,
  dependents: Dependents,
  id: string,
): Promise<void> {
  const deleted = { kind: 'tag', id, name: await deleteTag(tx, caller.tenantId, id) } as const
  await rewriteSegments(tx, caller, dependents, deleted)
  await dependents.onDeleted(tx, caller, deleted)
}

/** Segments use fields of contacts only: deleting a field of properties changes nothing else. */
export async function deleteFieldEverywhere(
  tx: Tx,
  caller: Caller,
  dependents: Dependents,
  { entityType, id }: { entityType: EntityType; id: string },
): Promise<void> {
  const { name } = await deleteField(tx, caller.tenantId, entityType, id)
  if (entityType === 'property') return
  const deleted = { kind: 'field', id, name } as const
  await rewriteSegments(tx, caller, dependents, deleted)
  await dependents.onDeleted(tx, caller, deleted)
}

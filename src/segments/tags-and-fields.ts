/**
 * Deleting a tag or a custom field: gone from every read at once, out of every segment in the same transaction, and
 * swept from the contacts afterwards.
 */

import { type EntityType } from '../contacts/schemas.ts'
import { sweepDeletedField, sweepDeletedTag } from '../contacts/sweeping.ts'
import { deleteField } from '../contacts/tags-and-fields/custom-fields.ts'
import { deleteTag } from '../contacts/tags-and-fields/tags.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import type { Dependents } from './dependents.ts'
import { rewriteSegments } from './segments.ts'

export async function deleteTagEverywhere(
  tx: Tx,
  caller: Caller,
  dependents: Dependents,
  id: string,
): Promise<void> {
  const name = await deleteTag(tx, caller.tenantId, id)
  await rewriteSegments(tx, caller, dependents, { kind: 'tag', id, name })
  await dependents.onDeleted(tx, caller, { kind: 'tag', id, name })
  await enqueue(tx, sweepDeletedTag, { tenantId: caller.tenantId, payload: { tagId: id } })
}

export async function deleteFieldEverywhere(
  tx: Tx,
  caller: Caller,
  dependents: Dependents,
  { entityType, id }: { entityType: EntityType; id: string },
): Promise<void> {
  const { name } = await deleteField(tx, caller.tenantId, entityType, id)
  if (entityType === 'property') return
  await rewriteSegments(tx, caller, dependents, { kind: 'field', id, name })
  await dependents.onDeleted(tx, caller, { kind: 'field', id, name })
  await enqueue(tx, sweepDeletedField, { tenantId: caller.tenantId, payload: { fieldId: id } })
}

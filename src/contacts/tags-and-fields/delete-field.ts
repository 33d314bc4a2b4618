import type { Tx } from '../../platform/db/db.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { sweepDeletedField } from '../jobs.ts'
import type { CustomField, EntityType } from '../schemas.ts'
import { markFieldDeleted } from '../store/tags-and-fields/custom-fields.ts'
import { lockEditableField } from './custom-fields.ts'

/** Hides a field from all reads and enqueues the removal of its values. Returns the deleted field. */
export async function deleteField(
  tx: Tx,
  tenantId: string,
  entityType: EntityType,
  id: string,
): Promise<CustomField> {
  const field = await lockEditableField(tx, tenantId, entityType, id)
  await markFieldDeleted(tx, tenantId, id)
  if (entityType === 'contact') await enqueue(tx, sweepDeletedField, { tenantId, payload: { fieldId: id } })
  await emitChanged(tx, tenantId, { kind: 'custom_field', id, revision: null })
  return field
}

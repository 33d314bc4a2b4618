/** Stores the settings that the clients of a user keep. The user's other clients read it again after a change. */
import type { Tx } from '../../platform/db/db.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findPreferences, replacePreferences } from '../store/preferences.ts'

export async function savePreferences(
  tx: Tx,
  { tenantId, id }: Caller,
  data: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (await replacePreferences(tx, tenantId, id, data))
    await emitChanged(tx, tenantId, { kind: 'preferences', id }, { userIds: [id], private: true })
  return findPreferences(tx, tenantId, id)
}

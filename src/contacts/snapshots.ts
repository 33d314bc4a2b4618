/** Everything a filter can ask about a contact, in one piece. */
import type { Queryable } from '../platform/db/db.ts'
import { type ContactSnapshot, listSnapshotRows } from './store/contact-views.ts'

export type { ContactSnapshot }

/** In the order asked for; those that are gone are left out. */
export function loadSnapshots(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactSnapshot[]> {
  return listSnapshotRows(on, tenantId, ids)
}

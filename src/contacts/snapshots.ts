/** Everything a filter can ask about a contact, in one piece. */
import type { Queryable } from '../platform/db/db.ts'
import { type ContactSnapshot, loadSnapshots } from './store/shown.ts'

export type { ContactSnapshot }

/** In the order asked for; those that are gone are left out. */
export function contactSnapshots(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactSnapshot[]> {
  return loadSnapshots(on, tenantId, ids)
}

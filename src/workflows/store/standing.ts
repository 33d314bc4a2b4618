import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Locks the contact, or the one it was merged into, so that its runs advance one at a time; undefined if deleted. */
export function lockCurrentContact(
  tx: Tx,
  tenantId: string,
  contactId: string,
): Promise<{ id: string } | undefined> {
  return tx.maybe(sql`
    select c.id from contacts o
    join contacts c on c.tenant_id = o.tenant_id and c.id = coalesce(o.merged_into, o.id)
    where o.tenant_id = ${tenantId} and o.id = ${contactId} and c.deleted_at is null
    for no key update of c`)
}

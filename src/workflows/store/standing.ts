/** Whether what a run stands on is still there. */
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** The contact itself, or the one it was merged into, held; nothing when it was deleted. Its runs go one by one. */
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

/**
 * Those that are there and that nobody else holds, in the order of their ids. Not those that have wake-ups in the queue:
 * what comes later must not overtake them.
 */
export async function lockIdleContacts(
  tx: Tx,
  tenantId: string,
  contactIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from contacts c where tenant_id = ${tenantId} and id = any(${contactIds}) and deleted_at is null
      and not exists (
        select from job_lanes l
        where l.name = 'advance_run' and l.tenant_id = ${tenantId} and l.ordering_key = c.id and l.ordered)
    order by id for no key update skip locked`)
  return new Set(rows.map(row => row.id))
}

/** Stores actions on many contacts with their items. */
import { type BulkOutcome, type BulkTables, saveProgress } from '../../../platform/bulk/store/bulk-actions.ts'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { inlineLimit, raw, sql } from '../../../platform/db/sql.ts'

export const contactBulkTables: BulkTables = {
  actions: raw('contact_bulk_actions'),
  items: raw('contact_bulk_items'),
  resourceId: raw('contact_id'),
  onGivenUp: () => sql`result = 'failed'`,
}

export interface ContactItem {
  n: number
  contactId: string
  result: 'pending' | 'changed' | 'unchanged' | 'failed' | 'cancelled'
  before: string | null
}

export function listContactItems(
  on: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  position: number,
  limit: number,
): Promise<ContactItem[]> {
  return on.rows(sql`
    select n, contact_id as "contactId", result, before from contact_bulk_items
    where tenant_id = ${tenantId} and bulk_id = ${id} and n > ${position} order by n limit ${inlineLimit(limit)}`)
}

export interface ContactOutcome extends BulkOutcome {
  before: string | null
}

export function saveContactOutcomes(
  tx: Tx,
  tenantId: string,
  bulkId: string,
  outcomes: readonly ContactOutcome[],
): Promise<void> {
  const saved = sql`
    update contact_bulk_items i set result = o.result, before = o.before
    from unnest(${outcomes.map(({ n }) => n)}::int[], ${outcomes.map(({ result }) => result)}::text[],
      ${outcomes.map(({ before }) => before)}::text[]) as o (n, result, before)
    where i.tenant_id = ${tenantId} and i.bulk_id = ${bulkId} and i.n = o.n`
  return saveProgress(tx, contactBulkTables, { tenantId, id: bulkId }, outcomes, saved)
}

/** Stores actions on many conversations with their items. */
import {
  type BulkOutcome,
  type BulkTables,
  saveProgress,
  saveUndoProgress,
} from '../../../platform/bulk/store/bulk-actions.ts'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { inlineLimit, raw, sql } from '../../../platform/db/sql.ts'
import type { BulkItem } from '../../bulk/schemas.ts'

export const bulkTables: BulkTables = {
  actions: raw('conversation_bulk_actions'),
  items: raw('conversation_bulk_items'),
  resourceId: raw('conversation_id'),
  onGivenUp: error => sql`result = 'failed', error = ${error}`,
}

export interface ItemRow {
  n: number
  conversationId: string
  result: BulkItem['result']
  before: unknown
  revisionBefore: number | null
  revisionAfter: number | null
}

export function listItemsAfter(
  on: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  position: number,
  limit: number,
): Promise<ItemRow[]> {
  return on.rows(sql`
    select n, conversation_id as "conversationId", result, before, revision_before as "revisionBefore",
      revision_after as "revisionAfter"
    from conversation_bulk_items where tenant_id = ${tenantId} and bulk_id = ${id} and n > ${position}
    order by n limit ${inlineLimit(limit)}`)
}

type ListedItem = BulkItem & { n: number }

export function listItems(
  on: Queryable,
  tenantId: string,
  bulkId: string,
  { results, after, limit }: { results?: readonly string[] | undefined; after: number; limit: number },
): Promise<ListedItem[]> {
  return on.rows(sql`
    select n, conversation_id as "conversationId", result, error, undo_result as "undoResult", undo_error as "undoError"
    from conversation_bulk_items where tenant_id = ${tenantId} and bulk_id = ${bulkId} and n > ${after}
      and (${results ?? null}::text[] is null or result = any(${results ?? null}::text[]))
    order by n limit ${inlineLimit(limit)}`)
}

export interface ItemOutcome extends BulkOutcome {
  error: string | null
  before: string | null
  revisionBefore: number | null
}

/** Saves the outcomes of a batch, with the revisions that the conversations have now. */
export function saveOutcomes(
  tx: Tx,
  tenantId: string,
  bulkId: string,
  outcomes: readonly ItemOutcome[],
): Promise<void> {
  const column = <K extends keyof ItemOutcome>(name: K) => outcomes.map(outcome => outcome[name])
  const saved = sql`
    update conversation_bulk_items i set result = o.result, error = o.error, before = o.before, revision_before = o.revision,
      revision_after = case when o.result = 'changed' then (
        select s.revision from conversation_states s
        where s.tenant_id = i.tenant_id and s.conversation_id = i.conversation_id) end
    from unnest(${column('n')}::int[], ${column('result')}::text[], ${column('error')}::text[], ${column('before')}::json[],
      ${column('revisionBefore')}::int[]) as o (n, result, error, before, revision)
    where i.tenant_id = ${tenantId} and i.bulk_id = ${bulkId} and i.n = o.n`
  return saveProgress(tx, bulkTables, { tenantId, id: bulkId }, outcomes, saved)
}

export interface UndoOutcome {
  n: number
  result: 'restored' | 'changed' | 'failed'
  error: string | null
}

/**
 * Saves the outcomes of undoing a batch. A restored conversation is as it was before this action: earlier actions on it can
 * be undone, too, so their items get its present revision.
 */
export async function saveUndoOutcomes(
  tx: Tx,
  tenantId: string,
  bulkId: string,
  position: number,
  outcomes: readonly UndoOutcome[],
): Promise<void> {
  const column = <K extends keyof UndoOutcome>(name: K) => outcomes.map(outcome => outcome[name])
  const restored = outcomes.filter(outcome => outcome.result === 'restored')
  const saved = sql`
    update conversation_bulk_items i set undo_result = o.result, undo_error = o.error
    from unnest(${column('n')}::int[], ${column('result')}::text[], ${column('error')}::text[]) as o (n, result, error)
    where i.tenant_id = ${tenantId} and i.bulk_id = ${bulkId} and i.n = o.n`
  const counts = { position, restored: restored.length, notRestored: outcomes.length - restored.length }
  await saveUndoProgress(tx, bulkTables, { tenantId, id: bulkId }, counts, saved)
  if (restored.length === 0) return
  await tx.run(sql`
    update conversation_bulk_items i set revision_after = s.revision
    from conversation_bulk_items u, conversation_states s
    where u.tenant_id = ${tenantId} and u.bulk_id = ${bulkId} and u.n = any(${restored.map(({ n }) => n)}::int[])
      and s.tenant_id = u.tenant_id and s.conversation_id = u.conversation_id
      and i.tenant_id = u.tenant_id and i.conversation_id = u.conversation_id and i.bulk_id <> u.bulk_id
      and i.revision_after = u.revision_before`)
}

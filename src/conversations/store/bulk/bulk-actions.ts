import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { inlineLimit, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { type BulkAction, type BulkItem, type ConversationAction, undoMinutes } from '../../bulk/schemas.ts'

export interface BulkRow extends Omit<BulkAction, 'undoUntil'> {
  createdByKind: Caller['kind']
  undoneBy: string | null
  undoneByKind: Caller['kind'] | null
  position: number
  undoPosition: number
}

const columns =
  raw(`id, action, status, error, total, changed, unchanged, failed, restored, not_restored as "notRestored",
  created_by as "createdBy", created_by_kind as "createdByKind", created_at as "createdAt", finished_at as "finishedAt",
  undone_by as "undoneBy", undone_by_kind as "undoneByKind", position, undo_position as "undoPosition"`)

export function bulkActionToApi(row: BulkRow): BulkAction {
  const { id, action, status, error, total, changed, unchanged, failed, restored, notRestored } = row
  const { createdBy, createdAt, finishedAt } = row
  const undoUntil = status === 'completed' || status === 'failed' ? toUndoUntil(finishedAt!) : null
  return {
    id,
    action,
    status,
    error,
    total,
    changed,
    unchanged,
    failed,
    restored,
    notRestored,
    createdBy,
    createdAt,
    finishedAt,
    undoUntil,
  }
}

export const toUndoUntil = (finishedAt: string): string =>
  new Date(Date.parse(finishedAt) + undoMinutes * 60_000).toISOString()

/** Inserts an action with an item for each conversation that the select returns as `id`. */
export async function insertBulkAction(
  tx: Tx,
  caller: Caller,
  { id, action }: { id: string; action: ConversationAction },
  select: Sql,
): Promise<BulkRow> {
  await tx.run(sql`
    insert into conversation_bulk_actions (tenant_id, id, created_by, created_by_kind, action, total, created_at)
    values (${caller.tenantId}, ${id}, ${caller.id}, ${caller.kind}, ${JSON.stringify(action)}, 0, ${tx.now})`)
  // Planned for its values, like the filter in a list.
  const [row] = await tx.unprepared<BulkRow>(sql`
    with found as materialized (${select}), items as (
      insert into conversation_bulk_items (tenant_id, bulk_id, n, conversation_id)
      select ${caller.tenantId}, ${id}, row_number() over (order by found.id), found.id from found
    )
    update conversation_bulk_actions set total = (select count(*) from found)
    where tenant_id = ${caller.tenantId} and id = ${id} returning ${columns}`)
  return row!
}

/** Selects the given ids, resolved to the conversations that they were merged into. */
export function selectGivenIds(tenantId: string, ids: readonly string[]): Sql {
  return sql`
    select distinct coalesce((
      select c.merged_into from conversations c where c.tenant_id = ${tenantId} and c.id = given.id collate "C"), given.id) as id
    from unnest(${ids}::text[]) as given (id)`
}

export function findBulkAction(on: Queryable, tenantId: string, id: string): Promise<BulkRow | undefined> {
  return on.maybe(
    sql`select ${columns} from conversation_bulk_actions where tenant_id = ${tenantId} and id = ${id}`,
  )
}

export function lockBulkAction(tx: Tx, tenantId: string, id: string): Promise<BulkRow | undefined> {
  return tx.maybe(sql`
    select ${columns} from conversation_bulk_actions where tenant_id = ${tenantId} and id = ${id} for no key update`)
}

export async function finishBulkAction(
  tx: Tx,
  tenantId: string,
  id: string,
  status: 'completed' | 'undone',
): Promise<void> {
  await tx.run(sql`
    update conversation_bulk_actions set status = ${status}, finished_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`)
}

/** Ends an action whose job was given up. The items that were left have failed; undoing can be tried again. */
export async function failBulkAction(tx: Tx, tenantId: string, id: string, error: string): Promise<void> {
  await tx.run(sql`
    with left_over as (
      update conversation_bulk_items set result = 'failed', error = ${error}
      where tenant_id = ${tenantId} and bulk_id = ${id} and result = 'pending' returning n
    )
    update conversation_bulk_actions set status = 'failed', error = ${error}, finished_at = ${tx.now},
      failed = failed + (select count(*) from left_over)
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** Items that were not taken yet are cancelled. */
export async function startUndo(tx: Tx, caller: Caller, id: string): Promise<BulkRow> {
  const { tenantId } = caller
  await tx.run(sql`
    update conversation_bulk_items set result = 'cancelled'
    where tenant_id = ${tenantId} and bulk_id = ${id} and result = 'pending'`)
  return tx.one(sql`
    update conversation_bulk_actions set status = 'undoing', error = null, undone_by = ${caller.id}, undone_by_kind = ${caller.kind}
    where tenant_id = ${tenantId} and id = ${id} returning ${columns}`)
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
  tenantId: string,
  bulkId: string,
  position: number,
  limit: number,
): Promise<ItemRow[]> {
  return on.rows(sql`
    select n, conversation_id as "conversationId", result, before, revision_before as "revisionBefore",
      revision_after as "revisionAfter"
    from conversation_bulk_items where tenant_id = ${tenantId} and bulk_id = ${bulkId} and n > ${position}
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

export interface ItemOutcome {
  n: number
  result: 'changed' | 'unchanged' | 'failed'
  error: string | null
  before: string | null
  revisionBefore: number | null
}

/** Saves the outcomes of a batch, with the revisions that the conversations have now. */
export async function saveOutcomes(
  tx: Tx,
  tenantId: string,
  bulkId: string,
  outcomes: readonly ItemOutcome[],
): Promise<void> {
  const column = <K extends keyof ItemOutcome>(name: K) => outcomes.map(outcome => outcome[name])
  const count = (result: string) => outcomes.filter(outcome => outcome.result === result).length
  await tx.run(sql`
    with saved as (
      update conversation_bulk_items i set result = o.result, error = o.error, before = o.before, revision_before = o.revision,
        revision_after = case when o.result = 'changed' then (
          select s.revision from conversation_states s
          where s.tenant_id = i.tenant_id and s.conversation_id = i.conversation_id) end
      from unnest(${column('n')}::int[], ${column('result')}::text[], ${column('error')}::text[], ${column('before')}::json[],
        ${column('revisionBefore')}::int[]) as o (n, result, error, before, revision)
      where i.tenant_id = ${tenantId} and i.bulk_id = ${bulkId} and i.n = o.n
    )
    update conversation_bulk_actions set position = ${outcomes.at(-1)!.n}, changed = changed + ${count('changed')},
      unchanged = unchanged + ${count('unchanged')}, failed = failed + ${count('failed')}
    where tenant_id = ${tenantId} and id = ${bulkId}`)
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
  await tx.run(sql`
    with saved as (
      update conversation_bulk_items i set undo_result = o.result, undo_error = o.error
      from unnest(${column('n')}::int[], ${column('result')}::text[], ${column('error')}::text[]) as o (n, result, error)
      where i.tenant_id = ${tenantId} and i.bulk_id = ${bulkId} and i.n = o.n
    )
    update conversation_bulk_actions set undo_position = ${position}, restored = restored + ${restored.length},
      not_restored = not_restored + ${outcomes.length - restored.length}
    where tenant_id = ${tenantId} and id = ${bulkId}`)
  if (restored.length === 0) return
  await tx.run(sql`
    update conversation_bulk_items i set revision_after = s.revision
    from conversation_bulk_items u, conversation_states s
    where u.tenant_id = ${tenantId} and u.bulk_id = ${bulkId} and u.n = any(${restored.map(({ n }) => n)}::int[])
      and s.tenant_id = u.tenant_id and s.conversation_id = u.conversation_id
      and i.tenant_id = u.tenant_id and i.conversation_id = u.conversation_id and i.bulk_id <> u.bulk_id
      and i.revision_after = u.revision_before`)
}

/** Deletes actions from before a time, with their items; returns how many. */
export function deleteBulkActions(on: Queryable, before: string, limit: number): Promise<number> {
  return on.run(sql`
    delete from conversation_bulk_actions where (tenant_id, id) in (
      select tenant_id, id from conversation_bulk_actions where created_at < ${before}
      order by created_at limit ${inlineLimit(limit)})`)
}

/** Stores actions on many contacts with their items. */
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { inlineLimit, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { type ContactAction, type ContactBulkAction, undoMinutes } from '../../bulk/schemas.ts'

export interface ContactBulkRow extends Omit<ContactBulkAction, 'undoUntil'> {
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

export function contactBulkToApi(row: ContactBulkRow): ContactBulkAction {
  const {
    createdByKind: _,
    undoneBy: _by,
    undoneByKind: _kind,
    position: _p,
    undoPosition: _u,
    ...rest
  } = row
  const isOver = row.status === 'completed' || row.status === 'failed'
  const canUndo = isOver && row.action.type !== 'delete'
  return { ...rest, undoUntil: canUndo ? toUndoUntil(row.finishedAt!) : null }
}

export const toUndoUntil = (finishedAt: string): string =>
  new Date(Date.parse(finishedAt) + undoMinutes * 60_000).toISOString()

/** Inserts an action with an item for each contact that the select returns as `id`. */
export async function insertContactBulk(
  tx: Tx,
  caller: Caller,
  { id, action }: { id: string; action: ContactAction },
  select: Sql,
): Promise<ContactBulkRow> {
  await tx.run(sql`
    insert into contact_bulk_actions (tenant_id, id, created_by, created_by_kind, action, total, created_at)
    values (${caller.tenantId}, ${id}, ${caller.id}, ${caller.kind}, ${JSON.stringify(action)}, 0, ${tx.now})`)
  // Planned for its values, like the filter in a search.
  const [row] = await tx.unprepared<ContactBulkRow>(sql`
    with found as materialized (${select}), items as (
      insert into contact_bulk_items (tenant_id, bulk_id, n, contact_id)
      select ${caller.tenantId}, ${id}, row_number() over (order by found.id), found.id from found
    )
    update contact_bulk_actions set total = (select count(*) from found)
    where tenant_id = ${caller.tenantId} and id = ${id} returning ${columns}`)
  return row!
}

/** Selects the given ids, resolved to the contacts that they were merged into. */
export function selectGivenContacts(tenantId: string, ids: readonly string[]): Sql {
  return sql`
    select distinct coalesce((
      select c.merged_into from contacts c where c.tenant_id = ${tenantId} and c.id = given.id collate "C"), given.id) as id
    from unnest(${ids}::text[]) as given (id)`
}

export function findContactBulk(
  on: Queryable,
  tenantId: string,
  id: string,
): Promise<ContactBulkRow | undefined> {
  return on.maybe(
    sql`select ${columns} from contact_bulk_actions where tenant_id = ${tenantId} and id = ${id}`,
  )
}

export function lockContactBulk(tx: Tx, tenantId: string, id: string): Promise<ContactBulkRow | undefined> {
  return tx.maybe(sql`
    select ${columns} from contact_bulk_actions where tenant_id = ${tenantId} and id = ${id} for no key update`)
}

export async function finishContactBulk(
  tx: Tx,
  tenantId: string,
  id: string,
  status: 'completed' | 'undone',
): Promise<void> {
  await tx.run(sql`
    update contact_bulk_actions set status = ${status}, finished_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** Ends an action whose job was given up. The items that were left have failed; undoing can be tried again. */
export async function failContactBulk(tx: Tx, tenantId: string, id: string, error: string): Promise<void> {
  await tx.run(sql`
    with left_over as (
      update contact_bulk_items set result = 'failed'
      where tenant_id = ${tenantId} and bulk_id = ${id} and result = 'pending' returning n
    )
    update contact_bulk_actions set status = 'failed', error = ${error}, finished_at = ${tx.now},
      failed = failed + (select count(*) from left_over)
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** Items that were not taken yet are cancelled. */
export async function startContactUndo(tx: Tx, caller: Caller, id: string): Promise<ContactBulkRow> {
  const { tenantId } = caller
  await tx.run(sql`
    update contact_bulk_items set result = 'cancelled'
    where tenant_id = ${tenantId} and bulk_id = ${id} and result = 'pending'`)
  return tx.one(sql`
    update contact_bulk_actions set status = 'undoing', error = null, undone_by = ${caller.id}, undone_by_kind = ${caller.kind}
    where tenant_id = ${tenantId} and id = ${id} returning ${columns}`)
}

export interface ContactItem {
  n: number
  contactId: string
  result: 'pending' | 'changed' | 'unchanged' | 'failed' | 'cancelled'
  before: string | null
}

export function listContactItems(
  on: Queryable,
  tenantId: string,
  bulkId: string,
  position: number,
  limit: number,
): Promise<ContactItem[]> {
  return on.rows(sql`
    select n, contact_id as "contactId", result, before from contact_bulk_items
    where tenant_id = ${tenantId} and bulk_id = ${bulkId} and n > ${position} order by n limit ${inlineLimit(limit)}`)
}

export interface ContactOutcome {
  n: number
  result: 'changed' | 'unchanged' | 'failed'
  before: string | null
}

export async function saveContactOutcomes(
  tx: Tx,
  tenantId: string,
  bulkId: string,
  outcomes: readonly ContactOutcome[],
): Promise<void> {
  const count = (result: string) => outcomes.filter(outcome => outcome.result === result).length
  await tx.run(sql`
    with saved as (
      update contact_bulk_items i set result = o.result, before = o.before
      from unnest(${outcomes.map(({ n }) => n)}::int[], ${outcomes.map(({ result }) => result)}::text[],
        ${outcomes.map(({ before }) => before)}::text[]) as o (n, result, before)
      where i.tenant_id = ${tenantId} and i.bulk_id = ${bulkId} and i.n = o.n
    )
    update contact_bulk_actions set position = ${outcomes.at(-1)!.n}, changed = changed + ${count('changed')},
      unchanged = unchanged + ${count('unchanged')}, failed = failed + ${count('failed')}
    where tenant_id = ${tenantId} and id = ${bulkId}`)
}

export async function saveContactUndo(
  tx: Tx,
  tenantId: string,
  bulkId: string,
  { position, restored, notRestored }: { position: number; restored: number; notRestored: number },
): Promise<void> {
  await tx.run(sql`
    update contact_bulk_actions set undo_position = ${position}, restored = restored + ${restored},
      not_restored = not_restored + ${notRestored}
    where tenant_id = ${tenantId} and id = ${bulkId}`)
}

/** Deletes actions from before a time, with their items; returns how many. */
export function deleteContactBulk(on: Queryable, before: string, limit: number): Promise<number> {
  return on.run(sql`
    delete from contact_bulk_actions where (tenant_id, id) in (
      select tenant_id, id from contact_bulk_actions where created_at < ${before} order by created_at
      limit ${inlineLimit(limit)})`)
}

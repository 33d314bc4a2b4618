/** Stores bulk actions in the tables of a domain: one of actions and one of their items, which `n` numbers from 1. */

import type { Queryable, Tx } from '../../db/db.ts'
import { notMoving } from '../../db/moving.ts'
import { inlineLimit, raw, type Sql, sql } from '../../db/sql.ts'
import type { Caller } from '../../http/caller.ts'
import type { BulkRow } from '../schemas.ts'

export interface BulkTables {
  actions: Sql
  items: Sql
  /** The column with the id of the item's resource. */
  resourceId: Sql
  /** Set on the items that an action did not reach when its job was given up. */
  onGivenUp: (error: string) => Sql
}

const columns =
  raw(`id, action, status, error, total, changed, unchanged, failed, restored, not_restored as "notRestored",
  created_by as "createdBy", created_by_kind as "createdByKind", created_at as "createdAt", finished_at as "finishedAt",
  undone_by as "undoneBy", undone_by_kind as "undoneByKind", position, undo_position as "undoPosition"`)

interface BulkKey {
  tenantId: string
  id: string
}

const matches = ({ tenantId, id }: BulkKey) => sql`tenant_id = ${tenantId} and id = ${id}`
const isPending = ({ tenantId, id }: BulkKey) =>
  sql`tenant_id = ${tenantId} and bulk_id = ${id} and result = 'pending'`

/** Inserts an action with an item for each resource that the select returns as `id`. */
export async function insertBulk<Action>(
  tx: Tx,
  { actions, items, resourceId }: BulkTables,
  caller: Caller,
  { id, action, select }: { id: string; action: Action; select: Sql },
): Promise<BulkRow<Action>> {
  const { tenantId } = caller
  await tx.run(sql`
    insert into ${actions} (tenant_id, id, created_by, created_by_kind, action, total, created_at)
    values (${tenantId}, ${id}, ${caller.id}, ${caller.kind}, ${JSON.stringify(action)}, 0, ${tx.now})`)
  // Planned for its values, like the filter in a list or search.
  const [row] = await tx.unprepared<BulkRow<Action>>(sql`
    with found as materialized (${select}), items as (
      insert into ${items} (tenant_id, bulk_id, n, ${resourceId})
      select ${tenantId}, ${id}, row_number() over (order by found.id), found.id from found
    )
    update ${actions} set total = (select count(*) from found) where ${matches({ tenantId, id })} returning ${columns}`)
  return row!
}

/** Selects the given ids, resolved to the rows of the table that they were merged into. */
export function selectGiven(table: Sql, tenantId: string, ids: readonly string[]): Sql {
  return sql`
    select distinct coalesce((
      select t.merged_into from ${table} t where t.tenant_id = ${tenantId} and t.id = given.id collate "C"), given.id) as id
    from unnest(${ids}::text[]) as given (id)`
}

export function findBulk<Action>(
  on: Queryable,
  { actions }: BulkTables,
  key: BulkKey,
): Promise<BulkRow<Action> | undefined> {
  return on.maybe(sql`select ${columns} from ${actions} where ${matches(key)}`)
}

export function lockBulk<Action>(
  tx: Tx,
  { actions }: BulkTables,
  key: BulkKey,
): Promise<BulkRow<Action> | undefined> {
  return tx.maybe(sql`select ${columns} from ${actions} where ${matches(key)} for no key update`)
}

export async function finishBulk(
  tx: Tx,
  { actions }: BulkTables,
  key: BulkKey,
  status: 'completed' | 'undone',
): Promise<void> {
  await tx.run(sql`update ${actions} set status = ${status}, finished_at = ${tx.now} where ${matches(key)}`)
}

/** Ends an action whose job was given up. The items that were left have failed; undoing can be tried again. */
export async function failBulk(
  tx: Tx,
  { actions, items, onGivenUp }: BulkTables,
  key: BulkKey,
  error: string,
): Promise<void> {
  await tx.run(sql`
    with left_over as (update ${items} set ${onGivenUp(error)} where ${isPending(key)} returning n)
    update ${actions} set status = 'failed', error = ${error}, finished_at = ${tx.now},
      failed = failed + (select count(*) from left_over)
    where ${matches(key)}`)
}

/** Items that were not taken yet are cancelled. */
export async function startUndo<Action>(
  tx: Tx,
  { actions, items }: BulkTables,
  caller: Caller,
  id: string,
): Promise<BulkRow<Action>> {
  const key = { tenantId: caller.tenantId, id }
  await tx.run(sql`update ${items} set result = 'cancelled' where ${isPending(key)}`)
  return tx.one(sql`
    update ${actions} set status = 'undoing', error = null, undone_by = ${caller.id}, undone_by_kind = ${caller.kind}
    where ${matches(key)} returning ${columns}`)
}

export interface BulkOutcome {
  n: number
  result: 'changed' | 'unchanged' | 'failed'
}

/** Counts the outcomes of a batch. `saved` is the statement that stores them in the items. */
export async function saveProgress(
  tx: Tx,
  { actions }: BulkTables,
  key: BulkKey,
  outcomes: readonly BulkOutcome[],
  saved: Sql,
): Promise<void> {
  const count = (result: BulkOutcome['result']) =>
    outcomes.filter(outcome => outcome.result === result).length
  await tx.run(sql`
    with saved as (${saved})
    update ${actions} set position = ${outcomes.at(-1)!.n}, changed = changed + ${count('changed')},
      unchanged = unchanged + ${count('unchanged')}, failed = failed + ${count('failed')}
    where ${matches(key)}`)
}

/** Counts the items of an undone batch. `saved` is the statement that stores what became of them, if the items have it. */
export async function saveUndoProgress(
  tx: Tx,
  { actions }: BulkTables,
  key: BulkKey,
  { position, restored, notRestored }: { position: number; restored: number; notRestored: number },
  saved: Sql = sql`select 1`,
): Promise<void> {
  await tx.run(sql`
    with saved as (${saved})
    update ${actions} set undo_position = ${position}, restored = restored + ${restored},
      not_restored = not_restored + ${notRestored}
    where ${matches(key)}`)
}

/** Deletes actions from before a time, with their items; returns how many. */
export function deleteBulks(
  on: Queryable,
  { actions }: BulkTables,
  before: string,
  limit: number,
): Promise<number> {
  return on.run(sql`
    delete from ${actions} where (tenant_id, id) in (
      select tenant_id, id from ${actions} a where created_at < ${before} and ${notMoving('a.tenant_id')}
      order by created_at limit ${inlineLimit(limit)})`)
}

/** Applies the writes that were captured: the current row of each key replaces that in the target, or is deleted there. */
import { groupBy } from '../../../platform/group-by.ts'
import type { MovedTable } from './catalog.ts'
import { deleteByKey, insertRows, type Key, readByKey, toText } from './rows.ts'
import type { MoveSessions } from './types.ts'

/** Many, because a row that is written often is then transferred once. */
const batchSize = 20_000

interface Change {
  id: number
  table: string
  key: Key
}

/**
 * Applies the oldest changes and returns how many there were. They are deleted after the commit in the target: a driver
 * that dies in between applies them again.
 */
export async function applyChanges(
  { source, target, tenantId, tables }: MoveSessions,
  { isFinal = false } = {},
): Promise<number> {
  const changes = await source.rows<Change>(
    `select id, table_name as "table", key from workspace_move_changes where tenant_id = $1 order by id limit ${batchSize}`,
    [tenantId],
  )
  if (changes.length === 0) return 0
  const blocked: [MovedTable, readonly Key[]][] = []
  const groups = groupBy(changes, change => change.table)
  await target.transact(async () => {
    for (const [name, group] of groups) {
      const table = tables.find(each => each.name === name)!
      const keys = [...new Map(group.map(({ key }) => [toText(key), key])).values()]
      const rows = await readByKey(source, table, tenantId, keys)
      await deleteByKey(target, table, tenantId, keys)
      const missing = await insertRows(target, table, rows)
      if (missing.length > 0) blocked.push([table, missing])
    }
  })
  // The rows in their way are changed by later entries.
  for (const [table, keys] of blocked) await requeue(source, tenantId, table, keys)
  await source.run('delete from workspace_move_changes where tenant_id = $1 and id = any($2::bigint[])', [
    tenantId,
    changes.map(({ id }) => id),
  ])
  if (isFinal && blocked.length > 0 && changes.length < batchSize)
    throw new Error(`rows of ${blocked.map(([table]) => table.name).join(', ')} did not fit into the target`)
  return changes.length
}

export async function requeue(
  source: MoveSessions['source'],
  tenantId: string,
  table: MovedTable,
  keys: readonly Key[],
): Promise<void> {
  await source.run(
    `insert into workspace_move_changes (tenant_id, table_name, key)
     select $1, $2, array(select json_array_elements_text(k.key)) from unnest($3::json[]) as k (key)`,
    [tenantId, table.name, keys.map(toText)],
  )
}

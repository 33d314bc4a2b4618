/** Copies the tables that are written ahead of the switch, in chunks. Progress is committed with the rows. */

import type { MovedTable } from './catalog.ts'
import { applyChanges, requeue } from './changes.ts'
import { insertRows, type Key, readNext } from './rows.ts'
import type { MoveSessions, TableProgress } from './types.ts'

const chunkSize = 2_000
/** A round of changes costs several statements for each table that was written. */
const applyEveryMs = 2_000

interface Progress {
  lastKey: Key | null
  rows: number
  isComplete: boolean
}

export const isCopied = ({ treatment }: MovedTable): boolean => treatment.kind === 'copied'

/** Continues where an earlier run ended. */
export async function copyTables(
  move: MoveSessions,
  onProgress: (progress: TableProgress) => void,
): Promise<void> {
  let appliedAt = performance.now()
  for (const table of move.tables.filter(isCopied)) {
    let progress = await readProgress(move, table)
    while (!progress.isComplete) {
      progress = await copyChunk(move, table, progress)
      onProgress({ table: table.name, rows: progress.rows, isComplete: progress.isComplete })
      if (performance.now() - appliedAt < applyEveryMs) continue
      await applyChanges(move)
      appliedAt = performance.now()
    }
  }
}

async function copyChunk(
  { source, target, tenantId }: MoveSessions,
  table: MovedTable,
  { lastKey, rows }: Progress,
): Promise<Progress> {
  const chunk = await readNext(source, table, tenantId, { after: lastKey ?? undefined, limit: chunkSize })
  const next = {
    lastKey: chunk.at(-1)?.key ?? lastKey,
    rows: rows + chunk.length,
    isComplete: chunk.length < chunkSize,
  }
  await target.transact(async () => {
    const missing = await insertRows(target, table, chunk)
    // A change was applied ahead of this chunk, or the row in the way is about to be changed.
    if (missing.length > 0) await requeue(source, tenantId, table, missing)
    await target.run(
      `insert into workspace_move_progress (tenant_id, table_name, last_key, row_count, is_complete)
       values ($1, $2, $3, $4, $5)
       on conflict (tenant_id, table_name) do update set last_key = excluded.last_key, row_count = excluded.row_count,
         is_complete = excluded.is_complete`,
      [tenantId, table.name, next.lastKey, next.rows, next.isComplete],
    )
  })
  return next
}

async function readProgress({ target, tenantId }: MoveSessions, table: MovedTable): Promise<Progress> {
  const [row] = await target.rows<Progress>(
    `select last_key as "lastKey", row_count as rows, is_complete as "isComplete" from workspace_move_progress
     where tenant_id = $1 and table_name = $2`,
    [tenantId, table.name],
  )
  return row ?? { lastKey: null, rows: 0, isComplete: false }
}

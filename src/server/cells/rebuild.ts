/** Fills the directory from the cells: by `parley directory rebuild`, and when a process meets a new cell. */
import type { Deps } from '../../platform/deps.ts'
import {
  deleteWorkspaces,
  hasWorkspace,
  insertConnected,
  insertWorkspaces,
  listCells,
  listConnected,
  listRecordedWorkspaces,
  listWorkspaceIds,
  upsertIndexed,
} from './store.ts'

const batchSize = 5_000

export interface RebuildResult {
  workspaces: number
  accounts: number
  /** Records of workspaces that the cell does not have. */
  removed: number
  /** Accounts that are connected in two workspaces. */
  conflicts: { channel: string; externalId: string; tenantId: string }[]
}

/** Records the workspaces and accounts of a cell, and removes records of workspaces that it does not have. */
export async function rebuildCell(home: Deps, cell: Deps): Promise<RebuildResult> {
  const result: RebuildResult = { workspaces: 0, accounts: 0, removed: 0, conflicts: [] }
  const recorded = await listRecordedWorkspaces(home.db, cell.cell.name)
  const existing = new Set<string>()
  for (let after = ''; ; ) {
    const ids = await listWorkspaceIds(cell.db, after, batchSize)
    for (const id of ids) existing.add(id)
    result.workspaces += await insertWorkspaces(home.db, cell.cell.name, ids)
    if (ids.length < batchSize) break
    after = ids.at(-1)!
  }
  const missing = recorded.filter(id => !existing.has(id))
  // A workspace may have been created after the list was read.
  const stale = (
    await Promise.all(missing.map(async id => ((await hasWorkspace(cell.db, id)) ? [] : [id])))
  ).flat()
  await deleteWorkspaces(home.db, cell.cell.name, stale)
  result.removed = stale.length
  for (let after = ''; ; ) {
    const accounts = await listConnected(cell.db, after, batchSize)
    result.conflicts.push(...(await insertConnected(home.db, accounts)))
    result.accounts += accounts.length
    if (accounts.length < batchSize) break
    after = accounts.at(-1)!.id
  }
  await upsertIndexed(home.db, cell.cell.name)
  return result
}

/** Rebuilds the directory for a cell that it does not know. */
export async function indexNewCell(home: Deps, cell: Deps): Promise<void> {
  const known = await listCells(home.db)
  if (known.some(row => row.name === cell.cell.name && row.indexedAt !== null)) return
  const { conflicts, ...counts } = await rebuildCell(home, cell)
  cell.log.info({ cell: cell.cell.name, ...counts }, 'cell added to the directory')
  for (const conflict of conflicts)
    cell.log.error(conflict, 'an account is connected in two workspaces; disconnect it in one')
}

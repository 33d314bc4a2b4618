/** Opens the databases of an installation for commands, whether the service is running or not. */
import { type Config, ConfigError } from '../../platform/config.ts'
import { migrate } from '../../platform/db/migrate.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Logger } from '../../platform/log.ts'
import { connectToRunningDatabase } from '../database/database.ts'
import type { Cell } from './cell.ts'
import { assertKnown, openCells, openOnlyCell } from './open.ts'
import { prepareCell } from './supervise.ts'

export interface Installation {
  /** The cell of a workspace; any cell for an unknown one. */
  of(tenantId: string): Promise<Deps>
  /** Returns the cell of this name, or all. Throws if one of them is unreachable. */
  select(name?: string): readonly Deps[]
  /** The cell of this name, or the one with the most room for a new workspace. */
  place(name?: string): Promise<Deps>
  cells: readonly Cell[]
  close(): Promise<void>
}

export async function openInstallation(config: Config, log: Logger): Promise<Installation> {
  const { cells, close } =
    config.databaseCells.length > 0 ? await openAll(config, log) : await openOnly(config, log)
  const { deps } = cells[0]!
  const select = (name?: string) => {
    if (name !== undefined) assertKnown(config, [name])
    return cells.filter(cell => name === undefined || cell.name === name).map(requireUsable)
  }
  return {
    cells,
    close,
    select,
    of: async tenantId => deps.cells.of(tenantId),
    place: async name => (name === undefined ? deps.cells.place() : select(name)[0]!),
  }
}

function requireUsable(cell: Cell): Deps {
  if (!cell.isUsable) throw new ConfigError(`the database of the cell ${cell.name} is not reachable`)
  return cell.deps
}

async function openOnly(config: Config, log: Logger) {
  const database = await connectToRunningDatabase(config, log)
  try {
    if (!database.borrowed) await migrate(database.direct)
    const { cells, close } = await openOnlyCell(config, log, database)
    return { cells, close: () => close().finally(database.close) }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Cells that are unreachable are left out, so that a command for a workspace of another cell works. */
async function openAll(config: Config, log: Logger) {
  const { cells, close } = await openCells(config, log, undefined)
  const stopClocks: (() => void)[] = []
  const prepared = await Promise.allSettled(
    cells.map(async cell => {
      stopClocks.push(await prepareCell(cell))
      cell.isUsable = true
    }),
  )
  const closeAll = async () => {
    for (const stop of stopClocks) stop()
    await close()
  }
  const failed = prepared.filter(result => result.status === 'rejected')
  if (failed.length < cells.length) return { cells, close: closeAll }
  await closeAll()
  throw failed[0]!.reason
}

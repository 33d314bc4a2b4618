/** Starts the cells of a process: connects, prepares and watches them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError } from '../../platform/config.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Logger } from '../../platform/log.ts'
import { openDatabase, shareDatabase } from '../database/database.ts'
import type { Cell } from './cell.ts'
import { watchMoves } from './move/watch.ts'
import { type OpenCells, openCells, openOnlyCell } from './open.ts'
import { indexNewCell } from './rebuild.ts'
import { superviseCell } from './supervise.ts'

export interface StartedCells extends OpenCells {
  /** Resolves with the reason when the only database cannot be restarted. */
  lost: Promise<string>
  /**
   * Calls `start` for each served cell when it is prepared. Resolves when each cell was tried and one is usable.
   */
  begin(start: (cell: Cell) => Promise<void>): Promise<void>
}

export function startCells(
  config: Config,
  log: Logger,
  served: readonly string[] | undefined,
  { completesMoves }: { completesMoves: boolean },
): Promise<StartedCells> {
  if (config.databaseCells.length > 0) return startSeveral(config, log, served, completesMoves)
  if (served) throw new ConfigError('--cells needs DATABASE_CELLS')
  return startOnly(config, log)
}

async function startOnly(config: Config, log: Logger): Promise<StartedCells> {
  const database = await openDatabase(config, log)
  const closers = [database.close]
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each()
  }
  try {
    const migrations = await retryConnection(log, () => migrate(database.direct))
    if (migrations.length > 0) log.info({ migrations }, 'migrated')
    closers.push(await shareDatabase(config, database))
    const opened = await openOnlyCell(config, log, database)
    closers.push(opened.close)
    const begin = (start: (cell: Cell) => Promise<void>) =>
      retryConnection(log, () => start(opened.cells[0]!))
    return { cells: opened.cells, lost: database.lost, begin, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startSeveral(
  config: Config,
  log: Logger,
  served: readonly string[] | undefined,
  completesMoves: boolean,
): Promise<StartedCells> {
  const { cells, close } = await openCells(config, log, served)
  const stops: (() => void)[] = []
  const home = cells[0]!
  const begin = async (start: (cell: Cell) => Promise<void>) => {
    const supervisions = cells
      .filter(cell => cell.isServed || cell === home)
      .map(cell => superviseCell(cell, () => startPrepared(cell, start)))
    stops.push(...supervisions.map(({ stop }) => stop))
    await Promise.all(supervisions.map(({ attempted }) => attempted))
    await waitUntilUsable(cells)
  }
  async function startPrepared(cell: Cell, start: (cell: Cell) => Promise<void>): Promise<void> {
    if (!cell.isServed) return
    stops.push(watchMoves(cell, { cells, completes: completesMoves }))
    void retryForever(cell, stops, () => start(cell))
    void retryForever(cell, stops, () => indexNewCell(home.deps, cell.deps))
  }
  return {
    cells,
    lost: new Promise(() => {}),
    begin,
    close: async () => {
      for (const stop of stops) stop()
      await close()
    },
  }
}

/** Retries a step of a cell while one of the databases that it uses is unreachable. */
async function retryForever(cell: Cell, stops: (() => void)[], step: () => Promise<void>): Promise<void> {
  let stopped = false
  stops.push(() => {
    stopped = true
  })
  while (!stopped) {
    try {
      return await step()
    } catch (error) {
      if (!stopped) cell.deps.log.warn({ err: error }, 'a step of the start of the cell failed; retrying')
      await sleep(2_000, undefined, { ref: false })
    }
  }
}

const connectTimeoutMs = 60_000

async function waitUntilUsable(cells: readonly Cell[]): Promise<void> {
  const deadline = performance.now() + connectTimeoutMs
  while (!cells.some(cell => cell.isServed && cell.isUsable)) {
    if (performance.now() > deadline) throw new ConfigError('no cell of DATABASE_CELLS is reachable')
    await sleep(200)
  }
}

/** Retries a step of the start while the database is restarting or the machine stalls. */
export async function retryConnection<T>(log: Logger, step: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + connectTimeoutMs; ; ) {
    try {
      return await step()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error
      log.warn({ err: error }, 'database not reachable yet; retrying')
      await sleep(500)
    }
  }
}

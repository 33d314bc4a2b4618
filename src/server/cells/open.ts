/** Opens the databases of an installation: the only one, or its cells. */
import { inProcessBus } from '../../platform/bus/bus.ts'
import type { CellConfig } from '../../platform/cell-config.ts'
import { onlyCellName } from '../../platform/cells.ts'
import { type Config, ConfigError } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { createKeys } from '../../platform/encryption/keys.ts'
import type { Logger } from '../../platform/log.ts'
import type { Tracing } from '../../platform/tracing/tracing.ts'
import { type Database, toConnection } from '../database/database.ts'
import {
  connectCell,
  createDeps,
  createSharedDeps,
  openCellBus,
  openTracing,
  type SharedDeps,
} from '../deps.ts'
import { createAccounts } from './accounts.ts'
import { type Cell, failUnreachable, useCell } from './cell.ts'
import { Directory } from './directory.ts'
import { createPlacement } from './placement.ts'

export interface OpenCells {
  /** In the order of the configuration, the home cell first. */
  cells: readonly Cell[]
  close(): Promise<void>
}

/** Opens a database that is reachable and migrated as the only cell. */
export async function openOnlyCell(config: Config, log: Logger, database: Database): Promise<OpenCells> {
  const deps = await createDeps(config, log, database)
  return {
    cells: [{ name: onlyCellName, deps, database, isServed: true, isUsable: true }],
    close: deps.close,
  }
}

/** Creates the cells of DATABASE_CELLS. They are usable once `superviseCell` has prepared them. */
export async function openCells(
  config: Config,
  log: Logger,
  served: readonly string[] | undefined,
): Promise<OpenCells> {
  assertKnown(config, served)
  const tracing = await openTracing(config, log)
  const keys = createKeys(config.secretKey!, config.oldSecretKeys)
  const shared = await createSharedDeps(config, log, keys, tracing)
  const cells = await Promise.all(
    config.databaseCells.map((each, n) =>
      openCell(shared, each, {
        isServed: served?.includes(each.name) ?? true,
        isHome: n === 0,
        tracing,
      }),
    ),
  )
  const closeDirectory = connectCells(cells)
  return {
    cells,
    close: async () => {
      closeDirectory()
      await shared.close()
      await Promise.all(cells.map(({ deps }) => Promise.all([deps.bus.close(), deps.db.close()])))
    },
  }
}

export function assertKnown(config: Config, names: readonly string[] | undefined): void {
  const known = config.databaseCells.map(({ name }) => name)
  const unknown = names?.filter(name => !known.includes(name)) ?? []
  if (unknown.length > 0)
    throw new ConfigError(
      `unknown cell ${unknown.join(', ')}: DATABASE_CELLS has ${known.join(', ') || 'none'}`,
    )
}

const never = new Promise<string>(() => {})

async function openCell(
  shared: SharedDeps,
  { name, url, directUrl, replicaUrl }: CellConfig,
  { isServed, isHome, tracing }: { isServed: boolean; isHome: boolean; tracing: Tracing | undefined },
): Promise<Cell> {
  const { config } = shared
  const log = shared.log.child({ cell: name })
  const database: Database = {
    connection: { connectionString: url },
    direct: { connectionString: directUrl ?? url },
    replica: toConnection(replicaUrl),
    lost: never,
    close: async () => {},
  }
  const { db, clock } = connectCell({ config, log, tracing }, database)
  const bus = isServed || isHome ? await openCellBus(config, name, database, log) : inProcessBus()
  const parts = { ...shared, log, db, clock, bus, caches: db.caches, cell: { name } }
  return { name, deps: parts as unknown as Deps, database, isServed, isUsable: false }
}

/** Gives each cell the view of the installation. Returns a function that ends it. */
export function connectCells(cells: readonly Cell[]): () => void {
  const home = cells[0]!
  const directory = new Directory(cells)
  const findMissing = () => cells.find(cell => !(cell.isServed && cell.isUsable))
  const port: Deps['cells'] = {
    home: home.deps,
    size: cells.length,
    all: cells.filter(cell => cell.isServed).map(({ deps }) => deps),
    usable() {
      const usable = cells.filter(cell => cell.isServed && cell.isUsable)
      return usable.length > 0 ? usable.map(({ deps }) => deps) : failUnreachable(home.name)
    },
    get isComplete() {
      return findMissing() === undefined
    },
    assertComplete() {
      const missing = findMissing()
      if (missing) useCell(missing)
    },
    of: tenantId => directory.of(tenantId),
    find: (key, findTenant) => directory.find(key, findTenant),
    relocate: (tenantId, cell) => directory.relocate(tenantId, cell),
    place: createPlacement(cells),
    record: (tenantId, deps) => directory.record(tenantId, deps),
    reserve: createAccounts(cells, directory),
  }
  for (const { deps } of cells) deps.cells = port
  return directory.close
}

/**
 * With TEST_CELLS=3 a test file runs in an installation of three cells. Its workspaces are in the last cell, which is the one
 * that the file gets. With `spread` each new workspace is in the next cell.
 */
import { inProcessBus } from '../../src/platform/bus/bus.ts'
import { inOneCell } from '../../src/platform/cells.ts'
import type { Config } from '../../src/platform/config.ts'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import type { Cell } from '../../src/server/cells/cell.ts'
import { connectCells } from '../../src/server/cells/open.ts'
import { testDatabase } from './database.ts'
import { otherDeps, type TestDeps } from './other-process.ts'

export interface TestCell {
  deps: TestDeps
  connection: ConnectionConfig
}

export interface TestInstallation {
  /** The last one is that of the file. */
  cells: readonly TestCell[]
  /** Returns the cell of a new workspace. */
  place(): TestDeps
}

const count = Number(process.env.TEST_CELLS ?? 1)

export async function addOtherCells(own: TestCell, spread: boolean): Promise<TestInstallation> {
  if (count < 2) return { cells: [own], place: () => own.deps }
  const others = await Promise.all(
    Array.from({ length: count - 1 }, async () => {
      const { db, connection } = await testDatabase(own.deps.clock)
      const deps = inOneCell({ ...own.deps, db, bus: inProcessBus(), caches: db.caches })
      return { deps, connection }
    }),
  )
  return connect([...others, own], spread)
}

/** Builds the dependencies of another process on the same databases. */
export function copyInstallation(
  { cells }: TestInstallation,
  config: Partial<Config> | undefined,
  spread: boolean,
): TestInstallation {
  const copies = cells.map(({ deps, connection }) => ({
    deps: otherDeps(deps, connection, config),
    connection,
  }))
  return copies.length === 1 ? { cells: copies, place: () => copies[0]!.deps } : connect(copies, spread)
}

function connect(cells: readonly TestCell[], spread: boolean): TestInstallation {
  connectCells(cells.map((cell, n) => toCell(`cell-${n + 1}`, cell)))
  let created = 0
  const place = () => cells[spread ? created++ % cells.length : cells.length - 1]!.deps
  const port = { ...cells[0]!.deps.cells, place }
  for (const { deps } of cells) deps.cells = port
  return { cells, place }
}

function toCell(name: string, { deps, connection }: TestCell): Cell {
  deps.cell = { name }
  const lost = new Promise<string>(() => {})
  const database = { connection, direct: connection, lost, close: async () => {} }
  return { name, deps, database, isServed: true, isUsable: true }
}

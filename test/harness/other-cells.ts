/**
 * With TEST_CELLS=3 a test file runs in the third cell of an installation: its workspaces are found through the directory
 * of the home cell, and other cells are asked where a request names no workspace.
 */
import { inProcessBus } from '../../src/platform/bus/bus.ts'
import { inOneCell } from '../../src/platform/cells.ts'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { Cell } from '../../src/server/cells/cell.ts'
import { connectCells } from '../../src/server/cells/open.ts'
import { testDatabase } from './database.ts'

const count = Number(process.env.TEST_CELLS ?? 1)

export async function addOtherCells(deps: Deps, connection: ConnectionConfig): Promise<void> {
  if (count < 2) return
  const others = await Promise.all(
    Array.from({ length: count - 1 }, async (_, n) => {
      const { db, connection } = await testDatabase()
      const parts = { ...deps, db, bus: inProcessBus(), caches: db.caches }
      return toCell(`cell-${n + 1}`, inOneCell(parts), connection)
    }),
  )
  connectCells([...others, toCell(`cell-${count}`, deps, connection)])
  deps.cells = { ...deps.cells, place: () => deps }
}

function toCell(name: string, deps: Deps, connection: ConnectionConfig): Cell {
  deps.cell = { name }
  const lost = new Promise<string>(() => {})
  const database = { connection, direct: connection, lost, close: async () => {} }
  return { name, deps, database, isServed: true, isUsable: true }
}

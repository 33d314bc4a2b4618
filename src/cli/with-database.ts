/** Opens the databases for commands, whether the service is running or not. */
import { type Config, readConfig } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { createLog } from '../platform/log.ts'
import { type Installation, openInstallation } from '../server/cells/commands.ts'
import { connectToRunningDatabase, type Database } from '../server/database/database.ts'

export async function withDatabase(
  work: (database: Database, config: Config) => Promise<void>,
  { create }: { create: boolean } = { create: false },
): Promise<void> {
  const config = readConfig(process.env)
  const database = await connectToRunningDatabase(config, createLog('silent'), create)
  try {
    await work(database, config)
  } finally {
    await database.close()
  }
}

export async function withInstallation(work: (installation: Installation) => Promise<void>): Promise<void> {
  const installation = await openInstallation(readConfig(process.env), createLog('silent'))
  try {
    await work(installation)
  } finally {
    await installation.close()
  }
}

/** Runs a command in the cell of a workspace. */
export function withWorkspace(tenantId: string, work: (deps: Deps) => Promise<void>): Promise<void> {
  return withInstallation(async installation => work(await installation.of(tenantId)))
}

export const cellFlag = {
  cell: { type: 'string', description: 'Only this cell of DATABASE_CELLS' },
} as const

/** Runs a command in the selected cells, one after the other: that of a workspace, the named one, or all. */
export function withCells<T>(
  { tenant, cell }: { tenant?: string; cell?: string },
  work: (deps: Deps) => Promise<T>,
  finish: (results: { cell: string; result: T }[]) => void,
): Promise<void> {
  return withInstallation(async installation => {
    const selected =
      tenant && !cell ? [await installation.of(tenant)] : installation.select(cell === '' ? undefined : cell)
    const results: { cell: string; result: T }[] = []
    for (const deps of selected) results.push({ cell: deps.cell.name, result: await work(deps) })
    finish(results)
  })
}

export const jsonFlag = {
  json: { type: 'boolean', description: 'Print JSON, for programs', default: false },
} as const

export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
}

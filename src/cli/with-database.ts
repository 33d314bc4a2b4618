/** Opens the database for commands, whether the service is running or not. */
import { type Config, readConfig } from '../platform/config.ts'
import { migrate } from '../platform/db/migrate.ts'
import type { Deps } from '../platform/deps.ts'
import { createLog } from '../platform/log.ts'
import { connectToRunningDatabase, type Database } from '../server/database/database.ts'
import { createDeps } from '../server/deps.ts'

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

export function withDeps(work: (deps: Deps) => Promise<void>): Promise<void> {
  return withDatabase(async (database, config) => {
    if (!database.borrowed) await migrate(database.direct)
    const deps = await createDeps(config, createLog('silent'), database)
    try {
      await work(deps)
    } finally {
      await deps.close()
    }
  })
}

export const jsonFlag = {
  json: { type: 'boolean', description: 'Print JSON, for programs', default: false },
} as const

export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
}

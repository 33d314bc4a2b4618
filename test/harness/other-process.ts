/** The dependencies of another process on the same database: its connections and signals are its own. */
import { afterAll } from 'vitest'
import { inProcessBus } from '../../src/platform/bus/bus.ts'
import { inOneCell } from '../../src/platform/cells.ts'
import type { Config } from '../../src/platform/config.ts'
import { type ConnectionConfig, connectDb } from '../../src/platform/db/db.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { MovableClock } from './clock.ts'

export type TestDeps = Deps & { clock: MovableClock }

export function otherDeps(
  deps: TestDeps,
  connection: ConnectionConfig,
  config: Partial<Config> = {},
): TestDeps {
  const db = connectDb({ connection, clock: deps.clock, readers: 2, writers: 8 })
  afterAll(() => db.close())
  const bus = inProcessBus()
  return inOneCell({ ...deps, db, bus, caches: db.caches, config: { ...deps.config, ...config } })
}

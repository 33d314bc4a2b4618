/** Builds the dependencies of a process for one test file: real parts, its own database and a movable clock. */
import path from 'node:path'
import type { DestinationStream } from 'pino'
import { afterAll } from 'vitest'
import { routes } from '../../src/app.ts'
import { buildRoleScopes } from '../../src/identity/rights/roles.ts'
import { resolveChannels } from '../../src/inboxes/channels.ts'
import { diskBlobs } from '../../src/platform/blobs/disk.ts'
import { inProcessBus } from '../../src/platform/bus/bus.ts'
import { inOneCell } from '../../src/platform/cells.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createKeys } from '../../src/platform/encryption/keys.ts'
import { createLog } from '../../src/platform/log.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { testDatabase } from './database.ts'
import { newFolder, removeFolder } from './folders.ts'
import { addOtherCells, type TestCell, type TestInstallation } from './other-cells.ts'
import type { TestDeps } from './other-process.ts'

export async function testDeps(
  env: Record<string, string> = {},
  logTo?: DestinationStream,
  { spread = false } = {},
): Promise<TestCell & { installation: TestInstallation }> {
  const { db, clock, connection } = await testDatabase()
  const dataDir = await newFolder('data')
  afterAll(() => removeFolder(dataDir))
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0', DATA_DIR: dataDir, ...env })
  const outbound = createOutbound({ policy: { allowCidrs: [], allowLoopback: true, ownPorts: [] } })
  afterAll(() => outbound.close({ graceMs: 0 }))
  const keys = createKeys('a secret of tests, and of nothing else')
  const deps: TestDeps = inOneCell({
    config,
    db,
    clock,
    log: createLog(config.logLevel, { destination: logTo }),
    keys,
    bus: inProcessBus(),
    outbound,
    blobs: diskBlobs(path.join(config.dataDir, 'blobs'), config.minFreeDiskMb * 1024 * 1024),
    channels: resolveChannels(config, keys),
    caches: db.caches,
    roleScopes: buildRoleScopes(routes),
  })
  const installation = await addOtherCells({ deps, connection }, spread)
  return { deps, connection, installation }
}

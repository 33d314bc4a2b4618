/**
 * Runs the whole service in this process on three cells: databases of the test server, each behind a proxy that a test can
 * cut, as if the machine of the database were lost.
 */
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import { type Config, readConfig } from '../../src/platform/config.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Installation, openInstallation } from '../../src/server/cells/commands.ts'
import { serve } from '../../src/server/serve.ts'
import { createTestWorkspace, type Workspace } from './api.ts'
import { testDatabase } from './database.ts'
import { newFolder, removeFolder } from './folders.ts'
import { startTcpProxy } from './tcp-proxy.ts'

export const cellNames = ['one', 'two', 'three'] as const
export type CellName = (typeof cellNames)[number]

export interface TestCells {
  url: string
  /** A view of the installation like that of a command: of another process. */
  installation: Installation
  deps: Record<CellName, Deps>
  workspace(cell: CellName, name?: string): Promise<Workspace>
  /** Makes the database of a cell unreachable. */
  cut(cell: CellName): void
  restore(cell: CellName): void
  /** Starts another process on some cells and returns its URL. */
  another(cells?: readonly string[]): Promise<string>
}

async function startCellDatabase() {
  const { connection } = await testDatabase()
  const server = inject('server')
  const url = new URL(server.connectionString ?? `postgres://${server.user}@localhost/`)
  const target = server.connectionString
    ? { host: url.hostname, port: Number(url.port || 5432) }
    : { path: path.join(server.host!, '.s.PGSQL.5432') }
  let isUp = true
  const proxy = await startTcpProxy(() => (isUp ? [target] : []))
  afterAll(proxy.close)
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  url.pathname = `/${connection.database ?? new URL(connection.connectionString!).pathname.slice(1)}`
  return {
    url: url.href,
    setUp(up: boolean) {
      isUp = up
      if (!up) proxy.cut()
    },
  }
}

export async function testCells(env: Record<string, string> = {}): Promise<TestCells> {
  const databases = Object.fromEntries(
    await Promise.all(cellNames.map(async name => [name, await startCellDatabase()] as const)),
  ) as Record<CellName, Awaited<ReturnType<typeof startCellDatabase>>>
  const read = async (): Promise<Config> => {
    const dataDir = await newFolder('cells')
    afterAll(() => removeFolder(dataDir))
    return readConfig({
      DATABASE_CELLS: cellNames.map(name => `${name}=${databases[name].url}`).join(','),
      SECRET_KEY: 'a secret of tests, and of nothing else',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: '0',
      DATA_DIR: dataDir,
      PORT: '0',
      SIGNUP: 'open',
      OUTBOUND_LOOPBACK: 'on',
      DATABASE_WRITERS: '4',
      ...env,
    })
  }
  const service = await serve(await read())
  afterAll(() => service.stop())
  const installation = await openInstallation(await read(), createLog('silent'))
  afterAll(() => installation.close())
  const deps = Object.fromEntries(installation.cells.map(cell => [cell.name, cell.deps] as const)) as Record<
    CellName,
    Deps
  >
  return {
    url: service.url,
    installation,
    deps,
    workspace: async (cell, name) => {
      const workspace = await createTestWorkspace(service.url, deps[cell], name)
      await deps[cell].cells.record(workspace.tenantId, deps[cell])
      return workspace
    },
    cut: cell => databases[cell].setUp(false),
    restore: cell => databases[cell].setUp(true),
    another: async cells => {
      const other = await serve(await read(), { roles: ['http'], cells })
      afterAll(() => other.stop())
      return other.url
    },
  }
}

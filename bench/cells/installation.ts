/** Three database servers, and the program as a process of its own on the first one, two or three of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey, createServiceAccount } from '../../src/identity/service-accounts.ts'
import { createWorkspace } from '../../src/identity/workspace/tenants.ts'
import { readConfig } from '../../src/platform/config.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transact } from '../../src/platform/db/transact.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { createLog } from '../../src/platform/log.ts'
import { projectRoot } from '../../src/platform/project-root.ts'
import { openInstallation } from '../../src/server/cells/commands.ts'
import { getTreeCpuMs } from './process-cpu.ts'

export interface RunningService {
  url: string
  /** CPU time in milliseconds of the process, and of the servers of its cells. */
  cpu(): { service: number; servers: number }
  stop(): Promise<void>
}

export async function startServers(count: number) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'parley-cells-'))
  const servers = await Promise.all(
    Array.from({ length: count }, (_, n) => startEmbedded({ dataDir: path.join(root, `server ${n}`) })),
  )
  for (const { connection } of servers) await migrate(connection)
  const env = (cells: number) => ({
    DATABASE_CELLS: servers
      .slice(0, cells)
      .map(
        ({ connection: { host } }, n) =>
          `c${n}=postgres:///parley?host=${encodeURIComponent(host)}&user=parley`,
      )
      .join(','),
    SECRET_KEY: 'a secret of benchmarks, and of nothing else',
    DATA_DIR: path.join(root, 'data'),
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
  })
  const installation = await openInstallation(readConfig(env(count)), createLog('error'))
  const cells = installation.cells.map(({ deps }) => deps)
  return {
    cells,
    /** Starts the program on the first cells. */
    start: (used: number) =>
      startService(env(used), () =>
        servers.slice(0, used).reduce((sum, server) => sum + getTreeCpuMs(server.pid), 0),
      ),
    async stop() {
      await installation.close()
      await Promise.all(servers.map(server => server.stop()))
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function startService(env: Record<string, string>, serversCpu: () => number): Promise<RunningService> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  const child: ChildProcess = spawn(process.execPath, [path.join(projectRoot, 'bin/parley.js'), 'serve'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      response => response.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('the service ended')
    await sleep(100)
  }
  return {
    url,
    cpu: () => ({ service: getTreeCpuMs(child.pid!), servers: serversCpu() }),
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

/** Creates a workspace in a cell and returns an API key of it. */
export async function createKey(deps: Deps, name: string): Promise<string> {
  return transact(deps.db, async tx => {
    const owner = { name, email: `${name}@example.com`, passwordHash: null }
    const { tenantId, ownerId } = await createWorkspace(tx, { name, owner })
    const caller = {
      tenantId,
      id: ownerId,
      kind: 'user' as const,
      role: 'owner' as const,
      scopes: deps.roleScopes.owner,
      teamIds: [],
    }
    const { id } = await createServiceAccount(deps, tx, caller, { name: 'Robot' })
    return (await createApiKey(deps, tx, caller, id, { name: 'Key' })).key
  })
}

/** Waits until all accepted messages are delivered and their events are in the log. */
export async function waitUntilIdle(cells: readonly Deps[]): Promise<void> {
  for (const { db } of cells)
    for (;;) {
      const { waiting } = await db.one<{ waiting: number }>(sql`
        select (select count(*) from outbox) + (select count(*) from messages where status in ('pending', 'sent')) as waiting`)
      if (waiting === 0) break
      await sleep(100)
    }
}

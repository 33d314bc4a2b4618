/** Three cells with PostgreSQL servers of their own, which a test can crash and restart. */
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { startTcpProxy } from '../harness/tcp-proxy.ts'
import { fresh, parley, prepareDataDir, scratch } from './program.ts'

export const cellNames = ['one', 'two', 'three'] as const
export type CellName = (typeof cellNames)[number]

async function startServer(root: string, name: string) {
  const dataDir = fresh(root, name)
  await prepareDataDir(dataDir)
  let server: Awaited<ReturnType<typeof startEmbedded>> | undefined = await startEmbedded({ dataDir })
  const proxy = await startTcpProxy(() =>
    server ? [{ path: path.join(server.connection.host as string, '.s.PGSQL.5432') }] : [],
  )
  return {
    url: `postgres://parley@127.0.0.1:${proxy.port}/parley`,
    /** An immediate shutdown, as of a lost machine. */
    async crash() {
      const crashed = server!
      server = undefined
      process.kill(crashed.pid, 'SIGQUIT')
      await crashed.exited
      proxy.cut()
    },
    async restart() {
      server = await startEmbedded({ dataDir })
    },
    async stop() {
      proxy.close()
      await server?.stop()
    },
  }
}

export async function startInstallation() {
  const root = scratch()
  const started = await Promise.all(
    cellNames.map(async name => [name, await startServer(root, name)] as const),
  )
  const servers = Object.fromEntries(started) as Record<CellName, Awaited<ReturnType<typeof startServer>>>
  onTestFinished(async () => void (await Promise.all(started.map(([, server]) => server.stop()))))
  const env = {
    DATABASE_CELLS: cellNames.map(name => `${name}=${servers[name].url}`).join(','),
    SECRET_KEY: 'a secret of tests, and of nothing else',
    DATA_DIR: fresh(root, 'data'),
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  const json = async (...args: string[]): Promise<any> => {
    const { code, stdout, stderr } = await parley([...args, '--json'], env)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const createKey = async (cell: CellName): Promise<string> => {
    const place = ['--name', cell, '--email', `${cell}@example.com`, '--cell', cell]
    const { tenantId } = await json('workspace', 'create', ...place)
    return (await json('key', 'create', '--tenant', tenantId, '--name', 'Robot')).key
  }
  /** Starts a server that no cell uses. */
  const startSpare = async () => {
    const spare = await startServer(root, 'spare')
    onTestFinished(() => spare.stop())
    return spare
  }
  return { servers, env, json, createKey, startSpare }
}

/** The program on three cells with servers of their own: its commands, and servers that crash under load. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { startTcpProxy } from '../harness/tcp-proxy.ts'
import { within } from '../harness/wait.ts'
import { eventually, fresh, parley, prepareDataDir, scratch, start } from './program.ts'

const root = scratch()
const names = ['one', 'two', 'three'] as const
type Name = (typeof names)[number]

async function startServer(name: Name) {
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

async function startInstallation() {
  const started = await Promise.all(names.map(async name => [name, await startServer(name)] as const))
  const servers = Object.fromEntries(started) as Record<Name, Awaited<ReturnType<typeof startServer>>>
  onTestFinished(async () => void (await Promise.all(started.map(([, server]) => server.stop()))))
  const env = {
    DATABASE_CELLS: names.map(name => `${name}=${servers[name].url}`).join(','),
    SECRET_KEY: 'a secret of tests, and of nothing else',
    DATA_DIR: fresh(root, 'data'),
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  const json = async (...args: string[]): Promise<any> => {
    const { code, stdout, stderr } = await parley([...args, '--json'], env)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const createKey = async (cell: Name): Promise<string> => {
    const place = ['--name', cell, '--email', `${cell}@example.com`, '--cell', cell]
    const { tenantId } = await json('workspace', 'create', ...place)
    return (await json('key', 'create', '--tenant', tenantId, '--name', 'Robot')).key
  }
  return { servers, env, json, createKey }
}

test('commands list, close and open cells, find the cell of a workspace, or run in all', async () => {
  const { json, env } = await startInstallation()
  expect(await json('migrate')).toEqual({ applied: [] })
  expect((await json('cell', 'list')).cells).toEqual([
    { name: 'one', home: true, reachable: true, open: true },
    { name: 'two', home: false, reachable: true, open: true },
    { name: 'three', home: false, reachable: true, open: true },
  ])
  for (const name of ['one', 'three']) await json('cell', 'close', name)
  const { tenantId } = await json('workspace', 'create', '--name', 'Placed', '--email', 'sam@example.com')
  expect(await json('directory', 'rebuild')).toMatchObject({
    cells: [
      { cell: 'one', workspaces: 0 },
      { cell: 'two', workspaces: 0, removed: 0 },
      { cell: 'three', workspaces: 0 },
    ],
  })
  await json('cell', 'open', 'one')
  expect((await json('cell', 'list')).cells.map(({ open }: { open: boolean }) => open)).toEqual([
    true,
    true,
    false,
  ])
  expect(await json('user', 'invite', '--tenant', tenantId, '--email', 'kim@example.com')).toMatchObject({
    role: 'agent',
  })
  expect(await json('jobs', 'list')).toEqual({ jobs: [] })
  expect((await json('adopt')).adopted.id).toMatch(/^database /)
  const ambiguous = await parley(['jobs', 'retry', '--id', '1'], env)
  expect(ambiguous).toMatchObject({ code: 1, stderr: expect.stringContaining('--id needs --cell') })
  const unknown = await parley(['jobs', 'list', '--cell', 'four'], env)
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATABASE_CELLS has one, two, three'),
  })
  const both = await parley(['jobs', 'list'], { ...env, DATABASE_URL: 'postgres://localhost/x' })
  expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining('are both set') })
})

test('a cell whose server crashes under load and comes back stops no workspace of another cell', async () => {
  const { servers, env, createKey } = await startInstallation()
  const keys = { one: await createKey('one'), two: await createKey('two'), three: await createKey('three') }
  const service = await start({ dataDir: env.DATA_DIR, env, prepared: false })
  await service.ready()
  const calls: { cell: Name; at: number; ms: number; status: number; body: string }[] = []
  let stopped = false
  const load = names.map(async cell => {
    const headers = { authorization: `Bearer ${keys[cell]}`, 'content-type': 'application/json' }
    for (let n = 0; !stopped; n++) {
      const at = performance.now()
      const body = JSON.stringify({ name: `contact ${n}` })
      const response = await fetch(`${service.url}/v1/contacts`, { method: 'POST', headers, body })
      const answer = await response.text()
      calls.push({
        cell,
        at,
        ms: performance.now() - at,
        status: response.status,
        body: answer.slice(0, 300),
      })
      await sleep(20)
    }
  })
  const listErrors = (cell: Name) => calls.filter(call => call.cell === cell && call.status !== 201)
  await sleep(3_000)
  for (const lost of ['two', 'one'] as const) {
    const began = performance.now()
    await servers[lost].crash()
    await sleep(3_000)
    await servers[lost].restart()
    const ended = performance.now()
    expect(
      await eventually(() =>
        calls.some(call => call.cell === lost && call.at > ended && call.status === 201),
      ),
    ).toBe(true)
    // Requests of the lost cell are refused, not kept waiting.
    const refused = listErrors(lost)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(within(2_000))
    const others = calls.filter(call => call.cell === 'three')
    const during = others.filter(call => call.at > began && call.at < ended)
    const before = others.filter(call => call.at < began)
    process.stdout.write(
      `p99 of cell three: ${p99(before)} ms before, ${p99(during)} ms while ${lost} was lost\n`,
    )
    expect(p99(during)).toBeLessThan(within(500))
  }
  stopped = true
  await Promise.all(load)
  expect(listErrors('three')).toEqual([])
  expect(calls.filter(({ cell }) => cell === 'three').length).toBeGreaterThan(50)
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

function p99(calls: readonly { ms: number }[]): number {
  const times = calls.map(({ ms }) => ms).sort((a, b) => a - b)
  return Math.round(times[Math.floor(times.length * 0.99)] ?? 0)
}

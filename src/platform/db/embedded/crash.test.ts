import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { within } from '../../../../test/harness/wait.ts'
import { findPackage } from './binaries.ts'
import { readClusterLocation } from './cluster-location.ts'
import { buildCommand } from './launch-mode.ts'
import { toClusterName } from './orphans.ts'
import { findServersIn } from './processes.ts'
import {
  alive,
  buildLinked,
  eventually,
  getServer,
  killServices,
  pathWith,
  query,
  scratch,
  startService,
} from './testing/harness.ts'
import { findTools } from './tools.ts'

const { folder, newFolder, remove } = scratch()
const script = buildLinked(folder('service'))
const start = (dataDir: string, PATH?: string) => startService(script, dataDir, PATH ? { env: { PATH } } : {})
const untied = pathWith(folder('untied'), 'flock', 'unshare')
const watched = pathWith(folder('watched'), 'flock', 'unshare', 'sh')
const unlocked = pathWith(folder('unlocked'), 'unshare')

beforeAll(async () => {
  const service = start(folder('template'))
  await query((await getServer(service)).connection, 'create table kept as select 42 as answer')
  await service.stop()
})
afterEach(killServices)
afterAll(remove)

/** Everything that still runs in this data directory. */
function remains(dataDir: string): number[] {
  const cluster = path.join(dataDir, 'postgres')
  return findServersIn([cluster], toClusterName(cluster)).map(each => each.pid)
}

/** Starts on a copy of a directory with one committed row: much quicker than a first start. */
async function startWithRow(dataDir: string, PATH?: string) {
  spawnSync('cp', ['-a', folder('template'), dataDir])
  const service = start(dataDir, PATH)
  return { service, server: await getServer(service) }
}

async function expectRow(dataDir: string, PATH?: string): Promise<string[]> {
  const service = start(dataDir, PATH)
  const server = await getServer(service)
  expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
  await service.stop()
  expect(remains(dataDir)).toEqual([])
  return (await service.report).logged
}

/** A busy backend, which would not notice for a long time that its postmaster has ended. */
async function keepBusy(server: { connection: pg.ClientConfig }): Promise<number> {
  const client = new pg.Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  client.query('select count(*) from generate_series(1, 100000000000)').catch(() => {})
  await sleep(100)
  return rows[0]?.pid ?? 0
}

test('kill -9 of the service ends the server, and the next start has every committed row', async () => {
  const dataDir = newFolder('kill')
  const { service, server } = await startWithRow(dataDir)
  await keepBusy(server)
  await service.kill()
  expect(await eventually(() => remains(dataDir).length === 0)).toBe(true)
  await expectRow(dataDir)
})

test('kill -9 and immediately a new start, while the old server is still ending', async () => {
  const dataDir = newFolder('at-once')
  const { service } = await startWithRow(dataDir)
  const killed = service.kill()
  const next = start(dataDir)
  await killed
  expect(await query((await getServer(next)).connection, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('where setpriv is missing, a watching shell ends the server', async () => {
  const dataDir = newFolder('watch')
  const { service, server } = await startWithRow(dataDir, watched)
  await service.kill()
  expect(await eventually(() => !alive(server.pid))).toBe(true)
  await expectRow(dataDir, watched)
})

const firstIn = (dataDir: string, start: string) =>
  readdirSync(dataDir).find(name => name.startsWith(start)) ?? ''
const phases: Record<string, (dataDir: string) => boolean> = {
  'beginning initdb': dataDir => firstIn(dataDir, 'postgres.init-') !== '',
  'filling the new cluster': dataDir =>
    existsSync(path.join(dataDir, firstIn(dataDir, 'postgres.init-'), 'base/5')),
  'moving it into place': dataDir => existsSync(path.join(dataDir, 'postgres')),
  'starting the server': dataDir => existsSync(path.join(dataDir, 'postgres/postmaster.pid')),
  'listening on the socket': dataDir => existsSync(path.join(dataDir, 'postgres/.s.PGSQL.5432')),
}

test('kill -9 at any moment of a first start: the next one comes up and leaves nothing behind', async () => {
  const killedWhile = async ([phase, reached]: [string, (dataDir: string) => boolean]) => {
    const dataDir = newFolder(phase)
    mkdirSync(dataDir)
    const service = start(dataDir)
    expect(await eventually(() => reached(dataDir)), phase).toBe(true)
    await service.kill()
    const next = start(dataDir)
    expect(await query((await getServer(next)).connection, 'select 1 as one'), phase).toEqual([{ one: 1 }])
    expect(firstIn(dataDir, 'postgres.init-'), phase).toBe('')
    await next.stop()
  }
  const all = Object.entries(phases)
  for (const pair of [0, 2, 4]) await Promise.all(all.slice(pair, pair + 2).map(killedWhile))
})

test('an orphaned server is stopped and replaced', async () => {
  const dataDir = newFolder('outlived')
  const { service, server } = await startWithRow(dataDir, untied)
  const backend = await keepBusy(server)
  await service.kill()
  await sleep(200)
  expect(alive(server.pid)).toBe(true)
  expect(await expectRow(dataDir)).toEqual([`stopping an orphaned database server (pid ${server.pid})`])
  expect([server.pid, backend].filter(alive)).toEqual([])
})

test('backends that outlived service and postmaster are ended first', async () => {
  const dataDir = newFolder('orphans')
  const { service, server } = await startWithRow(dataDir, untied)
  const backend = await keepBusy(server)
  await service.kill()
  process.kill(server.pid, 'SIGKILL')
  expect(await eventually(() => !alive(server.pid))).toBe(true)
  expect(remains(dataDir)).toContain(backend)
  const begin = performance.now()
  await expectRow(dataDir)
  expect(performance.now() - begin).toBeLessThan(within(9500))
  expect(alive(backend)).toBe(false)
})

test('a stale postmaster.pid and socket lock that name a live stranger or a zombie do not matter', async () => {
  const dataDir = newFolder('stale')
  const { service, server } = await startWithRow(dataDir)
  await service.kill()
  expect(await eventually(() => remains(dataDir).length === 0)).toBe(true)
  const stranger = spawn('sleep', ['600'])
  // The child ends after `sleep` has replaced the shell, which would have waited for it; `sleep` never does.
  const script = 'until grep -q sleep /proc/$$/comm; do sleep 0.01; done & echo $!; exec sleep 600'
  const neglectful = spawn('sh', ['-c', script])
  const zombie = await new Promise<string>(resolve =>
    neglectful.stdout.once('data', data => resolve(`${data}`.trim())),
  )
  const isZombie = () => readFileSync(`/proc/${zombie}/stat`, 'utf8').includes(') Z ')
  expect(await eventually(isZombie)).toBe(true)
  for (const pid of [stranger.pid, zombie]) {
    const lines = [pid, server.dataDir, 1, 5432, server.dataDir, '', '  1 1', 'ready', '']
    writeFileSync(path.join(server.dataDir, 'postmaster.pid'), lines.join('\n'))
    writeFileSync(path.join(server.dataDir, '.s.PGSQL.5432'), '')
    writeFileSync(path.join(server.dataDir, '.s.PGSQL.5432.lock'), lines.join('\n'))
    await expectRow(dataDir)
  }
  expect(stranger.exitCode).toBeNull()
  stranger.kill()
  neglectful.kill()
})

test.each([
  ['with', undefined],
  ['without', unlocked],
])(
  'while the owner lives, %s kernel locks, a second service is refused and disturbs nothing',
  async (word, PATH) => {
    const dataDir = newFolder(`owned-${word}`)
    const { service, server } = await startWithRow(dataDir, PATH)
    const { error } = await start(dataDir, PATH).report
    expect(error?.name).toBe('EmbeddedError')
    expect(error?.message).toContain(`another Parley (pid ${service.child.pid}) uses this data directory`)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await service.kill()
    await expectRow(dataDir, PATH)
  },
)

test('a server that another program started in the cluster is left alone', async () => {
  const dataDir = newFolder('foreign')
  const { service, server } = await startWithRow(dataDir)
  await service.stop()
  const location = readClusterLocation(dataDir)
  const way = { kind: location?.mode ?? 'direct', uid: location?.uid ?? 0, gid: location?.gid ?? 0 }
  const { native } = await findPackage()
  const args = ['-D', '.', '-c', 'listen_addresses=', '-c', 'unix_socket_directories=.']
  const foreign = buildCommand(way, await findTools(), path.join(native, 'bin/postgres'), args)
  const child = spawn(foreign.file, foreign.args, { cwd: server.dataDir })
  expect(await eventually(() => readdirSync(server.dataDir).includes('.s.PGSQL.5432'))).toBe(true)
  const { error } = await start(dataDir).report
  expect(error?.message).toContain(`a PostgreSQL server that Parley did not start (pid ${child.pid})`)
  expect(child.exitCode).toBeNull()
  child.kill('SIGINT')
  expect(await eventually(() => child.exitCode !== null)).toBe(true)
  await expectRow(dataDir)
})

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { within } from '../../../../test/harness/wait.ts'
import { EmbeddedError } from './error.ts'
import { type EmbeddedServer, startEmbedded } from './start.ts'
import { alive, eventually, query, scratch } from './testing/harness.ts'

const { root, folder, newFolder, remove } = scratch()
const servers: EmbeddedServer[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map(server => server.stop()))
})
afterAll(remove)

async function start(dataDir: string, settings: Record<string, string> = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, settings: { shared_buffers: '16MB', ...settings } })
  servers.push(server)
  return server
}

/** A directory that has had its first start. */
function started(name: string): string {
  const dataDir = newFolder(name)
  mkdirSync(path.dirname(dataDir), { recursive: true })
  spawnSync('cp', ['-a', folder('first'), dataDir])
  return dataDir
}

async function refusal(dataDir: string): Promise<string> {
  const error = await start(dataDir).then(
    () => undefined,
    reason => reason,
  )
  expect(error).toBeInstanceOf(EmbeddedError)
  expect(error.message).not.toContain('\n')
  return error.message
}

test('a first start creates the database of an ordinary role with its extensions', async () => {
  const server = await start(newFolder('first'))
  const [row] = await query(
    server.connection,
    `select current_user as role, rolsuper as super, current_database() as database,
            pg_get_userbyid(datdba) as owner, lower('ÄÉŁ') as lower, 'Éa' ilike 'éA' as ilike,
            array(select extname::text from pg_extension order by 1) as extensions,
            current_setting('server_version_num')::int / 10000 as version,
            pg_encoding_to_char(encoding) as encoding, current_setting('listen_addresses') as addresses
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  )
  expect(row).toEqual({
    role: 'parley',
    super: false,
    database: 'parley',
    owner: 'parley',
    lower: 'äéł',
    ilike: true,
    extensions: ['btree_gin', 'pg_trgm', 'plpgsql'],
    version: 18,
    encoding: 'UTF8',
    addresses: '',
  })
  await query(server.connection, 'create table in_public (id int)')
  await query(server.superuser, 'create database later')
  const later = { ...server.superuser, database: 'later' }
  expect(await query(later, `select similarity('abc', 'abd') > 0 as works`)).toEqual([{ works: true }])
  expect(statSync(server.dataDir).mode & 0o777).toBe(0o700)
  await server.stop()
})

test('a second start is warm, keeps the data and takes under three seconds', async () => {
  const dataDir = started('warm')
  const first = await start(dataDir)
  await query(first.connection, 'create table kept as select 42 as answer')
  await first.stop()
  expect(await first.exited).toBe(0)
  expect(alive(first.pid)).toBe(false)
  await first.stop()
  const begin = performance.now()
  const second = await start(dataDir)
  expect(performance.now() - begin).toBeLessThan(within(3000))
  expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('settings of the caller win, the log is cut and shows no value of a failed statement', async () => {
  const dataDir = started('settings')
  const log = path.join(dataDir, 'postgres.log')
  writeFileSync(log, 'x'.repeat(10 * 1024 * 1024 + 1))
  const server = await start(dataDir, { max_connections: '17' })
  expect(await query(server.connection, 'show max_connections')).toEqual([{ max_connections: '17' }])
  await query(server.connection, 'create table once (word text primary key)')
  const twice = query(server.connection, `insert into once values ('s3cret'), ('s3cret')`)
  await expect(twice).rejects.toThrow('duplicate key')
  expect(readFileSync(log, 'utf8')).toContain('duplicate key')
  expect(readFileSync(log, 'utf8')).not.toContain('s3cret')
  expect(statSync(log).size).toBeLessThan(10_000)
})

test('a path with a space and quotes, closed to others, is left as it was', async () => {
  const closed = newFolder(`it's "my data"`)
  mkdirSync(closed, { mode: 0o700 })
  const server = await start(path.join(closed, 'a b'))
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(statSync(closed).mode & 0o777).toBe(0o700)
})

test('a path too long for a socket uses a short directory and removes it', async () => {
  vi.stubEnv('XDG_RUNTIME_DIR', '')
  vi.stubEnv('TMPDIR', root)
  const server = await start(started(`long/${'d'.repeat(100)}`))
  expect(path.dirname(server.connection.host)).toBe(root)
  expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  expect(statSync(server.connection.host, { throwIfNoEntry: false })).toBeUndefined()
})

test('a path too long for a socket and no short directory: reached through the working directory', async () => {
  vi.stubEnv('XDG_RUNTIME_DIR', '')
  vi.stubEnv('TMPDIR', folder('not there'))
  const server = await start(started(`long/${'e'.repeat(100)}`))
  expect(server.connection.host).toBe(`/proc/${server.pid}/cwd`)
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('two directories have a server each, one directory has only one', async () => {
  const dataDir = started('one')
  const [one, two] = await Promise.all([start(dataDir), start(started('two'))])
  expect(one.pid).not.toBe(two.pid)
  await query(one.connection, 'create table only_here (id int)')
  await expect(query(two.connection, 'table only_here')).rejects.toThrow('does not exist')
  expect(await refusal(dataDir)).toContain(`another Parley (pid ${process.pid}) uses this data directory`)
  expect(await query(one.connection, 'table only_here')).toEqual([])
})

test('two first starts in one directory at the same instant: one wins, the other is refused', async () => {
  const dataDir = newFolder('race')
  const both = await Promise.allSettled([start(dataDir), start(dataDir)])
  expect(both.filter(each => each.status === 'fulfilled')).toHaveLength(1)
  const lost = both.find(each => each.status === 'rejected')
  expect(lost?.reason).toBeInstanceOf(EmbeddedError)
  expect(lost?.reason.message).toContain('another Parley')
  expect((await readdir(dataDir)).filter(each => each.includes('init-'))).toEqual([])
})

test('a server that is killed reports its exit and can be started again', async () => {
  const dataDir = started('killed')
  const first = await start(dataDir)
  process.kill(first.pid, 'SIGKILL')
  expect(await first.exited).toBeNull()
  await first.stop()
  const second = await start(dataDir)
  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.each(['17', '19'])('a cluster of PostgreSQL %s is refused and untouched', async version => {
  const cluster = path.join(newFolder(`version-${version}`), 'postgres')
  mkdirSync(cluster, { recursive: true })
  writeFileSync(path.join(cluster, 'PG_VERSION'), `${version}\n`)
  const message = await refusal(path.dirname(cluster))
  expect(message).toMatch(
    new RegExp(`created by PostgreSQL ${version}, and this Parley ships PostgreSQL 18: .+ DATABASE_URL`),
  )
  expect(await readdir(cluster)).toEqual(['PG_VERSION'])
})

test('a directory that is not a cluster, and a file in place of a directory, are refused', async () => {
  const strange = newFolder('strange')
  mkdirSync(path.join(strange, 'postgres/photos'), { recursive: true })
  expect(await refusal(strange)).toContain('is not a PostgreSQL data directory: move it away')
  const file = newFolder('file')
  writeFileSync(file, '')
  expect(await refusal(file)).toContain(`cannot use the data directory ${file}`)
})

test('a setting PostgreSQL refuses is named in the error, and the directory is free again', async () => {
  const dataDir = started('wrong')
  const wrong = start(dataDir, { shared_buffers: 'plenty' })
  await expect(wrong).rejects.toThrow(/did not start \(.*shared_buffers.*postgres\.log/)
  const owner = path.join(dataDir, 'postgres.owner')
  expect(await eventually(() => readFileSync(owner, 'utf8') === '')).toBe(true)
  const right = await start(dataDir)
  expect(alive(right.pid)).toBe(true)
})

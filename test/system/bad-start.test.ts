import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedServer, startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { freePort, fresh, parley, postgresIn, queryOnce, type Run, scratch, start } from './program.ts'

const root = scratch()
const secret = 'a secret of tests, and of nothing else'

/** Expects exit code 1, one line of explanation without a stack, and no database process left. */
function expectRefusal(
  { code, stderr, stdout, dataDir }: Run & { dataDir: string },
  ...patterns: RegExp[]
): void {
  expect(code).toBe(1)
  expect(stderr).toMatch(/^parley: [^\n]+\n$/)
  expect(stderr + stdout).not.toMatch(/\n\s+at |Error:/)
  for (const pattern of patterns) expect(stderr).toMatch(pattern)
  expect(postgresIn(dataDir)).toEqual([])
}

let count = 0

async function serve(env: Record<string, string>, ...args: string[]) {
  const dataDir = env.DATA_DIR ?? path.join(root, `data ${count++}`)
  const result = await parley(['serve', ...args], {
    PORT: String(await freePort()),
    ...env,
    DATA_DIR: dataDir,
  })
  return { ...result, dataDir }
}

test.concurrent('lists all invalid settings in one run', async () => {
  const { code, stderr, stdout } = await serve({
    PORT: '99999',
    DATABASE_URL: 'mysql://me:hunter2@db/x',
    LOG_LEVEL: 'loud',
    SIGNUP: 'maybe',
    RATE_LIMIT: 'many',
    OUTBOUND_ALLOW: 'everything',
    TRUST_PROXY: 'unknown',
    OIDC_ISSUER: 'https://id.example.com',
  })
  expect(code).toBe(1)
  expect(stdout).toBe('')
  const names = ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'SIGNUP', 'RATE_LIMIT', 'OUTBOUND_ALLOW', 'TRUST_PROXY']
  for (const name of [...names, 'OIDC_AUDIENCE', 'SECRET_KEY']) expect(stderr).toContain(`${name}`)
  expect(stderr).not.toContain('hunter2')
  expect(stderr).not.toMatch(/\n\s+at /)
})

test.concurrent('refuses DATABASE_URL without SECRET_KEY', async () => {
  const { code, stderr } = await serve({ DATABASE_URL: 'postgres://127.0.0.1/parley' })
  expect(code).toBe(1)
  expect(stderr).toMatch(/SECRET_KEY is required with DATABASE_URL/)
})

test.concurrent('refuses a port in use and an address of another machine', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const dataDir = fresh(root, 'port')
  expectRefusal(await serve({ DATA_DIR: dataDir, PORT: String(port) }), new RegExp(`${port}`), /PORT/)
  other.close()
  expectRefusal(await serve({ DATA_DIR: dataDir, HOST: '192.0.2.1' }), /192\.0\.2\.1/, /HOST/)
})

test.concurrent('refuses a data directory that is a file or cannot be created', async () => {
  const file = fresh(root, 'file')
  writeFileSync(file, '')
  expectRefusal(await serve({ DATA_DIR: file }), /file/, /DATA_DIR/)
  expectRefusal(await serve({ DATA_DIR: path.join(file, 'below') }), /below/, /DATA_DIR/)
  expectRefusal(await serve({ DATA_DIR: '/sys/parley' }), /\/sys\/parley/, /DATA_DIR/)
})

test.concurrent('refuses an unknown role', async () => {
  expectRefusal(await serve({}, '--roles', 'http,cook'), /cook/)
})

test.concurrent('refuses a data directory that is in use, damaged, half restored or of a newer version', async () => {
  const dataDir = fresh(root, 'used')
  const service = await start({ dataDir })
  await service.ready()
  const second = await serve({ DATA_DIR: dataDir })
  expect(second.stderr).toMatch(new RegExp(`another Parley \\(pid ${service.pid}\\)`))
  expect(second.code).toBe(1)
  await service.stop()

  const server = await startEmbedded({ dataDir })
  const tomorrow = `insert into migrations (number, name, hash) values (9999, '9999_tomorrow.sql', '')`
  await queryOnce(server.connection, tomorrow)
  await server.stop()
  expectRefusal(await serve({ DATA_DIR: dataDir }), /newer version/, /9999_tomorrow\.sql/)

  const restoring = fresh(root, 'restoring')
  mkdirSync(restoring)
  writeFileSync(path.join(restoring, 'restoring'), '')
  expectRefusal(await serve({ DATA_DIR: restoring }), /restore/)

  const foreign = fresh(root, 'foreign')
  mkdirSync(path.join(foreign, 'postgres'), { recursive: true })
  writeFileSync(path.join(foreign, 'postgres', 'letters.txt'), '')
  expectRefusal(await serve({ DATA_DIR: foreign }), /not a PostgreSQL data directory/)

  const damaged = fresh(root, 'damaged')
  mkdirSync(damaged)
  writeFileSync(path.join(damaged, 'secret.key'), 'short')
  expectRefusal(await serve({ DATA_DIR: damaged }), /secret\.key is damaged/)
})

describe.concurrent('a wrong DATABASE_URL', () => {
  let server: EmbeddedServer
  let url: (values: Record<string, string>) => string

  // A server that requires a password of the service's role only.
  beforeAll(async () => {
    const rules = path.join(root, 'pg_hba.conf')
    writeFileSync(rules, 'local all postgres trust\nlocal all all scram-sha-256\n')
    server = await startEmbedded({ dataDir: path.join(root, 'external'), settings: { hba_file: rules } })
    await queryOnce(server.superuser, `alter role parley password 'right'`)
    await queryOnce(
      server.superuser,
      `create database latin owner parley encoding 'latin1' template template0 locale_provider libc locale 'C'`,
    )
    url = values =>
      `postgres:///parley?${new URLSearchParams({ host: server.connection.host, user: 'parley', ...values })}`
  })
  afterAll(() => server.stop())

  const expectFailure = async (DATABASE_URL: string, ...patterns: RegExp[]) => {
    const { code, stderr, stdout } = await serve({ DATABASE_URL, SECRET_KEY: secret })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^parley: the database [^\n]+DATABASE_URL[^\n]*\n$/)
    expect(stderr).not.toMatch(/wrong-password/)
    for (const pattern of patterns) expect(stderr).toMatch(pattern)
  }

  test('refuses an address without a server', async () => {
    await expectFailure(
      `postgres://parley:wrong-password@127.0.0.1:${await freePort()}/parley`,
      /ECONNREFUSED/,
    )
    await expectFailure(`postgres:///parley?host=${root}/nowhere`, /ENOENT/)
  })
  test('refuses a wrong password', () =>
    expectFailure(url({ password: 'wrong-password' }), /password authentication failed/))
  test('refuses a database that does not exist', () =>
    expectFailure(url({ password: 'right' }).replace('/parley?', '/nothing?'), /"nothing" does not exist/))
  test('refuses a database with another encoding', () =>
    expectFailure(url({ password: 'right' }).replace('/parley?', '/latin?'), /LATIN1/))
  test('refuses a server without TLS if sslmode requires it', () =>
    expectFailure(`${url({ password: 'right' })}&sslmode=verify-full`))
})

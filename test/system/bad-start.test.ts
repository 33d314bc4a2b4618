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

/** One line that says what to do, without a stack, with the code of a failure and with nothing left running. */
function mustSay({ code, stderr, stdout, dataDir }: Run & { dataDir: string }, ...words: RegExp[]): void {
  expect(code).toBe(1)
  expect(stderr).toMatch(/^parley: [^\n]+\n$/)
  expect(stderr + stdout).not.toMatch(/\n\s+at |Error:/)
  for (const word of words) expect(stderr).toMatch(word)
  expect(postgresIn(dataDir)).toEqual([])
}

let count = 0

async function serve(env: Record<string, string>, ...args: string[]) {
  const dataDir = env.DATA_DIR ?? path.join(root, `data ${count++}`)
  const ended = await parley(['serve', ...args], {
    PORT: String(await freePort()),
    ...env,
    DATA_DIR: dataDir,
  })
  return { ...ended, dataDir }
}

test.concurrent('every fault of the configuration is named at once', async () => {
  const { code, stderr, stdout } = await serve({
    PORT: '99999',
    DATABASE_URL: 'mysql://me:hunter2@db/x',
    LOG_LEVEL: 'loud',
    SIGNUP: 'maybe',
    RATE_LIMIT: 'many',
    OUTBOUND_ALLOW: 'everything',
    TRUST_PROXY: 'somebody',
    OIDC_ISSUER: 'https://id.example.com',
  })
  expect(code).toBe(1)
  expect(stdout).toBe('')
  const names = ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'SIGNUP', 'RATE_LIMIT', 'OUTBOUND_ALLOW', 'TRUST_PROXY']
  for (const name of [...names, 'OIDC_AUDIENCE', 'SECRET_KEY']) expect(stderr).toContain(`${name}`)
  expect(stderr).not.toContain('hunter2')
  expect(stderr).not.toMatch(/\n\s+at /)
})

test.concurrent('DATABASE_URL without SECRET_KEY', async () => {
  const { code, stderr } = await serve({ DATABASE_URL: 'postgres://127.0.0.1/parley' })
  expect(code).toBe(1)
  expect(stderr).toMatch(/SECRET_KEY is required with DATABASE_URL/)
})

test.concurrent('a port in use, or one that cannot be had', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const dataDir = fresh(root, 'port')
  mustSay(await serve({ DATA_DIR: dataDir, PORT: String(port) }), new RegExp(`${port}`), /PORT/)
  other.close()
  mustSay(await serve({ DATA_DIR: dataDir, HOST: '192.0.2.1' }), /192\.0\.2\.1/, /HOST/)
})

test.concurrent('a data directory that is a file, or lies where nothing can', async () => {
  const file = fresh(root, 'file')
  writeFileSync(file, '')
  mustSay(await serve({ DATA_DIR: file }), /file/, /DATA_DIR/)
  mustSay(await serve({ DATA_DIR: path.join(file, 'below') }), /below/, /DATA_DIR/)
  mustSay(await serve({ DATA_DIR: '/sys/parley' }), /\/sys\/parley/, /DATA_DIR/)
})

test.concurrent('a role nobody knows', async () => {
  mustSay(await serve({}, '--roles', 'http,cook'), /cook/)
})

test.concurrent('what is in use, damaged, unfinished or of a newer version', async () => {
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
  mustSay(await serve({ DATA_DIR: dataDir }), /newer version/, /9999_tomorrow\.sql/)

  const restoring = fresh(root, 'restoring')
  mkdirSync(restoring)
  writeFileSync(path.join(restoring, 'restoring'), '')
  mustSay(await serve({ DATA_DIR: restoring }), /restore/)

  const foreign = fresh(root, 'foreign')
  mkdirSync(path.join(foreign, 'postgres'), { recursive: true })
  writeFileSync(path.join(foreign, 'postgres', 'letters.txt'), '')
  mustSay(await serve({ DATA_DIR: foreign }), /not a PostgreSQL data directory/)

  const damaged = fresh(root, 'damaged')
  mkdirSync(damaged)
  writeFileSync(path.join(damaged, 'secret.key'), 'short')
  mustSay(await serve({ DATA_DIR: damaged }), /secret\.key is damaged/)
})

describe.concurrent('a wrong DATABASE_URL', () => {
  let server: EmbeddedServer
  let url: (values: Record<string, string>) => string

  // A server that asks the service's role, and only that, for a password.
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

  const mustFail = async (DATABASE_URL: string, ...words: RegExp[]) => {
    const { code, stderr, stdout } = await serve({ DATABASE_URL, SECRET_KEY: secret })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^parley: the database [^\n]+DATABASE_URL[^\n]*\n$/)
    expect(stderr).not.toMatch(/wrong-password/)
    for (const word of words) expect(stderr).toMatch(word)
  }

  test('nobody listens there', async () => {
    await mustFail(`postgres://parley:wrong-password@127.0.0.1:${await freePort()}/parley`, /ECONNREFUSED/)
    await mustFail(`postgres:///parley?host=${root}/nowhere`, /ENOENT/)
  })
  test('a wrong password', () =>
    mustFail(url({ password: 'wrong-password' }), /password authentication failed/))
  test('a database that does not exist', () =>
    mustFail(url({ password: 'right' }).replace('/parley?', '/nothing?'), /"nothing" does not exist/))
  test('a database of another encoding', () =>
    mustFail(url({ password: 'right' }).replace('/parley?', '/latin?'), /LATIN1/))
  test('a server without encryption that must have it', () =>
    mustFail(`${url({ password: 'right' })}&sslmode=verify-full`))
})

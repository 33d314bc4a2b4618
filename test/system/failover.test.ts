/** A failover to the standby, and a database that is read-only or refuses connections: 503 and not ready, then recovery. */
import { expect, onTestFinished, test } from 'vitest'
import { startReplicatedPostgres } from '../harness/replicated-postgres.ts'
import { eventually, fresh, queryOnce, type Service, scratch, start } from './program.ts'

const root = scratch()
const secret = { SECRET_KEY: 'a secret of tests, and of nothing else' }
const readyz = async ({ url }: Service) => (await fetch(`${url}/readyz`)).status

async function createTeam(service: Service, name: string): Promise<Response> {
  const response = await service.call('POST', '/teams', { name })
  if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  return response
}

test('a read-only or refusing database is 503 and not ready; the service recovers with it', async () => {
  const dataDir = fresh(root, 'read-only')
  const service = await start({ dataDir })
  await service.ready()
  const superuser = { host: `${dataDir}/postgres`, user: 'postgres', database: 'postgres' }
  const administer = (text: string) =>
    queryOnce({ ...superuser, options: '-c default_transaction_read_only=off' }, text)
  const set = async (statement: string) => {
    await administer(statement)
    await administer('select pg_reload_conf()')
  }
  const expectOutage = async () => {
    expect(await eventually(async () => (await createTeam(service, 'refused')).status === 503)).toBe(true)
    expect(await eventually(async () => (await readyz(service)) === 503)).toBe(true)
    // Reads too: a read-only server may be a former primary with old rows.
    const read = await service.call('GET', '/teams')
    expect(read.status).toBe(503)
    expect(await read.json()).toMatchObject({ code: 'service_unavailable' })
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  }
  const expectRecovery = async (name: string) => {
    expect(await eventually(async () => (await readyz(service)) === 200)).toBe(true)
    expect(await eventually(async () => (await createTeam(service, name)).status === 201)).toBe(true)
  }
  const isRefused = (code: string) =>
    eventually(() => service.log().some(line => (line.err as { code?: string })?.code === code))

  await set('alter system set default_transaction_read_only = on')
  await expectOutage()
  await set('alter system reset default_transaction_read_only')
  await expectRecovery('after read-only')

  await administer('alter role parley connection limit 0')
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'parley'`
  await administer(end)
  await expectOutage()
  expect(await isRefused('53300')).toBe(true)
  await administer('alter role parley connection limit -1')
  await expectRecovery('after too many connections')

  // A database can be renamed while it has no connections.
  await administer('alter database parley allow_connections false')
  await administer(end)
  await administer('alter database parley rename to elsewhere')
  await expectOutage()
  expect(await isRefused('3D000')).toBe(true)
  await administer('alter database elsewhere rename to parley')
  await administer('alter database parley allow_connections true')
  await expectRecovery('after the database came back')
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

test('after a failover all acknowledged writes are there, and the service uses the new primary', async () => {
  const database = await startReplicatedPostgres(() => fresh(root, 'replicated'))
  onTestFinished(() => database.stop())
  const env = { ...secret, DATABASE_URL: database.url }
  const service = await start({ dataDir: fresh(root, 'service'), env })
  await service.ready()
  const acknowledged: string[] = []
  const unexpected: string[] = []
  let stopped = false
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !stopped; n++) {
      const name = `team ${writer} ${n}`
      const response = await createTeam(service, name)
      const body = await response.text()
      if (response.status === 201) acknowledged.push(name)
      else if (response.status !== 503) unexpected.push(`${response.status} ${body}`)
    }
  })
  for (const _ of [1, 2]) {
    const before = acknowledged.length
    expect(await eventually(() => acknowledged.length > before + 20)).toBe(true)
    await database.failOver()
    expect(await eventually(async () => (await readyz(service)) === 200)).toBe(true)
    const after = acknowledged.length
    expect(await eventually(() => acknowledged.length > after + 20)).toBe(true)
  }
  stopped = true
  await Promise.all(writers)
  expect(unexpected).toEqual([])
  const rows = await queryOnce<{ name: string }>({ connectionString: database.url }, 'select name from teams')
  const stored = new Set(rows.map(row => row.name))
  expect(acknowledged.filter(name => !stored.has(name))).toEqual([])
  // The event log continues on the new primary, and the failover is not taken for a copy.
  expect(service.log().filter(line => String(line.msg).startsWith('not adopted'))).toEqual([])
  expect((await service.call('POST', '/contacts', { name: 'Ada' })).status).toBe(201)
  const logged = () =>
    queryOnce({ connectionString: database.url }, `select from event_log where type = 'contact.created'`)
  expect(await eventually(async () => (await logged()).length === 1)).toBe(true)
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

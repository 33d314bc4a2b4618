/** Reads of a service whose database has a streaming standby. Its proxy and its replay can be stopped by a test. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startReplicatedPostgres } from '../harness/replicated-postgres.ts'
import { eventually, within } from '../harness/wait.ts'
import { fresh, type Service, scratch, start } from './program.ts'

const root = scratch()

interface Contact {
  id: string
  name: string
}

const database = await startReplicatedPostgres(() => fresh(root, 'replicated'), { asynchronous: true })
afterAll(() => database.stop())
const env = {
  DATABASE_URL: database.url,
  DATABASE_REPLICA_URL: database.replicaUrl,
  SECRET_KEY: 'a secret of tests, and of nothing else',
}
const service = await start({ dataDir: fresh(root, 'data'), env })
await service.ready()
/** Another process, which knows nothing of the writes of the first one. */
const other = await start({ dataDir: fresh(root, 'other'), env, args: ['--roles', 'http'] })
await other.ready()
other.credentials = service.credentials
afterAll(() => Promise.all([other.stop(), service.stop()]))
beforeEach(() => Promise.all([service, other].map(waitUntilUsed)))

const readMetric = async ({ url }: Service, pattern: RegExp): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(pattern.exec(text)?.[1] ?? 0)
}
const countReads = (service: Service, server: 'replica' | 'primary') =>
  readMetric(service, new RegExp(`^parley_replica_reads_total\\{server="${server}"\\} (\\d+)`, 'm'))
const isUsed = (service: Service) => readMetric(service, /^parley_replica_usable (\d)/m)
const waitUntilUsed = (service: Service) =>
  eventually(async () => {
    await listNames(service)
    expect(await isUsed(service)).toBe(1)
  })

interface Lists {
  contacts: Contact[]
  items: Contact[]
}

async function ok(calling: Promise<Response>, status = 200): Promise<Lists> {
  const response = await calling
  const body = await response.json()
  expect(response.status, JSON.stringify(body)).toBe(status)
  return body as Lists
}

let names = 0
async function createContact(service: Service): Promise<string> {
  const name = `Kim ${++names}`
  await ok(service.call('POST', '/contacts', { name }), 201)
  return name
}

async function listNames(service: Service): Promise<string[]> {
  const { contacts } = await ok(service.call('GET', '/contacts?pageSize=200'))
  return contacts.map(({ name }) => name)
}

async function searchNames(service: Service, text: string): Promise<string[]> {
  const filter = { match: 'all', conditions: [{ type: 'searchText', text }] }
  const { items } = await ok(service.call('POST', '/contacts/search', { filter }))
  return items.map(({ name }) => name)
}

test('lists, searches and reports run on the standby, and show each write that was acknowledged', async () => {
  await database.onStandby('select pg_stat_reset()')
  const before = await countReads(service, 'replica')
  for (let n = 0; n < 50; n++) {
    const name = await createContact(service)
    const reader = n % 2 ? service : other
    expect(await listNames(reader)).toContain(name)
    expect(await searchNames(reader, name)).toContain(name)
  }
  await ok(service.call('GET', '/reports/waiting'))
  expect(await countReads(service, 'replica')).toBeGreaterThan(before + 20)
  const clients = await database.onStandby<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where usename = 'parley' and query like '%contacts%'`,
  )
  expect(clients[0]!.n).toBeGreaterThan(0)
})

test('a write is listed while the replay is paused; the standby is left out, and used again afterwards', async () => {
  await database.onStandby('select pg_wal_replay_pause()')
  for (let n = 0; n < 3; n++) {
    const name = await createContact(service)
    for (const reader of [service, other]) {
      expect(await listNames(reader)).toContain(name)
      expect(await searchNames(reader, name)).toContain(name)
    }
  }
  await eventually(async () => expect([await isUsed(service), await isUsed(other)]).toEqual([0, 0]))
  expect(JSON.stringify(service.log())).toContain('more than a second behind')
  const [reads, onPrimary] = [await countReads(service, 'replica'), await countReads(service, 'primary')]
  const began = performance.now()
  for (let n = 0; n < 10; n++) await listNames(service)
  // Reads do not wait for a standby that is left out.
  expect(performance.now() - began).toBeLessThan(within(1_000))
  expect(await countReads(service, 'replica')).toBe(reads)
  expect(await countReads(service, 'primary')).toBeGreaterThanOrEqual(onPrimary + 10)
  await database.onStandby('select pg_wal_replay_resume()')
  await waitUntilUsed(service)
  await listNames(service)
  expect(await countReads(service, 'replica')).toBeGreaterThan(reads)
})

test.each(['killed', 'frozen'] as const)(
  'no request fails or waits long while the standby is %s',
  async how => {
    const written = await createContact(service)
    let stopped = false
    const slowest = { ms: 0 }
    const load = Array.from({ length: 4 }, async () => {
      while (!stopped) {
        const began = performance.now()
        expect(await listNames(service)).toContain(written)
        expect(await searchNames(service, written)).toContain(written)
        slowest.ms = Math.max(slowest.ms, performance.now() - began)
        await sleep(5)
      }
    })
    await sleep(500)
    if (how === 'killed') await database.killStandby()
    else database.freezeStandby(true)
    await eventually(async () => expect(await isUsed(service)).toBe(0))
    await sleep(2_000)
    if (how === 'killed') await database.startStandby()
    else database.freezeStandby(false)
    await waitUntilUsed(service)
    stopped = true
    await Promise.all(load)
    expect(slowest.ms).toBeLessThan(within(4_000))
    expect(JSON.stringify(service.log())).toContain('the replica is left out')
  },
)

test('a replica that belongs to another server is left out, and the reason is logged', async () => {
  const foreign = await startReplicatedPostgres(() => fresh(root, 'foreign'), { asynchronous: true })
  onTestFinished(() => foreign.stop())
  const misled = await start({
    dataDir: fresh(root, 'misled'),
    env: { ...env, DATABASE_REPLICA_URL: foreign.replicaUrl },
    args: ['--roles', 'http'],
  })
  await misled.ready()
  misled.credentials = service.credentials
  onTestFinished(async () => void (await misled.stop()))
  expect(await listNames(misled)).toEqual(await listNames(service))
  await eventually(() => expect(JSON.stringify(misled.log())).toContain('belongs to another server'))
  expect(await countReads(misled, 'replica')).toBe(0)
})

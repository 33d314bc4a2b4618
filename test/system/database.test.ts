import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import {
  eventually,
  findPostmaster,
  fresh,
  postgresIn,
  query,
  queryOnce,
  type Service,
  scratch,
  signal,
  start,
} from './program.ts'

const root = scratch()

interface Load {
  /** Number of responses by status. */
  seen: Map<number, number>
  /** Names of teams whose creation was acknowledged. */
  acknowledged: string[]
  /** Responses that are neither a success nor a proper 503. */
  unclean: string[]
  /** Waits until requests succeed again. */
  succeeds(): Promise<boolean>
  end(): Promise<void>
}

/** Starts readers and writers that continue after failures. */
function startLoad(service: Service): Load {
  const load = { seen: new Map<number, number>(), acknowledged: [] as string[], unclean: [] as string[] }
  let [stopped, successes] = [false, 0]
  async function once(name: string | undefined): Promise<void> {
    const response = name
      ? await service.call('POST', '/teams', { name })
      : await service.call('GET', '/users')
    const body = await response.text()
    load.seen.set(response.status, (load.seen.get(response.status) ?? 0) + 1)
    if (response.status < 300) successes++
    if (response.status === 201 && name) load.acknowledged.push(name)
    if (response.status < 300) return
    const clean =
      response.status === 503 &&
      response.headers.has('retry-after') &&
      JSON.parse(body).code === 'service_unavailable'
    if (!clean) load.unclean.push(`${response.status} ${body}`)
    await sleep(20)
  }
  const clients = Array.from({ length: 6 }, async (_, client) => {
    for (let n = 0; !stopped; n++)
      await once(client % 2 ? `team ${client} ${n}` : undefined).catch(cause => {
        load.unclean.push(String(cause))
        return sleep(20)
      })
  })
  void service.ended.then(() => {
    stopped = true // also after a test that failed before it ended the load
  })
  return {
    ...load,
    succeeds: () => {
      const before = successes
      return eventually(() => successes > before + 10)
    },
    end: async () => {
      stopped = true
      await Promise.all(clients)
    },
  }
}

/** Expects the service to answer again without help, with every acknowledged row. */
async function expectRecovery(service: Service, load: Load, teams: () => Promise<string[]>): Promise<void> {
  expect(await eventually(() => (load.seen.get(503) ?? 0) > 0)).toBe(true)
  expect(await load.succeeds()).toBe(true)
  expect(load.unclean).toEqual([])
  expect(await eventually(async () => (await fetch(`${service.url}/readyz`)).status === 200)).toBe(true)
  const acknowledged = [...load.acknowledged]
  const stored = new Set(await teams())
  expect(acknowledged.filter(name => !stored.has(name))).toEqual([])
  load.seen.clear()
}

/** Expects that new events still reach the event log. */
async function expectEventLogged(service: Service, dataDir: string, name: string): Promise<void> {
  expect((await service.call('POST', '/contacts', { name })).status).toBe(201)
  const countEvents = async () =>
    (await query(dataDir, `select 1 from event_log where data->'contact'->>'name' = '${name}'`)).length
  expect(await eventually(async () => (await countEvents()) === 1)).toBe(true)
}

describe('the embedded database', () => {
  const teamsIn = (dataDir: string) => async () =>
    (await query<{ name: string }>(dataDir, 'select name from teams')).map(row => row.name)

  test('restarts under load after it is killed, stopped, or loses a process', async () => {
    const dataDir = fresh(root, 'embedded')
    const service = await start({ dataDir })
    await service.ready()
    const load = startLoad(service)
    expect(await load.succeeds()).toBe(true)

    const first = findPostmaster(dataDir)
    signal(first, 'SIGKILL')
    await expectRecovery(service, load, teamsIn(dataDir))
    await expectEventLogged(service, dataDir, 'after it was killed')
    expect(findPostmaster(dataDir)).not.toBe(first)

    signal(findPostmaster(dataDir), 'SIGINT')
    await expectRecovery(service, load, teamsIn(dataDir))
    await expectEventLogged(service, dataDir, 'after it was stopped')

    const [{ pid }] = (await query<{ pid: number }>(
      dataDir,
      'select pg_backend_pid() as pid, pg_sleep(0)',
    )) as [{ pid: number }]
    const backend = postgresIn(dataDir).find(each => each !== findPostmaster(dataDir) && each !== pid)
    signal(backend!, 'SIGKILL')
    await expectRecovery(service, load, teamsIn(dataDir))
    await expectEventLogged(service, dataDir, 'after it lost a process')

    await load.end()
    expect(load.acknowledged.length).toBeGreaterThan(30)
    expect(await service.stop()).toEqual({ code: 0, signal: null })
  })

  test('keeps exiting: the service exits with a line that names the log file', async () => {
    const dataDir = fresh(root, 'exiting')
    const service = await start({ dataDir })
    await service.ready()
    let exited = false
    void service.ended.then(() => {
      exited = true
    })
    while (!exited) {
      for (const pid of postgresIn(dataDir)) signal(pid, 'SIGKILL')
      await sleep(50)
    }
    expect(await service.ended).toEqual({ code: 1, signal: null })
    const fatal = service.log().filter(line => line.level === 'fatal')
    expect(fatal).toHaveLength(1)
    expect(fatal[0]!.msg).toMatch(/the embedded database keeps exiting .*postgres\.log/)
    expect(postgresIn(dataDir)).toEqual([])
  })
})

test("survives a restart of the operator's own database under load; two concurrent first starts create one workspace", async () => {
  const options = { dataDir: fresh(root, 'external') }
  let server = await startEmbedded(options)
  const { connection } = server
  const env = {
    DATABASE_URL: `postgres:///parley?host=${encodeURIComponent(connection.host)}&user=parley`,
    SECRET_KEY: 'a secret of tests, and of nothing else',
  }
  const [one, two] = await Promise.all([
    start({ dataDir: fresh(root, 'one'), env }),
    start({ dataDir: fresh(root, 'two'), env }),
  ])
  await Promise.all([one.ready(), two.ready()])
  expect(await queryOnce(connection, 'select count(*)::int as n from tenants')).toEqual([{ n: 1 }])
  const creators = [one, two].filter(service => service.output().includes('curl'))
  expect(creators).toHaveLength(1)
  const service = creators[0]!

  const load = startLoad(service)
  expect(await load.succeeds()).toBe(true)
  await server.stop()
  expect(await eventually(async () => (await fetch(`${service.url}/readyz`)).status === 503)).toBe(true)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  server = await startEmbedded(options)
  await expectRecovery(service, load, async () =>
    (await queryOnce<{ name: string }>(connection, 'select name from teams')).map(row => row.name),
  )
  await load.end()
  expect(await eventually(async () => (await fetch(`${two.url}/readyz`)).status === 200)).toBe(true)
  expect(await Promise.all([one.stop(), two.stop()])).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ])
  await server.stop()
})

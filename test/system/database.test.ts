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
  /** How often each status was seen. */
  seen: Map<number, number>
  /** What a client may rely on. */
  acknowledged: string[]
  /** Answers that are neither a success nor a clean refusal. */
  unclean: string[]
  /** Successful answers since it was last asked. */
  fresh(): number
  end(): Promise<void>
}

/** Readers and writers that go on whatever they are answered. */
function putUnderLoad(service: Service): Load {
  const load = { seen: new Map<number, number>(), acknowledged: [] as string[], unclean: [] as string[] }
  let [over, successes] = [false, 0]
  async function once(name: string | undefined): Promise<void> {
    const answer = name ? await service.call('POST', '/teams', { name }) : await service.call('GET', '/users')
    const body = await answer.text()
    load.seen.set(answer.status, (load.seen.get(answer.status) ?? 0) + 1)
    if (answer.status < 300) successes++
    if (answer.status === 201 && name) load.acknowledged.push(name)
    if (answer.status < 300) return
    const clean =
      answer.status === 503 &&
      answer.headers.has('retry-after') &&
      JSON.parse(body).code === 'service_unavailable'
    if (!clean) load.unclean.push(`${answer.status} ${body}`)
    await sleep(20)
  }
  const clients = Array.from({ length: 6 }, async (_, client) => {
    for (let n = 0; !over; n++)
      await once(client % 2 ? `team ${client} ${n}` : undefined).catch(cause => {
        load.unclean.push(String(cause))
        return sleep(20)
      })
  })
  void service.ended.then(() => {
    over = true // also where a test failed before it came to end the load
  })
  return {
    ...load,
    fresh: () => {
      const count = successes
      successes = 0
      return count
    },
    end: async () => {
      over = true
      await Promise.all(clients)
    },
  }
}

/** It answers again, by itself, and keeps what it has acknowledged. */
async function mustRecover(service: Service, load: Load, teams: () => Promise<string[]>): Promise<void> {
  expect(await eventually(() => (load.seen.get(503) ?? 0) > 0)).toBe(true)
  load.fresh()
  expect(await eventually(() => load.fresh() > 10)).toBe(true)
  expect(load.unclean).toEqual([])
  expect(await eventually(async () => (await fetch(`${service.url}/readyz`)).status === 200)).toBe(true)
  const known = [...load.acknowledged]
  const stored = new Set(await teams())
  expect(known.filter(name => !stored.has(name))).toEqual([])
  load.seen.clear()
}

/** What happens goes on reaching the log of the workspace. */
async function mustTell(service: Service, dataDir: string, name: string): Promise<void> {
  expect((await service.call('POST', '/contacts', { name })).status).toBe(201)
  const told = async () =>
    (await query(dataDir, `select 1 from event_log where data->'contact'->>'name' = '${name}'`)).length
  expect(await eventually(async () => (await told()) === 1)).toBe(true)
}

describe.concurrent('the embedded database', () => {
  const teamsIn = (dataDir: string) => async () =>
    (await query<{ name: string }>(dataDir, 'select name from teams')).map(row => row.name)

  test('is started again when it is killed, told to stop, or loses one of its processes, under load', async () => {
    const dataDir = fresh(root, 'embedded')
    const service = await start({ dataDir })
    await service.ready()
    const load = putUnderLoad(service)
    expect(await eventually(() => load.fresh() > 10)).toBe(true)

    const first = findPostmaster(dataDir)
    signal(first, 'SIGKILL')
    await mustRecover(service, load, teamsIn(dataDir))
    await mustTell(service, dataDir, 'after it was killed')
    expect(findPostmaster(dataDir)).not.toBe(first)

    signal(findPostmaster(dataDir), 'SIGINT')
    await mustRecover(service, load, teamsIn(dataDir))
    await mustTell(service, dataDir, 'after it was told to stop')

    const [{ pid }] = (await query<{ pid: number }>(
      dataDir,
      'select pg_backend_pid() as pid, pg_sleep(0)',
    )) as [{ pid: number }]
    const backend = postgresIn(dataDir).find(each => each !== findPostmaster(dataDir) && each !== pid)
    signal(backend!, 'SIGKILL')
    await mustRecover(service, load, teamsIn(dataDir))
    await mustTell(service, dataDir, 'after it lost a process')

    await load.end()
    expect(load.acknowledged.length).toBeGreaterThan(30)
    expect(await service.stop()).toEqual({ code: 0, signal: null })
  })

  test('is given up when it keeps ending, with a line that says where to look', async () => {
    const dataDir = fresh(root, 'hopeless')
    const service = await start({ dataDir })
    await service.ready()
    let over = false
    void service.ended.then(() => {
      over = true
    })
    while (!over) {
      for (const pid of postgresIn(dataDir)) signal(pid, 'SIGKILL')
      await sleep(50)
    }
    expect(await service.ended).toEqual({ code: 1, signal: null })
    const fatal = service.log().filter(line => line.level === 'fatal')
    expect(fatal).toHaveLength(1)
    expect(fatal[0]!.msg).toMatch(/the embedded database is gone .*postgres\.log/)
    expect(postgresIn(dataDir)).toEqual([])
  })
})

test.concurrent("the operator's own database may restart under load, and two first starts on it make one workspace", async () => {
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
  const welcomed = [one, two].filter(service => service.output().includes('curl'))
  expect(welcomed).toHaveLength(1)
  const service = welcomed[0]!

  const load = putUnderLoad(service)
  expect(await eventually(() => load.fresh() > 10)).toBe(true)
  await server.stop()
  await sleep(500)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  server = await startEmbedded(options)
  await mustRecover(service, load, async () =>
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

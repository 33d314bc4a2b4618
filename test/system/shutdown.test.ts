import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { within } from '../harness/wait.ts'
import { eventually, freePort, fresh, postgresIn, query, type Service, scratch, start } from './program.ts'

const root = scratch()

interface RawConnection {
  socket: Socket
  received(): string
  ended(): boolean
}

async function dial(service: Service): Promise<RawConnection> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  let [text, closed] = ['', false]
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  socket.on('close', () => {
    closed = true
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, received: () => text, ended: () => closed }
}

function request(service: Service, name: string): { head: string; body: string } {
  const body = JSON.stringify({ name })
  const head = [
    'POST /v1/teams HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${service.credentials().apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return { head: `${head.join('\r\n')}\r\n\r\n`, body }
}

/** Returns log lines above level info since the stop signal. */
function warningsSinceStop(service: Service): unknown[] {
  const lines = service.log()
  const from = lines.findIndex(line => line.msg === 'stopping')
  expect(from).toBeGreaterThan(-1)
  return lines.slice(from).filter(line => line.level !== 'info')
}

/** Whether the service refuses new connections. */
async function refusesConnections(service: Service): Promise<boolean> {
  const response = await fetch(`${service.url}/healthz`).catch(() => undefined)
  await response?.body?.cancel()
  return response === undefined
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1])

const teamsIn = async (dataDir: string) =>
  (await query<{ name: string }>(dataDir, 'select name from teams')).map(row => row.name)

describe('SIGTERM', () => {
  test('finishes an upload in flight and refuses new connections', async () => {
    const dataDir = fresh(root, 'upload')
    const service = await start({ dataDir })
    await service.ready()
    const idle = await dial(service)
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await eventually(() => idle.received().includes('"ok"'))
    const busy = await dial(service)
    const { head, body } = request(service, 'Slowly')
    busy.socket.write(head + body.slice(0, 5))
    await sleep(300)
    const stoppedAt = performance.now()
    service.child.kill('SIGTERM')
    await eventually(() => service.output().includes('"stopping"'))
    expect(await eventually(() => refusesConnections(service))).toBe(true)
    expect(await eventually(() => idle.ended())).toBe(true)
    busy.socket.write(`${body.slice(5)}GET /v1/users HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - stoppedAt).toBeLessThan(within(10_000))
    // The upload succeeds; the request after it gets a 503 or a closed connection.
    expect(statuses(busy.received())[0]).toBe('201')
    expect(['503', undefined]).toContain(statuses(busy.received())[1])
    expect(warningsSinceStop(service)).toEqual([])
    expect(service.errors()).toBe('')
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
  })

  test('answers 503 to a new request on a connection in use', async () => {
    const dataDir = fresh(root, 'pipelined')
    const service = await start({ dataDir })
    await service.ready()
    const busy = await dial(service)
    const { head, body } = request(service, 'Late')
    busy.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: local')
    await eventually(() => busy.received().includes('"ok"'))
    service.child.kill('SIGTERM')
    expect(await eventually(() => refusesConnections(service))).toBe(true)
    busy.socket.write(`host\r\n\r\n${head}${body}`)
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(statuses(busy.received())).toEqual(['200', '503'])
    expect(busy.received()).toMatch(/retry-after: 1/i)
    expect(busy.received()).toContain('"code":"service_unavailable"')
  })

  test('waits for a request that is blocked by a database lock', async () => {
    const dataDir = fresh(root, 'lock')
    const service = await start({ dataDir })
    await service.ready()
    const locker = new pg.Client({ host: path.join(dataDir, 'postgres'), user: 'parley', database: 'parley' })
    await locker.connect()
    await locker.query('begin; lock table teams in exclusive mode')
    const response = service.call('POST', '/teams', { name: 'Blocked' })
    const isBlocked = async () =>
      (await locker.query('select from pg_locks where not granted')).rowCount === 1
    expect(await eventually(isBlocked)).toBe(true)
    const stoppedAt = performance.now()
    // One Ctrl-C arrives twice, from the terminal and from npm.
    service.child.kill('SIGTERM')
    service.child.kill('SIGINT')
    await sleep(1_500)
    expect(await teamsIn(dataDir)).toEqual(['Support'])
    await locker.query('commit')
    await locker.end()
    expect((await response).status).toBe(201)
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - stoppedAt).toBeLessThan(within(10_000))
    expect(warningsSinceStop(service)).toEqual([])
  })

  test('closes the connection of a client that never finishes, and exits in time with code 0', async () => {
    const dataDir = fresh(root, 'stalled')
    const service = await start({ dataDir })
    await service.ready()
    const stalled = await dial(service)
    const { head, body } = request(service, 'Never')
    stalled.socket.write(head + body.slice(0, 5))
    await sleep(300)
    const stoppedAt = performance.now()
    expect(await service.stop()).toEqual({ code: 0, signal: null })
    expect(performance.now() - stoppedAt).toBeLessThan(within(10_000))
    expect(await eventually(() => stalled.ended())).toBe(true)
    expect(warningsSinceStop(service)).toEqual([])
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
  })

  test('twice exits immediately and stops the database', async () => {
    const dataDir = fresh(root, 'twice')
    const service = await start({ dataDir })
    await service.ready()
    const stalled = await dial(service)
    const { head, body } = request(service, 'Never')
    stalled.socket.write(head + body.slice(0, 5))
    await sleep(300)
    service.child.kill('SIGTERM')
    // Signals of one kind are merged until the process has received the first, and two within half a second count as one.
    expect(await eventually(() => refusesConnections(service))).toBe(true)
    await sleep(800)
    const stoppedAt = performance.now()
    expect(await service.stop()).toEqual({ code: 1, signal: null })
    expect(performance.now() - stoppedAt).toBeLessThan(within(2_000))
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
  })
})

test('serves for DRAIN_SECONDS after SIGTERM while /readyz answers 503: a client that follows it loses no request', async () => {
  const service = await start({ dataDir: fresh(root, 'drain'), env: { DRAIN_SECONDS: '3' } })
  await service.ready()
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200
  const statuses = new Set<number>()
  let ready = true
  // Like a load balancer: checks twice a second, and sends requests while the last check succeeded.
  const sending = Array.from({ length: 4 }, async () => {
    while (ready) statuses.add((await service.call('GET', '/inboxes')).status)
  })
  const checking = (async () => {
    while (ready) {
      await sleep(500)
      ready = await isReady()
    }
  })()
  await sleep(300)
  const stoppedAt = performance.now()
  service.child.kill('SIGTERM')
  await checking
  await Promise.all(sending)
  expect([...statuses]).toEqual([200])
  const last = await fetch(`${service.url}/healthz`)
  expect([last.status, last.headers.get('connection')]).toEqual([200, 'close'])
  expect(await service.ended).toEqual({ code: 0, signal: null })
  expect(performance.now() - stoppedAt).toBeGreaterThan(3_000)
})

test.each([{ args: ['start'] }, { args: ['run', 'parley', '--', 'serve'] }])(
  'SIGTERM to npm $args stops the service',
  async ({ args }) => {
    const dataDir = fresh(root, `npm-${args[0]}`)
    const port = await freePort()
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, DATA_DIR: dataDir, PORT: String(port) }
    const npm = spawn('npm', args, { env, detached: true })
    onTestFinished(() => {
      // A service that npm left running belongs to its group.
      spawnSync('kill', ['-KILL', '--', `-${npm.pid}`])
    })
    let output = ''
    npm.stdout.on('data', chunk => {
      output += chunk
    })
    const ended = once(npm, 'exit')
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      )
    expect(await eventually(isUp, 60_000)).toBe(true)
    npm.kill('SIGTERM')
    await ended
    expect(await eventually(() => output.includes('"stopped"'))).toBe(true)
    expect(await isUp()).toBe(false)
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
  },
)

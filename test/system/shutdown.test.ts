import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { within } from '../harness/wait.ts'
import { eventually, fresh, postgresIn, query, type Service, scratch, start } from './program.ts'

const root = scratch()

interface Wire {
  socket: Socket
  heard(): string
  ended(): boolean
}

async function dial(service: Service): Promise<Wire> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  let [text, over] = ['', false]
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  socket.on('close', () => {
    over = true
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, heard: () => text, ended: () => over }
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

/** What it logged of a kind that makes an operator look, since it was told to stop. */
function alarms(service: Service): unknown[] {
  const lines = service.log()
  const from = lines.findIndex(line => line.msg === 'stopping')
  expect(from).toBeGreaterThan(-1)
  return lines.slice(from).filter(line => line.level !== 'info')
}

/** Whether it takes no more connections. */
async function isDeaf(service: Service): Promise<boolean> {
  const answer = await fetch(`${service.url}/healthz`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer === undefined
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1])

const teamsIn = async (dataDir: string) =>
  (await query<{ name: string }>(dataDir, 'select name from teams')).map(row => row.name)

describe.concurrent('SIGTERM', () => {
  test('finishes an upload that is under way and turns others away', async () => {
    const dataDir = fresh(root, 'upload')
    const service = await start({ dataDir })
    await service.ready()
    const idle = await dial(service)
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await eventually(() => idle.heard().includes('"ok"'))
    const busy = await dial(service)
    const { head, body } = request(service, 'Slowly')
    busy.socket.write(head + body.slice(0, 5))
    await sleep(300)
    const toldAt = performance.now()
    service.child.kill('SIGTERM')
    await eventually(() => service.output().includes('"stopping"'))
    expect(await eventually(() => isDeaf(service))).toBe(true)
    expect(await eventually(() => idle.ended())).toBe(true)
    busy.socket.write(`${body.slice(5)}GET /v1/users HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - toldAt).toBeLessThan(within(10_000))
    // The upload is answered; what was sent behind it is refused, by a problem or by closing.
    expect(statuses(busy.heard())[0]).toBe('201')
    expect(['503', undefined]).toContain(statuses(busy.heard())[1])
    expect(alarms(service)).toEqual([])
    expect(service.errors()).toBe('')
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
  })

  test('answers 503 to a request that comes in on a connection that is still in use', async () => {
    const dataDir = fresh(root, 'pipelined')
    const service = await start({ dataDir })
    await service.ready()
    const busy = await dial(service)
    const { head, body } = request(service, 'Late')
    busy.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: local')
    await eventually(() => busy.heard().includes('"ok"'))
    service.child.kill('SIGTERM')
    expect(await eventually(() => isDeaf(service))).toBe(true)
    busy.socket.write(`host\r\n\r\n${head}${body}`)
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(statuses(busy.heard())).toEqual(['200', '503'])
    expect(busy.heard()).toMatch(/retry-after: 1/i)
    expect(busy.heard()).toContain('"code":"service_unavailable"')
  })

  test('waits for the database to let a request through', async () => {
    const dataDir = fresh(root, 'lock')
    const service = await start({ dataDir })
    await service.ready()
    const holder = new pg.Client({ host: path.join(dataDir, 'postgres'), user: 'parley', database: 'parley' })
    await holder.connect()
    await holder.query('begin; lock table teams in exclusive mode')
    const answer = service.call('POST', '/teams', { name: 'Held' })
    await sleep(500)
    const toldAt = performance.now()
    service.child.kill('SIGTERM')
    // One press of Ctrl-C reaches us twice, from the terminal and from npm.
    setTimeout(() => service.child.kill('SIGINT'), 50)
    await sleep(1_500)
    expect(await teamsIn(dataDir)).toEqual(['Support'])
    await holder.query('commit')
    await holder.end()
    expect((await answer).status).toBe(201)
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - toldAt).toBeLessThan(within(10_000))
    expect(alarms(service)).toEqual([])
  })

  test('cuts off a client that never finishes, in time and in order', async () => {
    const dataDir = fresh(root, 'stalled')
    const service = await start({ dataDir })
    await service.ready()
    const stalled = await dial(service)
    const { head, body } = request(service, 'Never')
    stalled.socket.write(head + body.slice(0, 5))
    await sleep(300)
    const toldAt = performance.now()
    expect(await service.stop()).toEqual({ code: 0, signal: null })
    expect(performance.now() - toldAt).toBeLessThan(within(10_000))
    expect(await eventually(() => stalled.ended())).toBe(true)
    expect(alarms(service)).toEqual([])
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
  })

  test('twice ends at once, and takes the database along', async () => {
    const dataDir = fresh(root, 'twice')
    const service = await start({ dataDir })
    await service.ready()
    const stalled = await dial(service)
    const { head, body } = request(service, 'Never')
    stalled.socket.write(head + body.slice(0, 5))
    await sleep(300)
    service.child.kill('SIGTERM')
    await sleep(800)
    const toldAt = performance.now()
    expect(await service.stop()).toEqual({ code: 1, signal: null })
    expect(performance.now() - toldAt).toBeLessThan(within(2_000))
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
  })
})

/** Tests sockets of clients that are slow, silent, hostile, or whose access changes. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { testApi } from '../../test/harness/api.ts'
import { eventually } from '../../test/harness/wait.ts'
import { openRealtime } from '../app-realtime.ts'
import { contactArchived } from '../contacts/events.ts'
import { messageUpdated } from '../conversations/events.ts'
import { createCallerLoader } from '../identity/auth/authenticate.ts'
import type { Db } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { emit } from '../platform/events/event.ts'
import { getLatestSeq } from '../platform/events/log.ts'
import { startSequencer } from '../platform/events/sequencer.ts'
import { type Realtime, type RealtimeOptions, startRealtime } from './sockets.ts'

const api = await testApi()
const { deps, connection } = api
const sequencer = startSequencer(deps, { connection })
afterAll(() => sequencer.stop())

async function open(options: Partial<RealtimeOptions> = {}, on: Deps = deps) {
  const realtime = startRealtime(on, {
    authenticate: createCallerLoader(on),
    unread: async () => ({ count: 0 }),
    views: { filter: Type.Object({}), count: async () => ({ counts: [] }) },
    listVisible: { conversation: async () => new Set(), workflow: async () => new Set() },
    onAccessChanged: () => () => {},
    ...options,
  })
  return serve(realtime)
}

async function serve(realtime: Realtime) {
  const server = createServer().on('upgrade', realtime.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await realtime.stop()
    server.close().closeAllConnections()
  })
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime`

  async function listen(token: string, options: ClientOptions & { since?: number } = {}) {
    const headers = { authorization: `Bearer ${token}` }
    const ws = new WebSocket(`${url}?since=${options.since ?? ''}`, { ...options, headers })
    const seqs: number[] = []
    const frames: { head?: number; types: string[] } = { types: [] }
    ws.on('message', data => {
      const frame = JSON.parse(String(data))
      frames.types.push(frame.type)
      if (frame.type === 'hello') frames.head = frame.data.seq
      if (frame.type === 'message.updated') seqs.push(frame.seq)
    })
    const closed = once(ws, 'close').then(([code]) => code as number)
    await once(ws, 'open')
    return { ws, seqs, frames, closed }
  }
  return { url, listen, count: realtime.count }
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

test('one that does not read is sent away when a megabyte waits for it, and can go on from there', async () => {
  const { tenantId, owner } = await api.workspace()
  // The client answers the closing when it reads again, after all events.
  const { listen, count } = await open({ closeTimeoutMs: 120_000 })
  const slow = await listen(owner.token)
  const quick = await listen(owner.token)
  await eventually(() => expect(count()).toBe(2))
  slow.ws.pause()
  const data = { text: 'x'.repeat(200_000) } as never
  const events = 100
  for (let n = 0; n < events; n += 25)
    await transact(deps.db, async tx => {
      for (let i = 0; i < 25; i++) await emit(tx, messageUpdated, { tenantId, data })
    })
  await eventually(() => expect(quick.seqs).toHaveLength(events))
  slow.ws.resume()
  expect(await slow.closed).toBe(4108)
  // The events received so far have no gap, and the missing ones can be read.
  expect(slow.seqs.length).toBeLessThan(events)
  expect(slow.seqs).toEqual(quick.seqs.slice(0, slow.seqs.length))
  const again = await listen(owner.token, { since: slow.seqs.at(-1) ?? 0 })
  await eventually(() => expect([...slow.seqs, ...again.seqs]).toEqual(quick.seqs))
  expect(quick.seqs).toEqual(upTo(events))
})

test('a socket that joins while events happen receives each event after its position exactly once', async () => {
  const { tenantId, user } = await api.workspace()
  const { listen } = await open()
  const [events, most] = process.env.FULL === '1' ? [500, 2_000] : [300, 200]
  const joined: { from: () => number; seqs: number[] }[] = []
  // As many that nobody exceeds the limit of connections.
  const users = await Promise.all(Array.from({ length: Math.ceil(most / 25) }, () => user('admin')))
  let last = 0
  let over = false
  async function join(): Promise<void> {
    while (!over && joined.length < most) {
      const since = Math.random() < 0.5 ? undefined : Math.floor(Math.random() * (last + 1))
      const { token } = users[joined.length % users.length]!
      const { seqs, frames } = await listen(token, since === undefined ? {} : { since })
      joined.push({ from: () => since ?? frames.head!, seqs })
    }
  }
  const joining = Array.from({ length: 8 }, join)
  for (let n = 0; n < events; n++) {
    await transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data: {} as never }))
    last = Math.max(0, ...joined.slice(0, 1).flatMap(({ seqs }) => seqs.at(-1) ?? 0))
  }
  over = true
  await Promise.all(joining)
  expect(joined.length).toBeGreaterThan(10)
  await eventually(() => {
    for (const { from, seqs } of joined) expect(seqs.at(-1) ?? from()).toBe(events)
  })
  for (const { from, seqs } of joined) expect(seqs).toEqual(upTo(events).filter(seq => seq > from()))
})

test('a socket that resumes ahead of the other sockets of its process receives no event twice', async () => {
  const { tenantId, owner } = await api.workspace()
  const bus = { ...deps.bus, subscribe: () => () => {} }
  const { listen, count } = await open({}, { ...deps, bus })
  const first = await listen(owner.token)
  await eventually(() => expect(count()).toBe(1))
  for (let n = 0; n < 5; n++)
    await transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data: {} as never }))
  await eventually(async () => expect(await getLatestSeq(deps.db, tenantId)).toBe(5))
  // The first socket has not been notified of the five events yet: joining makes the process read them.
  const resumed = await listen(owner.token, { since: 3 })
  await eventually(() => expect(first.seqs).toEqual(upTo(5)))
  const fresh = await listen(owner.token)
  await eventually(() => expect(fresh.frames.head).toBe(5))
  expect(resumed.seqs).toEqual([4, 5])
  expect(fresh.seqs).toEqual([])
})

test('one that does not answer the heartbeat is ended; one that does stays', async () => {
  const { owner } = await api.workspace()
  const heartbeatMs = 300
  const { listen, count } = await open({ heartbeatMs })
  const alive = await listen(owner.token)
  const dead = await listen(owner.token, { autoPong: false })
  await eventually(() => expect(count()).toBe(2))
  const began = performance.now()
  expect(await dead.closed).toBe(1006)
  expect(performance.now() - began).toBeGreaterThan(heartbeatMs / 2)
  await eventually(() => expect(count()).toBe(1))
  expect(alive.ws.readyState).toBe(WebSocket.OPEN)
})

test('a log that cannot be read for a moment is read again, whether or not something else happens', async () => {
  const { tenantId, owner } = await api.workspace()
  let broken = false
  const rows: Db['rows'] = query => (broken ? Promise.reject(new Error('gone')) : deps.db.rows(query))
  const { listen, count } = await open({}, { ...deps, db: { ...deps.db, rows } })
  const { seqs } = await listen(owner.token)
  await eventually(() => expect(count()).toBe(1))
  broken = true
  await transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data: {} as never }))
  await sleep(300)
  broken = false
  await eventually(() => expect(seqs).toEqual([1]))
})

test('frames stop when the caller loses a scope, and the socket closes with 4403 when none is left', async () => {
  const { tenantId, owner } = await api.workspace()
  const load = createCallerLoader(deps)
  let scopes = ['user:read_self', 'conversation:read', 'contact:read']
  let notify: (tenantId?: string) => void = () => {}
  const { listen, count } = await open({
    authenticate: async token => ({ ...(await load(token))!, scopes: new Set(scopes) }),
    onAccessChanged: listener => {
      notify = listener
      return () => {}
    },
  })
  const send = () => transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data: {} as never }))
  const { seqs, frames, ws, closed } = await listen(owner.token)
  await eventually(() => expect(count()).toBe(1))
  await send()
  await eventually(() => expect(seqs).toEqual([1]))

  scopes = ['user:read_self', 'contact:read']
  notify(tenantId)
  await send()
  await transact(deps.db, tx => emit(tx, contactArchived, { tenantId, data: {} as never }))
  await eventually(() => expect(frames.types).toContain('contact.archived'))
  expect(seqs).toEqual([1])
  expect(ws.readyState).toBe(WebSocket.OPEN)

  scopes = ['user:read_self']
  notify(tenantId)
  expect(await closed).toBe(4403)
})

test('a change of access in another process applies to the next frame, although a request cached the caller', async () => {
  const { tenantId, owner, user, teamId } = await api.workspace()
  const agent = await user('agent', [teamId])
  const other = await api.another()
  const { listen, count } = await serve(openRealtime({ ...other.deps, bus: deps.bus }))
  const send = (teamIds: string[]) =>
    transact(deps.db, tx =>
      emit(tx, messageUpdated, { tenantId, data: {} as never, audience: { teamIds, userIds: [] } }),
    )
  const { seqs } = await listen(agent.token)
  const all = await listen(owner.token)
  await eventually(() => expect(count()).toBe(2))
  await send([teamId])
  await eventually(() => expect(seqs).toHaveLength(1))
  expect((await other.as(agent).get('/users/me')).status).toBe(200)
  expect((await owner.delete(`/teams/${teamId}/members/${agent.id}`)).status).toBe(204)
  await send([teamId])
  await eventually(() => expect(all.seqs).toHaveLength(2))
  expect(seqs).toHaveLength(1)
})

test('a caller has at most 50 connections; the next closes with 4429 until one of them ends', async () => {
  const { owner, user } = await api.workspace()
  const { listen, count } = await open()
  const sockets = await Promise.all(Array.from({ length: 50 }, () => listen(owner.token)))
  await eventually(() => expect(count()).toBe(50))
  expect(await (await listen(owner.token)).closed).toBe(4429)
  await listen((await user('agent')).token)
  await eventually(() => expect(count()).toBe(51))
  sockets[0]!.ws.terminate()
  await eventually(() => expect(count()).toBe(50))
  await listen(owner.token)
  await eventually(() => expect(count()).toBe(51))
})

test('a client that floods the service with pings and reads nothing gets a bounded number of pongs, then 4429', async () => {
  const { owner } = await api.workspace()
  const { listen, count } = await open()
  const { ws, closed } = await listen(owner.token)
  await eventually(() => expect(count()).toBe(1))
  let pongs = 0
  ws.on('pong', () => pongs++)
  ws.pause()
  const payload = Buffer.alloc(125)
  for (let n = 0; n < 50_000; n++) ws.ping(payload)
  await sleep(300)
  ws.resume()
  expect(await closed).toBe(4429)
  expect(pongs).toBeLessThanOrEqual(1_000)
})

test('a pong is not sent to a client that does not read what waits for it', async () => {
  const { tenantId, owner } = await api.workspace()
  const { listen, count } = await open()
  const { ws, closed } = await listen(owner.token)
  await eventually(() => expect(count()).toBe(1))
  let pongs = 0
  ws.on('pong', () => pongs++)
  ws.pause()
  // Sent in one batch: the buffer is checked before each frame, so only pings find it full.
  const data = { text: 'x'.repeat(1_000_000) } as never
  for (let n = 0; n < 12; n++) await transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data }))
  await eventually(async () => expect(await getLatestSeq(deps.db, tenantId)).toBe(12))
  for (let n = 0; n < 900; n++) ws.ping()
  ws.resume()
  expect(await closed).toBe(4108)
  expect(pongs).toBeLessThan(900)
})

test('broken frames and resets during admission end only their connection', async () => {
  const { owner } = await api.workspace()
  const { url, listen } = await open()
  const { hostname, port, pathname } = new URL(url)
  const handshake = (token: string) =>
    `GET ${pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`
  for (const token of ['wrong', owner.token]) {
    const broken = connect(Number(port), hostname)
    // A frame of a client must be masked.
    broken.write(Buffer.concat([Buffer.from(handshake(token)), Buffer.from([0x81, 0x01, 0x41])]))
    broken.resume()
    await once(broken, 'close')
    const reset = connect(Number(port), hostname)
    await once(reset, 'connect')
    reset.write(handshake(token), () => reset.resetAndDestroy())
    await once(reset, 'close')
  }
  await listen(owner.token)
})

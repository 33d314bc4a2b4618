/** Those who do not keep up, and those who are gone without a word. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { testApi } from '../../test/harness/api.ts'
import { eventually } from '../../test/harness/wait.ts'
import { messageUpdated } from '../conversations/events.ts'
import { createAuthenticator } from '../identity/auth/authenticate.ts'
import type { Db } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { emit } from '../platform/events/event.ts'
import { startSequencer } from '../platform/events/sequencer.ts'
import { startRealtime } from './sockets.ts'

const api = await testApi()
const { deps, connection } = api
const sequencer = startSequencer(deps, { connection })
afterAll(() => sequencer.stop())

async function open(heartbeatMs?: number, on: Deps = deps) {
  const realtime = startRealtime(on, {
    authenticate: createAuthenticator(on),
    unread: async () => ({ count: 0 }),
    onAccessChanged: () => () => {},
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  })
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
    const frames: { head?: number } = {}
    ws.on('message', data => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'hello') frames.head = frame.data.seq
      if (frame.type === 'message.updated') seqs.push(frame.seq)
    })
    const closed = once(ws, 'close').then(([code]) => code as number)
    await once(ws, 'open')
    return { ws, seqs, frames, closed }
  }
  return { listen, count: realtime.count }
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

test('one that does not read is sent away when a megabyte waits for it, and can go on from there', async () => {
  const { tenantId, owner } = await api.workspace()
  const { listen, count } = await open()
  const slow = await listen(owner.token)
  const quick = await listen(owner.token)
  await eventually(() => expect(count()).toBe(2))
  slow.ws.pause()
  const data = { text: 'x'.repeat(200_000) } as never
  const events = 100
  for (let n = 0; n < events; n++) await transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data }))
  await eventually(() => expect(quick.seqs).toHaveLength(events))
  slow.ws.resume()
  expect(await slow.closed).toBe(4108)
  // What it got is whole and without a gap, and the rest is there.
  expect(slow.seqs.length).toBeLessThan(events)
  expect(slow.seqs).toEqual(quick.seqs.slice(0, slow.seqs.length))
  const again = await listen(owner.token, { since: slow.seqs.at(-1) ?? 0 })
  await eventually(() => expect([...slow.seqs, ...again.seqs]).toEqual(quick.seqs))
  expect(quick.seqs).toEqual(upTo(events))
})

test('who joins while things happen sees all of them, from where it was or was frames to be', async () => {
  const { tenantId, owner } = await api.workspace()
  const { listen } = await open()
  const [events, most] = process.env.FULL === '1' ? [500, 2_000] : [300, 200]
  const joined: { from: () => number; seqs: number[] }[] = []
  let last = 0
  let over = false
  async function join(): Promise<void> {
    while (!over && joined.length < most) {
      const since = Math.random() < 0.5 ? undefined : Math.floor(Math.random() * (last + 1))
      const { seqs, frames } = await listen(owner.token, since === undefined ? {} : { since })
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
    for (const { from, seqs } of joined) {
      const seen = new Set(seqs)
      expect(upTo(events).filter(seq => seq > from() && !seen.has(seq))).toEqual([])
    }
  })
})

test('one that does not answer the heartbeat is ended; one that does stays', async () => {
  const { owner } = await api.workspace()
  const heartbeatMs = 300
  const { listen, count } = await open(heartbeatMs)
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
  const { listen, count } = await open(undefined, { ...deps, db: { ...deps.db, rows } })
  const { seqs } = await listen(owner.token)
  await eventually(() => expect(count()).toBe(1))
  broken = true
  await transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data: {} as never }))
  await sleep(300)
  broken = false
  await eventually(() => expect(seqs).toEqual([1]))
})

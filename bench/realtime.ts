/**
 * Benchmarks realtime: events to 2,000 sockets compared with a plain `ws` server that sends the same bytes, and with
 * socket.io if it is installed; and the delay from commit to the socket. The sockets are in a separate process.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { WebSocketServer } from 'ws'
import { routes } from '../src/app.ts'
import { openRealtime } from '../src/app-realtime.ts'
import { messageUpdated } from '../src/conversations/events.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { transact } from '../src/platform/db/transact.ts'
import { emit } from '../src/platform/events/event.ts'
import { startSequencer } from '../src/platform/events/sequencer.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { openAccounts } from './messages/accounts.ts'
import { openSocketIo } from './peers/socket-io.ts'
import { benchDeps, report } from './support/environment.ts'
import { median } from './support/statistics.ts'

const sockets = 2_000
const events = 50
const { deps, connection, close } = await benchDeps()
const { tenantId, token } = await openAccounts(deps)
const authenticate = createAuthenticator(deps)
const app = await buildServer({ deps, routes, authenticate, pageKey: deps.keys.current('page-tokens') })
const realtime = openRealtime(deps, { socketsPerCaller: sockets })
app.server.on('upgrade', realtime.upgrade)
await app.listen({ port: 0, host: '127.0.0.1' })
const sequencer = startSequencer(deps, { connection })

const conversation = { id: 'cnv_1', text: 'x'.repeat(400) } as never
const broadcast = (at: number) =>
  transact(deps.db, tx => emit(tx, messageUpdated, { tenantId, data: { conversation, at } as never }))

interface Delivery {
  /** Frames per second, from the first to the last. */
  rate: number
  latencies: number[]
}

/** Connects the sockets, then sends the events. */
async function measureDelivery(url: string, send: () => Promise<void>): Promise<Delivery> {
  const program = path.join(import.meta.dirname, 'messages/listeners.ts')
  const args = ['--import', 'tsx', program, url, token, String(sockets), String(events)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout.on('data', chunk => {
      const before = output
      output += chunk
      if (!before.includes('open\n') && output.includes('open\n')) send().catch(reject)
    })
    child.on('close', () => resolve(JSON.parse(output.split('\n').at(-2)!) as Delivery))
  })
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const frameOf = (seq: number) => ({ seq, type: 'message.updated', data: { conversation, at: Date.now() } })

async function bare(): Promise<Delivery> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const all = new WebSocketServer({ server })
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const found = await measureDelivery(url, async () => {
    for (let i = 0; i < events; i++) {
      const frame = JSON.stringify(frameOf(i))
      for (const client of all.clients) client.send(frame)
      await pause(0)
    }
  })
  all.close()
  server.close()
  return found
}

const url = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/realtime`
const limit = await bare()
const ours = await measureDelivery(url, async () => {
  for (let i = 0; i < events; i++) await broadcast(Date.now())
})
const ratio = ours.rate / limit.rate
report({
  name: 'realtime.broadcast',
  unit: 'frames/s',
  value: ours.rate,
  limit: limit.rate,
  ratio,
  wanted: '>= 0.70',
})
const peer = await openSocketIo()
if (peer) {
  const theirs = await measureDelivery(peer.url, async () => {
    for (let i = 0; i < events; i++) {
      peer.broadcast(frameOf(i))
      await pause(0)
    }
  })
  peer.close()
  report({
    name: `realtime.broadcast, against socket.io ${peer.version}, which keeps nothing`,
    unit: 'frames/s',
    value: ours.rate,
    limit: theirs.rate,
    ratio: ours.rate / theirs.rate,
    wanted: '>= 1',
  })
}
const slow = await measureDelivery(url, async () => {
  for (let i = 0; i < events; i++) {
    await broadcast(Date.now())
    await pause(200)
  }
})
const p50 = median(slow.latencies)
report({
  name: 'realtime.commit_to_socket_p50',
  unit: 'ms',
  value: p50,
  limit: 25,
  ratio: p50 / 25,
  wanted: '<= 1',
})
await sequencer.stop()
await realtime.stop()
await app.close()
await close()

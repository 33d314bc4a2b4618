/**
 * Benchmarks the web chat: 2,000 visitors with a socket each on one process. Memory per socket and the delay from the
 * commit of a message to the socket of its visitor, compared with a plain `ws` server with as many sockets; and how much
 * the sockets slow down the writing of messages. The sockets are in a separate process. Run it with --expose-gc.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { WebSocketServer } from 'ws'
import { receiveMessage } from '../src/conversations/inbound/receive-message.ts'
import { connectInboxes } from '../src/inboxes/inboxes.ts'
import { buildWebchatAccount } from '../src/inboxes/settings/webchat-settings.ts'
import { transact } from '../src/platform/db/transact.ts'
import { startSequencer } from '../src/platform/events/sequencer.ts'
import { createTicket } from '../src/realtime/tickets.ts'
import { startVisitorRealtime, visitorSocketPath } from '../src/webchat/realtime/sockets.ts'
import { createVisitor } from '../src/webchat/visitors/visitors.ts'
import { openAccounts } from './messages/accounts.ts'
import { benchDeps, report } from './support/environment.ts'
import { percentile } from './support/statistics.ts'

const sockets = 2_000
const writers = 20
const { deps, connection, close } = await benchDeps()
const { tenantId, ownerId } = await openAccounts(deps)
const [inbox] = await transact(deps.db, tx =>
  connectInboxes(tx, { tenantId, id: ownerId, kind: 'user' }, [
    buildWebchatAccount({ name: 'Site', allowedOrigins: [] }),
  ]),
)
const visitors = await transact(deps.db, async tx => {
  const created: { id: string; token: string }[] = []
  for (let i = 0; i < sockets; i++) created.push(await createVisitor(tx, inbox!, {}))
  return created
})

interface Delivery {
  /** From the commit of each message to its arrival. */
  latencies: number[]
  bytesPerSocket: number
}

/** When each message was sent or committed, by its text. */
type Departures = Map<string, number>

function getMemory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Connects the sockets, then sends one message to each. */
async function measure(url: string, queries: string[], send: () => Promise<Departures>): Promise<Delivery> {
  const before = getMemory()
  const program = path.join(import.meta.dirname, 'webchat/visitors.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', program, url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(queries.join('\n'))
  let output = ''
  let bytesPerSocket = 0
  let sending: Promise<Departures> | undefined
  child.stdout.on('data', chunk => {
    output += chunk
    if (sending || !output.includes('open\n')) return
    bytesPerSocket = (getMemory() - before) / sockets
    sending = send()
  })
  await new Promise(resolve => child.on('close', resolve))
  const departures = await sending!
  const arrivals = Object.entries(JSON.parse(output.split('\n').at(-2)!) as Record<string, number>)
  return { latencies: arrivals.map(([body, at]) => at - departures.get(body)!), bytesPerSocket }
}

async function listen(): Promise<{ server: ReturnType<typeof createServer>; url: string }> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const frameOf = (body: string) => ({
  type: 'message',
  seq: 1,
  data: { id: 'msg_1', author: { kind: 'visitor' }, content: { type: 'text', text: { body } } },
})

async function measureBare(): Promise<Delivery> {
  const { server, url } = await listen()
  const all = new WebSocketServer({ server })
  const queries = visitors.map((_, i) => `n=${i}`)
  const found = await measure(url, queries, async () => {
    const departures: Departures = new Map()
    for (const client of all.clients) {
      const body = String(departures.size)
      departures.set(body, Date.now())
      client.send(JSON.stringify(frameOf(body)))
    }
    return departures
  })
  all.close()
  server.close()
  return found
}

let written = 0

/** Every visitor writes once, a few at a time. */
async function write(): Promise<Departures> {
  const waiting = [...visitors]
  const departures: Departures = new Map()
  const receive = async ({ id }: { id: string }) => {
    const body = String(written++)
    await transact(deps.db, tx =>
      receiveMessage(
        tx,
        { tenantId, inboxId: inbox!.id },
        {
          at: new Date().toISOString(),
          from: id,
          alsoKnownAs: [],
          channelMessageId: `${id}:${body}`,
          content: { type: 'text', text: { body } },
        },
      ),
    )
    departures.set(body, Date.now())
  }
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let visitor = waiting.pop(); visitor; visitor = waiting.pop()) await receive(visitor)
    }),
  )
  return departures
}

async function measureWriting(): Promise<number> {
  const startedAt = performance.now()
  await write()
  return sockets / ((performance.now() - startedAt) / 1000)
}

const createQueries = () =>
  transact(deps.db, async tx => {
    const queries: string[] = []
    for (const { token } of visitors)
      queries.push(`ticket=${(await createTicket(deps, tx, tenantId, token)).ticket}`)
    return queries
  })

const bare = await measureBare()
const realtime = startVisitorRealtime(deps)
const { server, url } = await listen()
server.on('upgrade', realtime.upgrade)
// The first messages create the conversations.
await write()
const sequencer = startSequencer(deps, { connection })
const alone = await measureWriting()
let watched = 0
const ours = await measure(`${url}${visitorSocketPath}`, await createQueries(), async () => {
  const startedAt = performance.now()
  const departures = await write()
  watched = sockets / ((performance.now() - startedAt) / 1000)
  return departures
})
report({
  name: 'webchat.memory_per_socket, against a plain ws server',
  unit: 'kB',
  value: ours.bytesPerSocket / 1000,
  limit: bare.bytesPerSocket / 1000,
  ratio: ours.bytesPerSocket / bare.bytesPerSocket,
  wanted: '<= 6',
})
report({
  name: 'webchat.messages_with_sockets, against none',
  unit: 'messages/s',
  value: watched,
  limit: alone,
  ratio: watched / alone,
  wanted: '>= 0.3',
})
for (const part of [0.5, 0.99]) {
  const value = percentile(ours.latencies, part)
  const limit = percentile(bare.latencies, part)
  report({
    name: `webchat.commit_to_socket_p${part * 100}, against a plain ws server`,
    unit: 'ms',
    value,
    limit,
    ratio: value / Math.max(1, limit),
    wanted: '<= 20',
  })
}
await sequencer.stop()
await realtime.stop()
server.close()
await close()

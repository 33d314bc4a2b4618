/**
 * Measures what more cells cost: CPU time of the service and of PostgreSQL for each message, from the request to the
 * delivery, with the same workspaces in one, two and three cells, and the CPU time of an idle cell. The service is a process
 * of its own; this process only sends. Rounds alternate between the variants, because the machine may be busy.
 * BENCH_ROUNDS (5) and BENCH_MESSAGES (1,500) set the size, BENCH_ONLY=messages or idle measures one of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey, type RunningService, startServers, waitUntilIdle } from './cells/installation.ts'
import { report } from './support/environment.ts'
import { median } from './support/statistics.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const messages = Number(process.env.BENCH_MESSAGES ?? 1_500)
const warmUp = Math.min(600, messages)
const workspaces = 6
const connectionsPerWorkspace = 3
const variants = [1, 2, 3]
const settleMs = 40_000
const idleMs = 20_000

interface Sender {
  key: string
  inboxId: string
}

const servers = await startServers(3)
let numbers = 0

const request = async (service: RunningService, key: string, path: string, body: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${service.url}/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}

async function connect(service: RunningService, key: string): Promise<Sender> {
  const chatapp = { resourceIds: ['9100'], phoneNumberIds: [`91${++numbers}`] }
  const { inboxes } = (await request(service, key, '/inboxes', { chatapp })) as { inboxes: { id: string }[] }
  return { key, inboxId: inboxes[0]!.id }
}

/** Sends over several connections of each workspace, and returns the seconds that it took. */
async function send(service: RunningService, senders: readonly Sender[], count: number): Promise<number> {
  let remaining = count
  const began = performance.now()
  const sending = senders.flatMap(({ key, inboxId }) =>
    Array.from({ length: connectionsPerWorkspace }, async () => {
      while (remaining-- > 0) {
        const phoneNumber = `+1415555${String(++numbers % 10_000).padStart(4, '0')}`
        const content = { type: 'text', text: { body: 'Hello' } }
        await request(service, key, '/messages', {
          inboxId,
          recipient: { type: 'phone', phoneNumber },
          content,
        })
      }
    }),
  )
  await Promise.all(sending)
  return (performance.now() - began) / 1_000
}

const keys = new Map<number, string[]>()
for (const cells of variants)
  keys.set(
    cells,
    await Promise.all(
      Array.from({ length: workspaces }, (_, n) => createKey(servers.cells[n % cells]!, `v${cells}w${n}`)),
    ),
  )
const senders = new Map<number, Sender[]>()

interface Round {
  rate: number
  service: number
  servers: number
}

async function measure(cells: number): Promise<Round> {
  const service = await servers.start(cells)
  try {
    if (!senders.has(cells))
      senders.set(cells, await Promise.all(keys.get(cells)!.map(key => connect(service, key))))
    const used = senders.get(cells)!
    await send(service, used, warmUp)
    await waitUntilIdle(servers.cells.slice(0, cells))
    const before = service.cpu()
    const seconds = await send(service, used, messages)
    await waitUntilIdle(servers.cells.slice(0, cells))
    const after = service.cpu()
    return {
      rate: messages / seconds,
      service: (after.service - before.service) / messages,
      servers: (after.servers - before.servers) / messages,
    }
  } finally {
    await service.stop()
  }
}

async function reportMessages(): Promise<void> {
  const results = new Map<number, Round[]>(variants.map(cells => [cells, []]))
  for (let n = 0; n < rounds; n++)
    // Each variant is first and last as often as the others.
    for (const [i] of variants.entries()) {
      const cells = variants[(i + n) % variants.length]!
      const round = await measure(cells)
      results.get(cells)!.push(round)
      process.stderr.write(
        `${cells} cells: ${round.rate.toFixed(0)} messages/s, ${round.service.toFixed(2)} + ${round.servers.toFixed(2)} ms\n`,
      )
    }

  const medianOf = (cells: number, value: (round: Round) => number) => median(results.get(cells)!.map(value))
  const total = (round: Round) => round.service + round.servers
  for (const cells of variants) {
    report({
      name: `cells.cpu_with_${cells}`,
      unit: 'ms/message',
      value: medianOf(cells, total),
      limit: medianOf(1, total),
      ratio: medianOf(1, total) / medianOf(cells, total),
      wanted: '>= 0.95',
    })
    report({
      name: `cells.rate_with_${cells}`,
      unit: 'messages/s',
      value: medianOf(cells, round => round.rate),
      limit: medianOf(1, round => round.rate),
      ratio: medianOf(cells, round => round.rate) / medianOf(1, round => round.rate),
      wanted: '',
    })
  }
}

/** Returns the share of a core that the process and its servers use without requests, in percent. */
async function measureIdle(cells: number): Promise<Omit<Round, 'rate'>> {
  const service = await servers.start(cells)
  try {
    await sleep(settleMs)
    const before = service.cpu()
    await sleep(idleMs)
    const after = service.cpu()
    const toPercent = (ms: number) => (ms / idleMs) * 100
    return {
      service: toPercent(after.service - before.service),
      servers: toPercent(after.servers - before.servers),
    }
  } finally {
    await service.stop()
  }
}

async function reportIdle(): Promise<void> {
  const idle = { one: [] as Omit<Round, 'rate'>[], three: [] as Omit<Round, 'rate'>[] }
  for (let n = 0; n < Math.ceil(rounds / 2); n++) {
    idle.one.push(await measureIdle(1))
    idle.three.push(await measureIdle(3))
    process.stderr.write(`idle: ${JSON.stringify({ one: idle.one.at(-1), three: idle.three.at(-1) })}\n`)
  }
  const idlePerCell = (member: 'service' | 'servers') =>
    (median(idle.three.map(each => each[member])) - median(idle.one.map(each => each[member]))) / 2
  for (const member of ['service', 'servers'] as const)
    report({
      name: `cells.idle_${member}`,
      unit: '% of a core per cell',
      value: idlePerCell(member),
      limit: 0.3,
      ratio: 0.3 / idlePerCell(member),
      wanted: '>= 1',
    })
}

if (process.env.BENCH_ONLY !== 'idle') await reportMessages()
if (process.env.BENCH_ONLY !== 'messages') await reportIdle()
await servers.stop()

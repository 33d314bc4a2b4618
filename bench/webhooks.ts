/**
 * Benchmarks webhooks: deliveries per second compared with a plain loop that signs and posts the same bytes; the delay
 * from commit to receipt at a steady rate, also with a million pending retries for dead endpoints; and the attempt log
 * by each filter. ATTEMPTS and PENDING set the sizes of the last two.
 */
import type { Deps } from '../src/platform/deps.ts'
import { startSequencer } from '../src/platform/events/sequencer.ts'
import { startSubscriptions } from '../src/platform/events/subscriptions.ts'
import { findRecentAttempts } from '../src/webhooks/attempts.ts'
import { startDeliverer } from '../src/webhooks/delivery/deliverer.ts'
import { AttemptId } from '../src/webhooks/schemas.ts'
import { deliverEvents } from '../src/webhooks/subscriptions.ts'
import { benchDeps, report } from './support/environment.ts'
import { fillAttempts } from './webhooks/attempts.ts'
import { addDeadEndpoints } from './webhooks/dead-endpoints.ts'
import { bareLoop, createEndpoints, drain, latencies } from './webhooks/deliveries.ts'
import { now, startSink } from './webhooks/sink.ts'

const pending = Number(process.env.PENDING ?? 1_000_000)
const attempts = Number(process.env.ATTEMPTS ?? 1_000_000)
const seconds = Number(process.env.SECONDS ?? 10)

/** Returns medians of alternating rounds, so that other load on the machine affects all of them. */
async function inTurns<K extends string>(
  measured: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const names = Object.keys(measured) as K[]
  const found = new Map<K, number[]>(names.map(name => [name, []]))
  for (let n = 0; n < 3; n++) for (const name of names) found.get(name)!.push(await measured[name]())
  const median = (name: K) => found.get(name)!.sort((a, b) => a - b)[1]!
  return Object.fromEntries(names.map(name => [name, median(name)])) as Record<K, number>
}

const higher = (name: string, value: number, limit: number, wanted: string) =>
  report({ name, unit: '1/s', value, limit, ratio: value / limit, wanted })
const lower = (name: string, value: number, limit: number, wanted: string, unit = 'ms') =>
  report({ name, unit, value, limit, ratio: value / limit, wanted })

async function listing(deps: Deps, tenantId: string): Promise<void> {
  for (const [name, filter] of [
    ['no filter', {}],
    ['status=succeeded', { status: 'succeeded' }],
    ['status=failed', { status: 'failed' }],
    ['eventType=message.created', { eventType: 'message.created' }],
    ['a rare eventType', { eventType: 'contact.archived' }],
    ['an absent eventType', { eventType: 'conversation.closed' }],
    ['both, common', { eventType: 'message.created', status: 'succeeded' }],
    ['both, rare', { eventType: 'contact.archived', status: 'failed' }],
  ] as const) {
    const times: number[] = []
    for (let n = 0; n < 200; n++) {
      const age = Math.random() * 6 * 86_400_000
      const after = n % 2 === 0 ? undefined : [AttemptId.firstAt(new Date(Date.now() - age))]
      const startedAt = now()
      await findRecentAttempts(deps.db, deps.clock, tenantId, { ...filter, limit: 200, after })
      times.push(now() - startedAt)
    }
    const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!
    lower(`attempts of ${attempts}, ${name}: p99`, p99, 50, '<= 1')
  }
}

const { deps, connection, close } = await benchDeps()
const sink = await startSink()
const sequencer = startSequencer(deps, { connection })
const feeds = startSubscriptions(deps, [deliverEvents], { connection })
const wanted = '>= 1500/s or ratio >= 0.5'
async function steadily(tenantIds: string[]) {
  const deliverer = startDeliverer(deps, { connection })
  await latencies(deps, sink, tenantIds, { perSecond: 200, forSeconds: 3 }) // until it holds its lanes
  const found = await latencies(deps, sink, tenantIds, { perSecond: 200, forSeconds: seconds })
  await deliverer.stop(1000)
  return found
}
try {
  const ten = await createEndpoints(deps, sink.url, 10)
  await drain(deps, sink, ten, connection) // warm
  await bareLoop(sink)
  const found = await inTurns({
    bare: () => bareLoop(sink),
    ten: () => drain(deps, sink, ten, connection),
    one: () => drain(deps, sink, ten.slice(0, 1), connection),
  })
  higher('deliveries, ten workspaces', found.ten, found.bare, wanted)
  higher('deliveries, one workspace', found.one, found.bare, wanted)
  const steady = await steadily(ten)
  lower('commit to receipt at 200/s: p50', steady.p50, 50, '<= 1')
  lower('commit to receipt at 200/s: p99', steady.p99, 500, '<= 1')
  if (pending > 0) {
    await addDeadEndpoints(deps, await createEndpoints(deps, 'http://127.0.0.1:9/dead', 50), pending)
    const among = await drain(deps, sink, ten, connection)
    higher(`deliveries beside ${pending} dead retries`, among, found.ten, '>= 0.83')
    const beside = await steadily(ten)
    lower(`commit to receipt beside ${pending} dead retries: p50`, beside.p50, steady.p50, '<= 1.2')
    lower(
      `commit to receipt beside ${pending} dead retries: p99`,
      beside.p99,
      steady.p99,
      '<= 1.2, or 500 ms',
    )
  }
  if (attempts > 0) {
    await fillAttempts(deps, ten[9]!, { from: 0, to: attempts })
    await listing(deps, ten[9]!)
  }
} finally {
  await feeds.stop()
  await sequencer.stop()
  sink.stop()
  await close()
}

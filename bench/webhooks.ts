/**
 * Benchmarks webhooks: deliveries per second compared with a plain loop that signs and posts the same bytes; the delay
 * from commit to receipt at a steady rate, also with a million pending retries for dead endpoints; and the attempt log
 * by each filter. ATTEMPTS and PENDING set the sizes of the last two.
 */
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { Pool } from 'undici'
import { ContactId } from '../src/contacts/schemas.ts'
import { UserId } from '../src/identity/schemas.ts'
import { createWorkspace } from '../src/identity/workspace/tenants.ts'
import type { ConnectionConfig } from '../src/platform/db/db.ts'
import { sql } from '../src/platform/db/sql.ts'
import { transact } from '../src/platform/db/transact.ts'
import type { Deps } from '../src/platform/deps.ts'
import { EventId, emitMany, event, pendingEvent } from '../src/platform/events/event.ts'
import { startSequencer } from '../src/platform/events/sequencer.ts'
import { startSubscriptions } from '../src/platform/events/subscriptions.ts'
import type { Caller } from '../src/platform/http/caller.ts'
import { findRecentAttempts } from '../src/webhooks/attempts.ts'
import { startDeliverer } from '../src/webhooks/delivery/deliverer.ts'
import { buildSignedHeaders, decodeSecret } from '../src/webhooks/delivery/sign.ts'
import { AttemptId } from '../src/webhooks/schemas.ts'
import { changeSettings } from '../src/webhooks/settings.ts'
import { deliverEvents } from '../src/webhooks/subscriptions.ts'
import { benchDeps, report } from './environment.ts'
import { fillAttempts } from './webhooks/attempts.ts'

const events = Number(process.env.EVENTS ?? 10_000)
const pending = Number(process.env.PENDING ?? 1_000_000)
const attempts = Number(process.env.ATTEMPTS ?? 1_000_000)
const seconds = Number(process.env.SECONDS ?? 10)

const created = event<object>({ type: 'contact.created' })
const contact = {
  id: ContactId.create(),
  name: 'x'.repeat(700),
  tagIds: [],
  customFields: {},
  conversations: [],
}
const now = () => performance.timeOrigin + performance.now()

interface Sink {
  url: string
  /** First arrival of each webhook-id. */
  arrived: Map<string, number>
  stop(): void
}

async function startSink(): Promise<Sink> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'webhooks/endpoint.ts'), {
    execArgv: ['--import', 'tsx'],
  })
  const arrived = new Map<string, number>()
  const port = await new Promise<number>(resolve =>
    child.on('message', (message: { port?: number; arrivals?: [string, number][] }) => {
      if (message.port) resolve(message.port)
      for (const [id, at] of message.arrivals ?? []) if (!arrived.has(id)) arrived.set(id, at)
    }),
  )
  return { url: `http://127.0.0.1:${port}/hook`, arrived, stop: () => child.kill() }
}

async function makeReceivers(deps: Deps, url: string, count: number): Promise<string[]> {
  const tenantIds: string[] = []
  for (let n = 0; n < count; n++) {
    const owner = { name: 'Owner', email: `${UserId.create()}@example.com`, passwordHash: 'none' }
    await transact(deps.db, async tx => {
      const { tenantId, ownerId } = await createWorkspace(tx, { name: 'Bench', owner })
      const caller = { tenantId, id: ownerId, kind: 'user' } as Caller
      await changeSettings(tx, { ...deps, caller }, { url, enabled: true })
      tenantIds.push(tenantId)
    })
  }
  return tenantIds
}

const emitFor = (deps: Deps, tenantId: string, count: number) =>
  transact(deps.db, tx =>
    emitMany(
      tx,
      Array.from({ length: count }, () => pendingEvent(created, { tenantId, data: { contact } })),
    ),
  )

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise(resolve => setTimeout(resolve, 5))
}

/** Measures the limit: a loop that signs and posts the same bytes and stores nothing. */
async function bareLoop(sink: Sink): Promise<number> {
  const { origin, pathname } = new URL(sink.url)
  const pool = new Pool(origin, { connections: 16 })
  const keys = [
    { version: 1, secret: decodeSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), expiresAt: null },
  ]
  let left = events
  const startedAt = now()
  const worker = async () => {
    while (left-- > 0) {
      const id = EventId.create()
      const body = Buffer.from(
        JSON.stringify({
          id,
          type: 'contact.created',
          timestamp: new Date().toISOString(),
          data: { contact },
        }),
      )
      const headers = buildSignedHeaders(keys, { id, timestamp: Math.floor(Date.now() / 1000), body })
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  const rate = (events * 1000) / (now() - startedAt)
  await pool.close()
  return rate
}

/** Measures from the first to the last request of a backlog that exists when delivery starts. */
async function drain(
  deps: Deps,
  sink: Sink,
  tenantIds: string[],
  connection: ConnectionConfig,
): Promise<number> {
  sink.arrived.clear()
  const each = Math.ceil(events / tenantIds.length)
  const whole = each * tenantIds.length
  for (let left = each; left > 0; left -= 500)
    await Promise.all(tenantIds.map(tenantId => emitFor(deps, tenantId, Math.min(left, 500))))
  await until(async () => (await countDeliveries(deps)) === whole)
  const deliverer = startDeliverer(deps, { connection })
  await until(async () => sink.arrived.size >= whole)
  await until(async () => (await countDeliveries(deps)) === 0)
  await deliverer.stop(1000)
  const times = [...sink.arrived.values()]
  return (whole * 1000) / (Math.max(...times) - Math.min(...times))
}

async function countDeliveries(deps: Deps): Promise<number> {
  const dead = sql`select tenant_id from webhook_settings where url like '%/dead'`
  const { count } = await deps.db.one<{ count: number }>(
    sql`select count(*) as count from webhook_deliveries where tenant_id not in (${dead})`,
  )
  return count
}

interface Pace {
  perSecond: number
  forSeconds: number
}

async function latencies(deps: Deps, sink: Sink, tenantIds: string[], { perSecond, forSeconds }: Pace) {
  sink.arrived.clear()
  const committed = new Map<string, number>()
  const emitting = new Set<Promise<void>>()
  const ids = new Map<string, string>()
  const startedAt = now()
  for (let n = 0; n < perSecond * forSeconds; n++) {
    const wait = startedAt + (n * 1000) / perSecond - now()
    if (wait > 1) await new Promise(resolve => setTimeout(resolve, wait))
    const tenantId = tenantIds[n % tenantIds.length]!
    const mark = `mark ${n}`
    const one = transact(deps.db, tx =>
      emitMany(tx, [pendingEvent(created, { tenantId, data: { contact: { ...contact, mark } } })]),
    ).then(() => {
      committed.set(mark, now())
      emitting.delete(one)
    })
    emitting.add(one)
  }
  await Promise.all(emitting)
  await until(async () => sink.arrived.size >= committed.size)
  const rows = await deps.db.rows<{ id: string; mark: string }>(
    sql`select event_id as id, data -> 'contact' ->> 'mark' as mark from event_log where data -> 'contact' ->> 'mark' is not null`,
  )
  for (const { id, mark } of rows) ids.set(mark, id)
  const all = [...committed].map(([mark, at]) => sink.arrived.get(ids.get(mark)!)! - at).sort((a, b) => a - b)
  await deps.db.run(sql`update event_log set data = '{}' where data -> 'contact' ->> 'mark' is not null`)
  return { p50: all[Math.floor(all.length * 0.5)]!, p99: all[Math.floor(all.length * 0.99)]! }
}

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

/** Creates dead endpoints with pending retries, half of them overdue. */
async function addDead(deps: Deps, tenantIds: string[]): Promise<void> {
  const each = Math.ceil(pending / tenantIds.length)
  for (const tenantId of tenantIds) await emitFor(deps, tenantId, 1)
  await until(async () => (await sequenced(deps, tenantIds)) === tenantIds.length)
  // All attempts of a workspace share one event: an event missing in the log would be dropped.
  for (const tenantId of tenantIds)
    await deps.db.run(sql`
      insert into webhook_backlog (tenant_id, id, endpoint_id, seq, event_id, event_type, attempts, failures, due_at)
      select ${tenantId}, 'whd_dead' || lpad(n::text, 22, '0'), (
          select id from webhook_settings where tenant_id = ${tenantId} and is_first), 1, 'evt_dead' || lpad(n::text, 22, '0'), 'contact.created',
        2, 2, now() + (random() - 0.5) * interval '10 hours'
      from generate_series(1, ${each}::int) n`)
  await deps.db.run(
    sql`update webhook_endpoint_state set due_at = now() where tenant_id = any (${tenantIds}::text[])`,
  )
  await deps.db.run(sql`vacuum analyze webhook_backlog`)
  await deps.db.run(sql`checkpoint`).catch(() => 0)
}

async function sequenced(deps: Deps, tenantIds: string[]): Promise<number> {
  const { count } = await deps.db.one<{ count: number }>(
    sql`select count(*) as count from event_log where tenant_id = any (${tenantIds}::text[]) and seq = 1`,
  )
  return count
}

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
  const ten = await makeReceivers(deps, sink.url, 10)
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
    await addDead(deps, await makeReceivers(deps, 'http://127.0.0.1:9/dead', 50))
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

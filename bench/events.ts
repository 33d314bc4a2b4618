/**
 * Benchmarks the event log: throughput from outbox to log, compared with a plain INSERT … SELECT of the same rows on the
 * same server, and the delay from commit until an event is sequenced and handled.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { type Bus, inProcessBus } from '../src/platform/bus/bus.ts'
import { systemClock } from '../src/platform/clock.ts'
import { type ConnectionConfig, connectDb, type Db } from '../src/platform/db/db.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { sql } from '../src/platform/db/sql.ts'
import { transact } from '../src/platform/db/transact.ts'
import type { Deps } from '../src/platform/deps.ts'
import { emit, event } from '../src/platform/events/event.ts'
import { getLatestSeq } from '../src/platform/events/log.ts'
import { onAdvanced } from '../src/platform/events/notify.ts'
import { startSequencer } from '../src/platform/events/sequencer.ts'
import { registerConsumer } from '../src/platform/events/store/consumers.ts'
import { startSubscriptions } from '../src/platform/events/subscriptions.ts'
import { deleteConsumer } from '../src/platform/events/testing/delete-consumer.ts'
import { administer, withDatabase } from '../test/harness/server.ts'

const log = pino({ level: 'silent' })
const tick = event<{ n: number; text: string }>({ type: 'bench.tick' })
const text = 'x'.repeat(500)
const rows = 30_000
const batch = 1_000

async function withServer(fn: (admin: ConnectionConfig) => Promise<void>): Promise<void> {
  const url = process.env.BENCH_DATABASE_URL
  if (url) return fn({ connectionString: url })
  const { startEmbedded } = await import('../src/platform/db/embedded/start.ts')
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-'))
  const server = await startEmbedded({ dataDir })
  try {
    await fn(server.superuser)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const report = (measurement: string, values: object) =>
  console.log(JSON.stringify({ measurement, ...values }))
const perSecond = (count: number, ms: number) => Math.round((count * 1_000) / ms)
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

function quantiles(samples: number[]) {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (q: number) =>
    Number(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]?.toFixed(2))
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), samples: sorted.length }
}

async function timed(fn: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await fn()
  return performance.now() - start
}

const fill = (db: Db, tenants: number) =>
  db.run(sql`insert into outbox (event_id, tenant_id, type, at, data, audience, causation_depth)
    select 'evt_01kxxxxxxxxxxxxxxxxxxxxxx' || n % 10, 'tn_01kxxxxxxxxxxxxxxxxxxx' || 10000 + n % ${tenants}::int,
      'bench.tick', now(), json_build_object('n', n, 'text', ${text}::text), '{"teamId":null}', 0
    from generate_series(1, ${rows}::int) n`)

/** Measures the limit: copies the same rows in batches of the same size into a table of the same shape. */
async function bareCopy(db: Db): Promise<number> {
  await db.run(sql`create table bare (like event_log including all)`)
  await fill(db, 200)
  const { first } = await db.one<{ first: number }>(sql`select min(id) as first from outbox`)
  const ms = await timed(async () => {
    for (let from = first; from < first + rows; from += batch) {
      await db.run(sql`insert into bare select tenant_id, id, current_date, event_id, type, at, data, audience, causation_depth
        from outbox where id >= ${from}::bigint and id < ${from + batch}::bigint order by id`)
    }
  })
  await db.run(sql`truncate outbox, bare`)
  await db.run(sql`drop table bare`)
  return perSecond(rows, ms)
}

async function throughput(db: Db, connection: ConnectionConfig, bare: number): Promise<void> {
  for (const [tenants, subscribers] of [
    [1, 0],
    [1, 2],
    [200, 2],
    [10_000, 2],
  ] as const) {
    for (let n = 0; n < subscribers; n++)
      await transact(db, tx => registerConsumer(tx, { name: `s${n}`, types: null }, false))
    await fill(db, tenants)
    const bus = inProcessBus()
    let moved = 0
    const heads = new Map<string, number>()
    const ms = await timed(async () => {
      const done = new Promise<void>(resolve =>
        onAdvanced(
          bus,
          advanced => {
            for (const [tenant, seq] of Object.entries(advanced)) {
              moved += seq - (heads.get(tenant) ?? 0)
              heads.set(tenant, seq)
            }
            if (moved >= rows) resolve()
          },
          () => {},
        ),
      )
      const sequencer = startSequencer({ db, clock: systemClock, log, bus }, { connection, batchSize: batch })
      await done
      await sequencer.stop()
    })
    const eventsPerSecond = perSecond(rows, ms)
    const ratio = Number((eventsPerSecond / bare).toFixed(2))
    report('outbox to log', { tenants, subscribers, batch, eventsPerSecond, barePerSecond: bare, ratio })
    for (let n = 0; n < subscribers; n++) await transact(db, tx => deleteConsumer(tx, `s${n}`))
    await db.run(sql`truncate event_log, event_heads`)
  }
}

/** Emits 200 events per second, each in its own transaction. */
async function paced(db: Db, seconds: number, tenants: number, committed: (n: number, at: number) => void) {
  const start = performance.now()
  const commits: Promise<void>[] = []
  for (let n = 0; n < seconds * 200; n++) {
    const wait = start + n * 5 - performance.now()
    if (wait > 0) await pause(wait)
    const tenantId = `tn_bench${n % tenants}`
    commits.push(
      transact(db, tx => emit(tx, tick, { tenantId, data: { n, text } })).then(() =>
        committed(n, performance.now()),
      ),
    )
  }
  await Promise.all(commits)
}

async function latencies(db: Db, connection: ConnectionConfig): Promise<void> {
  const bus = inProcessBus()
  const deps = { db, clock: systemClock, log, bus } as unknown as Deps & { bus: Bus }
  const sequencer = startSequencer({ db, clock: systemClock, log, bus }, { connection })
  const committedAt = new Map<number, number>()
  const handled = { apply: [] as number[], handle: [] as number[] }
  const sequenced: number[] = []
  const waiting = new Map<string, { seq: number; at: number }[]>()
  const counts = new Map<string, number>()
  const leave = onAdvanced(
    bus,
    heads => {
      const now = performance.now()
      for (const [tenant, seq] of Object.entries(heads)) {
        const list = waiting.get(tenant) ?? []
        while (list[0] && list[0].seq <= seq) sequenced.push(Math.max(0, now - list.shift()!.at))
      }
    },
    () => {},
  )
  // The response to the commit may arrive after the notification of its event; that counts as zero delay.
  const note = (n: number, at: number, tenants: number) => {
    committedAt.set(n, at)
    const tenant = `tn_bench${n % tenants}`
    const seq = (counts.get(tenant) ?? 0) + 1
    counts.set(tenant, seq)
    waiting.set(tenant, [...(waiting.get(tenant) ?? []), { seq, at }])
  }
  await pause(300)
  await paced(db, 4, 20, (n, at) => note(n, at, 20))
  await pause(300)
  report('commit to sequenced at 200 events/s', quantiles(sequenced))
  leave()

  const since = (n: number) => Math.max(0, performance.now() - (committedAt.get(n) ?? performance.now()))
  const numberOf = (data: unknown) => (data as { n: number }).n
  await db.run(sql`create table effects (n int)`)
  const subscriptions = startSubscriptions(
    deps,
    [
      {
        name: 'bench-apply',
        async apply(tx, events) {
          await tx.run(sql`insert into effects select unnest(${events.map(e => numberOf(e.data))}::int[])`)
          tx.afterCommit(() => handled.apply.push(...events.map(e => since(numberOf(e.data)))))
        },
      },
      {
        name: 'bench-handle',
        handle: async (_deps, events) => {
          handled.handle.push(...events.map(e => since(numberOf(e.data))))
        },
      },
    ],
    { connection },
  )
  await pause(500)
  for (const tenants of [1, 20, 200]) {
    committedAt.clear()
    handled.apply.length = 0
    handled.handle.length = 0
    await paced(db, 3, tenants, (n, at) => committedAt.set(n, at))
    await pause(500)
    report('commit to handled at 200 events/s', { with: 'handle', tenants, ...quantiles(handled.handle) })
    report('commit to effect committed at 200 events/s', {
      with: 'apply',
      tenants,
      ...quantiles(handled.apply),
    })
  }
  await subscriptions.stop()
  await sequencer.stop()
}

/** Moved rows stay in the table while an old snapshot is open: the sequencer must not scan them again. */
async function oldSnapshot(db: Db, connection: ConnectionConfig): Promise<void> {
  const bus = inProcessBus()
  await db.withClient(async client => {
    await client.query('begin isolation level repeatable read')
    await client.query('select count(*) from outbox')
    const sequencer = startSequencer({ db, clock: systemClock, log, bus }, { connection })
    for (let n = 0; n < 2; n++) await fill(db, 200)
    while ((await db.one<{ left: boolean }>(sql`select exists (select from outbox) as left`)).left)
      await pause(50)
    const samples: number[] = []
    const before = await getLatestSeq(db, 'tn_bench')
    for (let n = 1; n <= 200; n++) {
      const received = new Promise<void>(resolve => {
        const leave = onAdvanced(
          bus,
          heads => {
            if (heads.tn_bench !== before + n) return
            leave()
            resolve()
          },
          () => {},
        )
      })
      await transact(db, tx => emit(tx, tick, { tenantId: 'tn_bench', data: { n, text } }))
      samples.push(await timed(() => received))
    }
    await client.query('commit')
    await sequencer.stop()
    report('commit to sequenced behind an old snapshot', { deadRows: rows * 2, ...quantiles(samples) })
  })
}

async function idle(db: Db, connection: ConnectionConfig): Promise<void> {
  const bus = inProcessBus()
  const deps = { db, clock: systemClock, log, bus } as unknown as Deps & { bus: Bus }
  await db.run(sql`insert into event_heads select 'tn_idle' || n, 1 from generate_series(1, 100000) n`)
  for (const name of ['a', 'b', 'c']) {
    await transact(db, tx => registerConsumer(tx, { name, types: null }, false))
    await db.run(sql`insert into event_consumer_queue (consumer, tenant_id, processed_seq, latest_seq, due_at)
      select ${name}, 'tn_idle' || n, 1, 1, null from generate_series(1, 100000) n`)
  }
  await db.run(sql`analyze event_consumer_queue`)
  const sequencer = startSequencer({ db, clock: systemClock, log, bus }, { connection })
  const subscriptions = startSubscriptions(
    deps,
    ['a', 'b', 'c'].map(name => ({ name, handle: async () => {} })),
    { connection },
  )
  await pause(1_000)
  const before = process.cpuUsage()
  await pause(4_000)
  const { user, system } = process.cpuUsage(before)
  report('idle with 100,000 workspaces and 3 subscribers', {
    cpuPercent: Number(((user + system) / 40_000).toFixed(2)),
  })
  await subscriptions.stop()
  await sequencer.stop()
}

await withServer(async admin => {
  const name = `bench_events_${process.pid}`
  await administer(admin, `create database ${name}`)
  const connection = withDatabase(admin, name)
  await administer(
    connection,
    'create extension if not exists pg_trgm; create extension if not exists btree_gin',
  )
  await migrate(connection)
  const db = connectDb({ connection, clock: systemClock, readers: 2, writers: 10 })
  try {
    await throughput(db, connection, await bareCopy(db))
    await latencies(db, connection)
    await oldSnapshot(db, connection)
    await idle(db, connection)
  } finally {
    await db.close()
    await administer(admin, `drop database if exists ${name} with (force)`)
  }
})

/**
 * Compares the job queue with plain PostgreSQL in the same run: enqueueing with a plain insert, claiming and completing
 * with a SKIP LOCKED loop; and measures the delay from commit to the start of a job.
 */

import type { Db } from '../src/platform/db/db.ts'
import { sql } from '../src/platform/db/sql.ts'
import { transact } from '../src/platform/db/transact.ts'
import type { Deps } from '../src/platform/deps.ts'
import { enqueue, enqueueMany } from '../src/platform/jobs/enqueue.ts'
import { job } from '../src/platform/jobs/job.ts'
import { startWorkers } from '../src/platform/jobs/workers.ts'
import { benchDeps, report } from './support/environment.ts'
import { median } from './support/statistics.ts'

interface Payload {
  i: number
  text: string
}
const payload = (i: number): Payload => ({ i, text: 'a payload of ordinary length' })
const tenantId = 'tn_01hzzzzzzzzzzzzzzzzzzzzzzz'

async function main(): Promise<void> {
  const { deps, close } = await benchDeps()
  try {
    await deps.db.run(sql`create table plain (id bigint primary key default nextval('job_ids'), name text collate "C" not null,
      tenant_id text collate "C" not null, key text collate "C", at timestamptz(3) not null, until timestamptz(3),
      payload json not null)`)
    await deps.db.run(sql`create index on plain (name, tenant_id, at)`)
    await measureEnqueue(deps.db)
    await measureThroughput(deps)
    await measureLatency(deps)
  } finally {
    await close()
  }
}

function keep(lists: Record<string, number[]>, name: string, value: number): void {
  const list = lists[name] ?? []
  lists[name] = list
  list.push(value)
}

/** Alternates the kinds in rounds, so that other load on the machine affects all of them. */
async function measureEnqueue(db: Db): Promise<void> {
  const noop = job<Payload>({ name: 'bench_enqueue', priority: 'normal', handle: async () => {} })
  const kinds: Record<string, (i: number) => Promise<unknown>> = {
    plain: i =>
      transact(db, tx =>
        tx.run(sql`insert into plain (name, tenant_id, key, at, payload)
          values (${noop.name}, ${tenantId}, ${`k${i}`}, clock_timestamp(), ${JSON.stringify(payload(i))}::json)`),
      ),
    'enqueue without a key': i => transact(db, tx => enqueue(tx, noop, { tenantId, payload: payload(i) })),
    'enqueue with a new key': i =>
      transact(db, tx => enqueue(tx, noop, { tenantId, orderingKey: `k${i}`, payload: payload(i) })),
    'enqueue with a busy key': i =>
      transact(db, tx => enqueue(tx, noop, { tenantId, orderingKey: `busy${i % 50}`, payload: payload(i) })),
  }
  const times: Record<string, number[]> = {}
  for (let round = 0; round < 100; round++) {
    for (const [kind, run] of Object.entries(kinds)) {
      const startedAt = performance.now()
      await Promise.all([0, 1, 2, 3].map(i => run(round * 4 + i)))
      if (round >= 20) keep(times, kind, (performance.now() - startedAt) / 4)
    }
  }
  const plain = median(times.plain!)
  for (const [kind, list] of Object.entries(times)) {
    if (kind !== 'plain')
      report({
        name: kind,
        unit: 'ms',
        value: median(list),
        limit: plain,
        ratio: median(list) / plain,
        wanted: 'at most 1.3 of a plain insert',
      })
  }
  await db.run(sql`truncate plain, job_lanes, jobs`)
}

async function measureThroughput(deps: Deps): Promise<void> {
  const rates: Record<string, number[]> = {}
  for (let round = 0; round < 3; round++) {
    keep(rates, 'bare', await bareLoop(deps.db, 8_000))
    keep(rates, 'without a key', await ours(deps, 8_000, () => undefined))
    keep(rates, 'of 2,000 keys', await ours(deps, 8_000, i => `k${i % 2_000}`))
    keep(rates, 'of one key', await ours(deps, 4_000, () => 'k'))
  }
  const bare = median(rates.bare!)
  for (const [kind, list] of Object.entries(rates)) {
    const rate = median(list)
    if (kind !== 'bare')
      report({
        name: `claim and complete ${kind}`,
        unit: 'jobs/s',
        value: rate,
        limit: bare,
        ratio: rate / bare,
        wanted: 'at least 0.7 of a bare SKIP LOCKED loop, or 10,000/s',
      })
  }
}

const places = 64

/** Runs a plain table with SKIP LOCKED and two connections with batches of the same size. */
async function bareLoop(db: Db, count: number): Promise<number> {
  await db.run(sql`insert into plain (name, tenant_id, at, payload)
    select 'bare', ${tenantId}, clock_timestamp(), ${JSON.stringify(payload(1))}::json from generate_series(1, ${count}::int)`)
  const startedAt = performance.now()
  const loop = async () => {
    for (;;) {
      const rows = await db.rows<{ id: number }>(sql`
        update plain set until = clock_timestamp() + interval '6 s' where id in (
          select id from plain where name = 'bare' and tenant_id = ${tenantId} and until is null
          order by at limit ${places} for update skip locked)
        returning id, payload`)
      if (rows.length === 0) return
      await db.run(sql`delete from plain where id = any(${rows.map(row => row.id)}::int8[])`)
    }
  }
  await Promise.all([loop(), loop()])
  return (count / (performance.now() - startedAt)) * 1000
}

async function ours(deps: Deps, count: number, key: (i: number) => string | undefined): Promise<number> {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  let done = 0
  const noop = job<Payload>({
    name: 'bench_noop',
    priority: 'normal',
    handle: async () => void (++done === count && resolve()),
  })
  const items = Array.from({ length: count }, (_, i) => ({
    tenantId,
    orderingKey: key(i),
    payload: payload(i),
  }))
  for (let i = 0; i < count; i += 2_000) {
    await transact(deps.db, tx => enqueueMany(tx, noop, items.slice(i, i + 2_000)))
  }
  const startedAt = performance.now()
  const workers = startWorkers(deps, [noop], { concurrency: { normal: places } })
  await promise
  await workers.stop(10_000) // the last are written down too
  return (count / (performance.now() - startedAt)) * 1000
}

async function measureLatency(deps: Deps): Promise<void> {
  let begin = (_at: number) => {}
  const urgent = job<Payload>({
    name: 'bench_urgent',
    priority: 'urgent',
    handle: async () => begin(performance.now()),
  })
  const bulk = job<Payload>({
    name: 'bench_bulk',
    priority: 'bulk',
    handle: () => new Promise(resolve => setTimeout(resolve, 5)),
  })
  const workers = startWorkers(deps, [urgent, bulk], { concurrency: { bulk: 16 } })
  const sample = async (name: string, count: number) => {
    const waits: number[] = []
    for (let i = 0; i < count; i++) {
      const startedAt = new Promise<number>(resolve => {
        begin = resolve
      })
      await transact(deps.db, tx => enqueue(tx, urgent, { tenantId, payload: payload(i) }))
      const committed = performance.now()
      waits.push((await startedAt) - committed)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    report({
      name: `${name}, p50`,
      unit: 'ms',
      value: median(waits),
      limit: 10,
      ratio: median(waits) / 10,
      wanted: 'under 10 ms',
    })
    const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)]!
    report({
      name: `${name}, p99`,
      unit: 'ms',
      value: p99,
      limit: 100,
      ratio: p99 / 100,
      wanted: 'under 100 ms',
    })
  }
  await sample('commit to start, idle', 150)
  await deps.db.run(sql`insert into job_lanes (name, tenant_id, ordered, state, at, pending, payload)
    select 'bench_bulk', ${tenantId}, false, 'ready', now(), 1, '{}' from generate_series(1, 100000)`)
  await sample('commit to start, behind 100,000 bulk jobs', 150)
  await workers.stop(1_000)
}

await main()

/** Many workers on separate connections: each job goes to one worker, each tenant gets its share. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { inProcessBus } from '../bus/bus.ts'
import { connectDb, type Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { enqueue } from './enqueue.ts'
import { job } from './job.ts'
import { relayEnqueued } from './notify.ts'
import { type ClaimedRow, claimLanes, promoteDueJobs } from './store/claim.ts'
import { completeMany, completeOne, renewLanes } from './store/completions.ts'
import { deferred, eventually, jobRig, pause, tenantId } from './testing/rig.ts'

const rig = await jobRig()
const { db, clock, connection } = rig

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const noop = job<{ n: number }>({ name: 'noop', priority: 'normal', handle: async () => {} })
const claim = (on: Db, limit: number, leaseMs = 60_000) =>
  claimLanes(on, [{ name: 'noop', leaseMs, afterTenant: '', readySinceMs: 0 }], limit)
const completion = (row: ClaimedRow) => ({
  id: row.id,
  token: row.token,
  doneId: row.job_id,
  step: 'release' as const,
  delayMs: 0,
})

/** As workers do: together, and alone what someone had locked that moment. */
async function complete(on: Db, rows: ClaimedRow[]): Promise<void> {
  const lastOfLane = [...new Map(rows.map(row => [row.id, completion(row)])).values()]
  const written = new Set((await completeMany(on, lastOfLane)).map(lane => lane.id))
  for (const lane of lastOfLane.filter(one => !written.has(one.id))) {
    expect(await transact(on, tx => completeOne(tx, lane))).toBeDefined()
  }
}

async function connections(count: number): Promise<Db[]> {
  const all = numbers(count).map(() => connectDb({ connection, clock, readers: 1, writers: 1 }))
  onTestFinished(async () => void (await Promise.all(all.map(one => one.close()))))
  await Promise.all(all.map(one => one.rows(sql`select 1`)))
  return all
}

describe('claims', () => {
  test('a hundred claimers on a hundred connections never get the same job', async () => {
    const claimers = await connections(100)
    const items = numbers(4_000).map(n => ({
      tenantId: `tn_${n % 7}`,
      ...(n % 3 === 0 ? { orderingKey: `k${n % 100}` } : {}),
      payload: { n },
    }))
    for (let i = 0; i < 4; i++) await rig.putMany(noop, items.slice(i * 1_000, (i + 1) * 1_000))
    const got: number[] = []
    await Promise.all(
      claimers.map(async on => {
        for (let empty = 0; empty < 3; ) {
          const rows = await claim(on, 10)
          if (rows.length === 0) empty++
          got.push(...rows.map(row => (row.payload as { n: number }).n))
          await complete(on, rows)
        }
      }),
    )
    expect(got.toSorted((a, b) => a - b)).toEqual(numbers(4_000))
    expect(await rig.isEmpty()).toBe(true)
  })

  test('a completion, a renewal or a retry with an old token changes nothing', async () => {
    await rig.putMany(
      noop,
      numbers(3).map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    const [old] = await claim(db, 1, 0)
    await promoteDueJobs(db, ['noop'], [0], true) // the lease has run out
    const [now] = await claim(db, 1)
    expect(now).toMatchObject({ id: old!.id, attempt: 2 })
    expect(now!.token).not.toBe(old!.token)
    const before = await db.rows(sql`select * from job_lanes`)
    expect(await completeMany(db, [completion(old!)])).toEqual([])
    expect(await completeMany(db, [{ ...completion(old!), step: 'retry', doneId: 0 }])).toEqual([])
    expect(await renewLanes(db, [{ ...old!, leaseMs: 60_000 }])).toEqual([])
    expect(await renewLanes(db, [{ ...old!, leaseMs: 60_000 }], true)).toEqual([])
    expect(await db.rows(sql`select * from job_lanes`)).toEqual(before)
    expect(await db.rows(sql`select * from jobs`)).toHaveLength(2)
    expect(await completeMany(db, [completion(now!)])).toEqual([{ id: now!.id, remaining: 2 }])
  })

  test('a claim undone by a crash of the database is invalid', async () => {
    await rig.putMany(noop, [{ orderingKey: 'k', payload: { n: 0 } }])
    const [before] = await db.rows<{ token: number }>(sql`select token from job_lanes`)
    const [undone] = await claim(db, 1)
    await db.run(sql`update job_lanes set state = 'ready', at = now(), attempt = 0, token = ${before!.token}`)
    const [now] = await claim(db, 1)
    expect(await completeMany(db, [completion(undone!)])).toEqual([])
    expect(await renewLanes(db, [{ ...undone!, leaseMs: 60_000 }])).toEqual([])
    expect(await completeMany(db, [completion(now!)])).toEqual([{ id: now!.id, remaining: 0 }])
  })

  test('a job enqueued while its lane ends is never lost', async () => {
    const [one, two] = (await connections(2)) as [Db, Db]
    let enqueued = 0
    let done = 0
    const inserting = (async () => {
      for (; enqueued < 600; enqueued++) {
        await transact(one, tx => enqueue(tx, noop, { tenantId, orderingKey: 'k', payload: { n: enqueued } }))
      }
    })()
    await eventually(async () => {
      const rows = await claim(two, 1)
      done += rows.length
      await complete(two, rows)
      expect(done).toBe(600)
    })
    await inserting
    expect(await rig.isEmpty()).toBe(true)
  })

  /** All that workers do to lanes; gives how many jobs there were. */
  async function workThrough(on: Db, limit: number, sweep: boolean): Promise<number> {
    const rows = await claim(on, limit)
    await renewLanes(
      on,
      rows.map(row => ({ ...row, leaseMs: 1_000 })),
    )
    await complete(on, rows)
    await promoteDueJobs(on, ['noop'], [0], sweep)
    return rows.length
  }

  test('use the indexes, however full the queue is and whenever the plan was made', async () => {
    const [on] = (await connections(1)) as [Db]
    await on.run(sql`vacuum analyze job_lanes`)
    await on.run(sql`vacuum analyze jobs`)
    for (let i = 0; i < 8; i++) await workThrough(on, 50, true) // planned for empty tables
    await on.run(sql`
      insert into job_lanes (name, tenant_id, ordered, state, at, pending, payload)
      select case when n % 2 = 0 then 'noop' else 'unknown' end, 'tn_' || n % 300, false,
        case when n % 10 = 0 then 'scheduled' else 'ready' end, now() + (n % 10 + 1) * interval '1 h', 2, '{}'
      from generate_series(1, 100000) as n`)
    await on.run(sql`insert into jobs (lane_id, payload) select id, '{}' from job_lanes`)
    const reads = async () => {
      await on.rows(sql`select pg_stat_force_next_flush()`)
      return on.one<{ whole: number; entries: number }>(sql`
        select sum(seq_scan) as whole, (select sum(idx_tup_read) from pg_stat_user_indexes
          where relname in ('job_lanes', 'jobs')) as entries
        from pg_stat_user_tables where relname in ('job_lanes', 'jobs')`)
    }
    const before = await reads()
    for (let i = 0; i < 10; i++) expect(await workThrough(on, 50, i === 5)).toBe(100)
    const after = await reads()
    expect(after.whole).toBe(before.whole)
    expect(after.entries - before.entries).toBeLessThan(20_000)
  })
})

describe('a locked lane', () => {
  test('delays no other lane and is written when it is unlocked', async () => {
    const done: number[] = []
    const go = deferred()
    const keyed = job<{ n: number }>({
      name: 'keyed',
      priority: 'normal',
      handle: async (_deps, { n }) => {
        await go.promise
        done.push(n)
      },
    })
    await rig.putMany(
      keyed,
      [0, 1].map(n => ({ orderingKey: `k${n}`, payload: { n } })),
    )
    rig.work([keyed])
    await eventually(async () =>
      expect((await rig.lanes()).map(lane => lane.state)).toEqual(['leased', 'leased']),
    )
    const commit = deferred()
    const holding = transact(db, async tx => {
      await enqueue(tx, keyed, { tenantId, orderingKey: 'k0', payload: { n: 2 } })
      go.resolve()
      await commit.promise
    })
    await eventually(async () =>
      expect(await db.rows(sql`select ordering_key from job_lanes order by 1`)).toEqual([
        { ordering_key: 'k0' },
      ]),
    )
    expect(done.toSorted()).toEqual([0, 1])
    commit.resolve()
    await holding
    await eventually(() => expect(done).toHaveLength(3))
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  })
})

describe('shares', () => {
  test('a flood of bulk jobs does not delay urgent ones', async () => {
    const bulk = job<{ n: number }>({ name: 'bulk', priority: 'bulk', handle: () => pause(20) })
    const waits: number[] = []
    let begin = () => {}
    const urgent = job<{ n: number }>({ name: 'urgent', priority: 'urgent', handle: async () => begin() })
    await db.run(sql`
      insert into job_lanes (name, tenant_id, ordered, state, at, pending, payload)
      select 'bulk', ${tenantId}, false, 'ready', now(), 1, '{}' from generate_series(1, 100000)`)
    rig.work([bulk, urgent])
    await eventually(async () => expect((await rig.lanes()).some(lane => lane.state === 'leased')).toBe(true))
    for (let n = 0; n < 40; n++) {
      const begun = new Promise<void>(resolve => {
        begin = resolve
      })
      await rig.put(urgent, { payload: { n } })
      const committed = performance.now()
      await begun
      waits.push(performance.now() - committed)
    }
    const median = waits.toSorted((a, b) => a - b)[20]!
    expect(median).toBeLessThan(within(50)) // a few milliseconds on a machine that does nothing else
  })

  test('a flood of one tenant does not starve the others', async () => {
    const order: string[] = []
    const shared = job<{ n: number }>({
      name: 'shared',
      priority: 'normal',
      handle: async (_deps, _payload, work) => void order.push(work.tenantId),
    })
    await rig.putMany(
      shared,
      numbers(2_000).map(n => ({ tenantId: 'tn_a', payload: { n } })),
    )
    const others = numbers(40).map(n => `tn_b${n}`)
    await rig.putMany(
      shared,
      others.map(id => ({ tenantId: id, payload: { n: 0 } })),
    )
    rig.work([shared], { concurrency: { normal: 4 } })
    await eventually(() => expect(order).toHaveLength(2_040))
    const lastOther = Math.max(...others.map(id => order.indexOf(id)))
    expect(lastOther).toBeLessThan(150)
  })

  test('busy tenants share the workers', async () => {
    const order: string[] = []
    const shared = job<{ n: number }>({
      name: 'shared',
      priority: 'normal',
      handle: async (_deps, _payload, work) => void order.push(work.tenantId),
    })
    await rig.putMany(
      shared,
      numbers(600).map(n => ({ tenantId: `tn_${Math.floor(n / 20)}`, payload: { n } })),
    )
    rig.work([shared], { concurrency: { normal: 2 } })
    await eventually(() => expect(order).toHaveLength(600))
    expect(new Set(order.slice(0, 90)).size).toBe(30)
  })

  test('one job does not starve another of the same priority', async () => {
    const order: string[] = []
    const named = (name: string) =>
      job<{ n: number }>({ name, priority: 'normal', handle: async () => void order.push(name) })
    const [many, few] = [named('a_many'), named('b_few')]
    await rig.putMany(
      many,
      numbers(500).map(n => ({ payload: { n } })),
    )
    await rig.putMany(
      few,
      numbers(10).map(n => ({ payload: { n } })),
    )
    rig.work([many, few], { concurrency: { normal: 2 } })
    await eventually(() => expect(order).toHaveLength(510))
    expect(order.lastIndexOf('b_few')).toBeLessThan(100)
  })

  test('scheduled lanes do not hide ready ones, with any number of tenants', async () => {
    await db.run(sql`
      insert into job_lanes (name, tenant_id, ordered, state, at, pending, payload)
      select 'noop', 'tn_' || n, false, 'scheduled', now() + interval '1 day', 1, '{}' from generate_series(1, 3000) as n`)
    await rig.put(noop, { tenantId: 'tn_zzz', payload: { n: 1 } })
    expect(await claim(db, 10)).toHaveLength(1)
  })
})

test('a commit in a process without workers wakes workers of another over the bus', async () => {
  const bus = inProcessBus() // stands for one between processes
  const [here, there] = [rig.otherProcess(), rig.otherProcess()].map(deps => ({ ...deps, bus }))
  let begin = () => {}
  const woken = job<{ n: number }>({ name: 'woken', priority: 'urgent', handle: async () => begin() })
  const stopRelay = relayEnqueued(there!)
  rig.work([woken], {}, here!)
  const waits: number[] = []
  for (let n = 0; n < 2; n++) {
    await pause(2_500) // idle: it looks around once a second by now
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    await transact(there!.db, tx => enqueue(tx, woken, { tenantId, payload: { n } }))
    const committed = performance.now()
    await begun
    waits.push(performance.now() - committed)
  }
  stopRelay()
  expect(Math.max(...waits)).toBeLessThan(within(200))
})

/** Processes are killed, stopped and continued: no job is lost or run concurrently, and the order of a key holds. */
import { afterEach, describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { listDeadJobs } from './dead-letters.ts'
import { enqueue, enqueueMany, type JobInput } from './enqueue.ts'
import { job } from './job.ts'
import {
  bystander,
  callOutside,
  createLedger,
  kill,
  poison,
  provoker,
  step,
  waitLong,
} from './testing/child-jobs.ts'
import { children } from './testing/children.ts'
import { eventually, jobRig, pause, tenantId } from './testing/rig.ts'

const rig = await jobRig()
const { db } = rig
const crowd = children(rig.connection)
await db.run(createLedger)
await db.run(sql`create table counters (key int primary key, n int not null)`)

afterEach(async () => {
  await crowd.killAll()
  await db.run(sql`truncate ledger, counters`)
})

interface Entry {
  job: string
  n: number
  key: string | null
  event: string
  attempt: number
  process: number
  at: string
}
const ledger = (job: string) => db.rows<Entry>(sql`select * from ledger where job = ${job} order by id`)
const pick = (below: number) => Math.floor(Math.random() * below)

describe('a worker', () => {
  test('killed with -9 loses its job to another worker within ten seconds', async () => {
    const victim = await crowd.start()
    await rig.put(waitLong, { payload: { n: 1 } })
    await eventually(async () => expect(await ledger('hold_on')).toHaveLength(1))
    await crowd.start()
    victim.kill('SIGKILL')
    const killedAt = performance.now()
    await eventually(async () => expect(await ledger('hold_on')).toHaveLength(2))
    expect(performance.now() - killedAt).toBeLessThan(within(10_000))
    expect(await ledger('hold_on')).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  })

  test('paused past its lease does not repeat its effect', async () => {
    const paused = await crowd.start()
    await rig.put(callOutside, { orderingKey: 'k', payload: { n: 1 } })
    await eventually(async () => expect(await ledger('call_out')).toHaveLength(1))
    paused.kill('SIGSTOP')
    await crowd.start()
    const events = async () =>
      (await ledger('call_out')).map(({ event, process }) => [event, process === paused.pid])
    await eventually(async () => expect(await events()).toContainEqual(['called', false]))
    paused.kill('SIGCONT')
    await eventually(async () => expect(await events()).toContainEqual(['refused', true]))
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect((await events()).filter(([event]) => event === 'called')).toHaveLength(1)
  })
})

test('a job that kills its worker becomes a dead letter when its attempts are used up', async () => {
  await rig.put(kill, { orderingKey: 'k', payload: { n: 1 } })
  for (const _ of [1, 2]) {
    const victim = await crowd.start()
    await eventually(() => expect(victim.signalCode).toBe('SIGKILL'))
  }
  const survivor = await crowd.start()
  await eventually(async () => expect(await listDeadJobs(db)).toHaveLength(1))
  expect(await listDeadJobs(db)).toMatchObject([
    { name: 'kill', attempts: 2, error: expect.stringContaining('the worker died') },
  ])
  expect(survivor.signalCode).toBeNull()
  await eventually(async () => expect(await rig.isEmpty()).toBe(true))
})

/** Expires the leases of dead processes; call it while no process runs. */
const expireLeases = () =>
  db.run(sql`update job_lanes set at = clock_timestamp() - interval '1 second' where state = 'leased'`)

/** As many as a process claims together with the job that kills it. */
const bystanders = 12

test('a job on which workers die is given up after three deaths, and jobs beside it are done', async () => {
  for (let n = 1; n <= bystanders; n++) await rig.put(bystander, { payload: { n } })
  await rig.put(poison, { payload: { n: 1 } })
  // One worker, since each worker of a process may run a suspect, and a death counts for both of them.
  for (const _ of [1, 2, 3]) {
    const victim = await crowd.start(1)
    await eventually(() => expect(victim.signalCode).toBe('SIGKILL'))
    await expireLeases()
  }
  const survivor = await crowd.start(1)
  await eventually(async () => expect(await listDeadJobs(db)).toHaveLength(1))
  expect(await listDeadJobs(db)).toMatchObject([
    { name: 'poison', error: expect.stringContaining('died repeatedly') },
  ])
  expect(await ledger('poison')).toMatchObject([{ event: 'given up' }])
  await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  expect((await ledger('bystander')).filter(entry => entry.event === 'given up')).toEqual([])
  expect(new Set((await ledger('bystander')).map(entry => entry.n)).size).toBe(bystanders)
  expect(survivor.signalCode).toBeNull()
})

/** Lets a worker die on the job, which another job of its process may have caused. */
const makeSuspect = (deaths = 1) => db.run(sql`update job_lanes set deaths = ${deaths}`)

test('a suspect runs without the jobs that could kill its process, and is not given up for them', async () => {
  await rig.put(provoker, { payload: { n: 1 } })
  await makeSuspect()
  const victim = await crowd.start(1)
  await eventually(() => expect(victim.signalCode).toBe('SIGKILL'))
  expect((await ledger('provoker')).map(entry => entry.event)).toEqual(['began', 'done'])
})

test('a suspect is not given up when its process is killed while another one runs', async () => {
  await rig.put(poison, { payload: { n: 1 } })
  await makeSuspect(2)
  await rig.put(bystander, { payload: { n: 1 } })
  await db.run(sql`update job_lanes set deaths = 1 where name = 'bystander'`)
  const victim = await crowd.start(1)
  await eventually(() => expect(victim.signalCode).toBe('SIGKILL'))
  await expireLeases()
  const survivor = await crowd.start(1)
  await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  expect((await ledger('poison')).map(entry => entry.event)).toEqual(['given up'])
  expect((await ledger('bystander')).map(entry => entry.event)).toEqual(['done'])
  expect(survivor.signalCode).toBeNull()
})

test('a process tries a suspect for the last time only when it has run for a while', async () => {
  await rig.put(bystander, { payload: { n: 1 } })
  await makeSuspect(2)
  // Each of these processes is killed from outside, soon after its start, with the suspect in its queue.
  for (const _ of [1, 2, 3]) {
    const victim = await crowd.start(1)
    await eventually(async () =>
      expect(await db.rows(sql`select state from job_lanes`)).toEqual([{ state: 'scheduled' }]),
    )
    victim.kill('SIGKILL')
    await eventually(() => expect(victim.signalCode).toBe('SIGKILL'))
    await db.run(sql`update job_lanes set state = 'ready', at = clock_timestamp()`)
  }
  await crowd.start(1)
  await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  expect((await ledger('bystander')).map(entry => entry.event)).toEqual(['done'])
})

const keys = 12

/** Enqueues the next numbers of some keys, in one transaction that may be rolled back. */
async function insertSome(): Promise<void> {
  await transact(db, async tx => {
    const wanted = Array.from({ length: 1 + pick(4) }, () => pick(keys)).sort((a, b) => a - b)
    const jobs: JobInput<{ n: number }>[] = []
    // A writer that enqueues in order locks a row of the key, as a sender locks its conversation.
    for (const key of wanted) {
      const { n } = await tx.one<{ n: number }>(
        sql`update counters set n = n + 1 where key = ${key} returning n`,
      )
      jobs.push({ tenantId: `tn_${key % 3}`, orderingKey: `k${key}`, payload: { n } })
    }
    if (jobs.length === 1) await enqueue(tx, step, jobs[0]!)
    else await enqueueMany(tx, step, jobs)
    if (pick(3) === 0) await pause(pick(10))
    if (pick(5) === 0) throw new Error('never mind')
  }).catch(error => {
    if (error.message !== 'never mind') throw error
  })
}

test('order per key and effects exactly once, with retries, rollbacks, eight workers and kills', async () => {
  await db.run(sql`insert into counters select generate_series(0, ${keys - 1}::int), 0`)
  await Promise.all([0, 1, 2, 3].map(() => crowd.start())) // two workers each
  let transactions = 300
  const inserter = async () => {
    while (transactions-- > 0) {
      await insertSome()
      await pause(pick(50))
    }
  }
  const killer = async () => {
    while (transactions > 0) {
      await pause(700)
      crowd.all()[pick(4)]?.kill('SIGKILL')
      await crowd.start()
    }
  }
  await Promise.all([inserter(), inserter(), inserter(), inserter(), killer()])
  await eventually(async () => expect(await rig.isEmpty()).toBe(true), 120_000)
  const entries = await ledger('step')
  const counters = await db.rows<{ key: number; n: number }>(sql`select * from counters`)
  expect(counters.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(300)
  for (const { key, n: last } of counters) {
    const mine = entries.filter(entry => entry.key === `k${key}`)
    const done = mine.filter(entry => entry.event === 'done').map(entry => entry.n)
    expect(done, `k${key}`).toEqual(Array.from({ length: last }, (_, n) => n + 1))
    // None began before the one ahead of it was done.
    let finished = 0
    for (const { event, n } of mine) {
      if (event === 'done') finished = n
      else expect(n).toBeLessThanOrEqual(finished + 1)
    }
  }
})

test('repeatedly terminated connections lose and repeat nothing', async () => {
  const on = rig.otherProcess()
  const done: number[] = []
  const counted = job<{ n: number }>({
    name: 'counted',
    priority: 'normal',
    leaseMs: 1_000,
    retry: { maxAttempts: 1_000, initialDelayMs: 5, maxDelayMs: 20 },
    handle: (deps, { n }, work) =>
      transact(deps.db, async tx => {
        await tx.run(sql`insert into ledger (job, n, event, process) values ('counted', ${n}, 'done', 0)`)
        await work.finish(tx)
      }),
  })
  const items = Array.from({ length: 400 }, (_, n) => ({
    ...(n % 2 ? { orderingKey: `k${n % 8}` } : {}),
    payload: { n },
  }))
  await rig.putMany(counted, items)
  rig.work([counted], { concurrency: { normal: 8 } }, on)
  for (let i = 0; i < 6; i++) {
    await pause(60)
    await db.rows(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  }
  await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  for (const { n } of await ledger('counted')) done.push(n)
  expect(done.toSorted((a, b) => a - b)).toEqual(items.map(item => item.payload.n))
})

test('a cron ticks once across two processes', async () => {
  await Promise.all([crowd.start(), crowd.start()])
  await pause(4_500)
  const ticks = await db.rows<{ job: string }>(sql`select job from ledger where event = 'ticked' order by id`)
  expect(ticks.length).toBeGreaterThanOrEqual(2)
  expect(new Set(ticks.map(tick => tick.job)).size).toBe(ticks.length)
})

test('two hundred jobs, tenants and keys mixed, survive the death of every process in turn', async () => {
  const items = Array.from({ length: 200 }, (_, n) => ({
    tenantId,
    ...(n % 2 ? { orderingKey: `k${n % 20}` } : {}),
    payload: { n },
  }))
  await rig.putMany(step, items)
  for (let round = 0; round < 4; round++) {
    const child = await crowd.start()
    await pause(150)
    child.kill('SIGKILL')
  }
  await crowd.start()
  await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  const done = (await ledger('step')).filter(entry => entry.event === 'done').map(entry => entry.n)
  expect(done.toSorted((a, b) => a - b)).toEqual(items.map(item => item.payload.n))
})

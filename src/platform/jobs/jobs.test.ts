import { describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { discardDeadJobs, listDeadJobs, retryDeadJobs } from './dead-letters.ts'
import { enqueue } from './enqueue.ts'
import { backoffMs, Discard, job, LeaseLost, type Priority, RetryLater, type Work } from './job.ts'
import { finishAll } from './run.ts'
import { claimLanes, promoteDueJobs } from './store/claim.ts'
import { completeMany, renewLanes } from './store/completions.ts'
import { deferred, eventually, jobRig, pause, tenantId } from './testing/rig.ts'

const rig = await jobRig()
const { db, clock } = rig
await db.run(sql`create table effects (id bigint generated always as identity, n int)`)

const quickRetry = { initialDelayMs: 20, maxDelayMs: 20 }

/** A job that writes down what it was given. */
function listing(
  options: { name?: string; priority?: Priority; handle?: (n: number, work: Work) => unknown } = {},
) {
  const seen: number[] = []
  const listed = job<{ n: number }>({
    name: options.name ?? 'list',
    priority: options.priority ?? 'normal',
    retry: quickRetry,
    async handle(_deps, { n }, work) {
      seen.push(n)
      await options.handle?.(n, work)
    },
  })
  return { job: listed, seen }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('enqueue', () => {
  test('runs after the commit, and not at all after a rollback', async () => {
    const { job, seen } = listing()
    rig.work([job])
    await transact(db, async tx => {
      await enqueue(tx, job, { tenantId, payload: { n: 1 } })
      await pause(100)
      expect(seen).toEqual([])
    })
    const failed = transact(db, async tx => {
      await enqueue(tx, job, { tenantId, payload: { n: 2 } })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await rig.put(job, { payload: { n: 3 } })
    await eventually(() => expect(seen).toHaveLength(2))
    expect(seen).toEqual([1, 3])
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  })
  test('gives the handler what was enqueued', async () => {
    const works: Work[] = []
    const { job } = listing({ handle: (_, work) => works.push(work) })
    rig.work([job])
    await rig.put(job, { orderingKey: 'k', payload: { n: 1 } })
    await eventually(() => expect(works).toHaveLength(1))
    expect(works[0]).toMatchObject({ attempt: 1, tenantId, orderingKey: 'k', id: expect.any(Number) })
  })
  test('jobs of one key run one after the other in order, also from different transactions', async () => {
    let now = 0
    let most = 0
    const { job, seen } = listing({
      async handle() {
        most = Math.max(most, ++now)
        await pause(1)
        now--
      },
    })
    await rig.putMany(
      job,
      numbers(50).map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    rig.work([job])
    rig.work([job], {}, rig.otherProcess())
    for (let n = 50; n < 60; n++) await rig.put(job, { orderingKey: 'k', payload: { n } })
    await rig.putMany(
      job,
      numbers(40).map(n => ({ orderingKey: 'k', payload: { n: n + 60 } })),
    )
    await eventually(() => expect(seen).toHaveLength(100))
    expect(seen).toEqual(numbers(100))
    expect(most).toBe(1)
  })
  test('jobs enqueued one by one wait behind the first', async () => {
    const { job, seen } = listing()
    for (const n of [1, 2, 3]) await rig.put(job, { orderingKey: 'k', payload: { n } })
    expect(await rig.lanes()).toEqual([{ state: 'ready', pending: 3, attempt: 0 }])
    rig.work([job])
    await eventually(() => expect(seen).toEqual([1, 2, 3]))
  })
  test('many keys in one statement keep the order of each', async () => {
    const byKey = new Map<string, number[]>()
    const { job, seen } = listing({
      handle: (n, work) =>
        byKey.set(work.orderingKey ?? '', [...(byKey.get(work.orderingKey ?? '') ?? []), n]),
    })
    const items = numbers(60).map(n => ({
      ...(n % 4 === 3 ? {} : { orderingKey: `k${n % 4}` }),
      payload: { n },
    }))
    await rig.putMany(job, items.slice(0, 30))
    await rig.putMany(job, items.slice(30))
    rig.work([job])
    await eventually(() => expect(seen).toHaveLength(60))
    for (const k of [0, 1, 2]) expect(byKey.get(`k${k}`)).toEqual(numbers(60).filter(n => n % 4 === k))
    expect(byKey.get('')).toHaveLength(15)
  })
  test('five thousand keys in one statement take no longer each than a few', async () => {
    const { job } = listing()
    const time = async (count: number) => {
      const began = performance.now()
      await rig.putMany(
        job,
        numbers(count).map(n => ({ orderingKey: `k${n}`, payload: { n } })),
      )
      return (performance.now() - began) / count
    }
    await time(500)
    expect(await time(5_000)).toBeLessThan((await time(500)) * 3)
  })
  test('the same key of another tenant or another job is another lane', async () => {
    const blocked = deferred()
    const first = listing({ name: 'first', handle: () => blocked.promise })
    const second = listing({ name: 'second' })
    rig.work([first.job, second.job])
    await rig.put(first.job, { orderingKey: 'k', payload: { n: 1 } })
    await rig.put(first.job, { orderingKey: 'k', tenantId: 'tn_b', payload: { n: 2 } })
    await rig.put(second.job, { orderingKey: 'k', payload: { n: 3 } })
    await eventually(() => expect([...first.seen, ...second.seen].sort()).toEqual([1, 2, 3]))
    blocked.resolve()
  })
  test('platform work without a tenant', async () => {
    const { job, seen } = listing()
    rig.work([job])
    await rig.put(job, { tenantId: null, payload: { n: 1 } })
    await eventually(() => expect(seen).toEqual([1]))
  })
})

describe('background lanes', () => {
  /** A job that runs until it is ended, and counts what runs. */
  function holding() {
    const started: number[] = []
    const end = deferred()
    const held = job<{ n: number }>({
      name: 'hold',
      priority: 'urgent',
      background: true,
      async handle(_deps, { n }) {
        started.push(n)
        if (n < 100) await end.promise
      },
    })
    return { held, started, end: end.resolve }
  }
  const concurrency = { urgent: 2, bulk: 1, background: 3 }

  test('run in slots of their own and leave those of their priority and of bulk jobs free', async () => {
    const { held, started, end } = holding()
    const bulk = listing({ name: 'bulk', priority: 'bulk' })
    rig.work([held, bulk.job], { concurrency })
    await rig.putMany(
      held,
      numbers(20).map(n => ({ orderingKey: `k${n}`, payload: { n }, background: true })),
    )
    await eventually(() => expect(started).toHaveLength(3))
    await rig.putMany(
      held,
      [100, 101, 102].map(n => ({ orderingKey: `k${n}`, payload: { n } })),
    )
    await eventually(() => expect(started).toHaveLength(6))
    expect(started.slice(3).sort()).toEqual([100, 101, 102])
    await rig.put(bulk.job, { payload: { n: 1 } })
    await eventually(() => expect(bulk.seen).toEqual([1]))
    end()
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(new Set(started).size).toBe(23)
  })

  test('a lane that gets a job of the foreground moves there, in order', async () => {
    const { held, started, end } = holding()
    rig.work([held], { concurrency })
    await rig.putMany(
      held,
      numbers(3).map(n => ({ orderingKey: `k${n}`, payload: { n }, background: true })),
    )
    await eventually(() => expect(started).toHaveLength(3))
    await rig.put(held, { orderingKey: 'late', payload: { n: 200 }, background: true })
    await rig.put(held, { orderingKey: 'late', payload: { n: 201 } })
    await eventually(() => expect(started.slice(3)).toEqual([200, 201]))
    end()
  })

  test('a job without background is enqueued in the foreground', async () => {
    const { job, seen } = listing()
    rig.work([job])
    await rig.put(job, { payload: { n: 1 }, background: true })
    await eventually(() => expect(seen).toEqual([1]))
  })
})

describe('scheduled', () => {
  test('a delayed job does not block its key and runs when it is due', async () => {
    const { job, seen } = listing()
    rig.work([job])
    await rig.put(job, { orderingKey: 'k', delayMs: 3_600_000, payload: { n: 1 } })
    await rig.put(job, {
      orderingKey: 'k',
      runAt: new Date(clock.now().getTime() + 7_200_000),
      payload: { n: 2 },
    })
    await rig.put(job, { orderingKey: 'k', payload: { n: 3 } })
    await eventually(() => expect(seen).toEqual([3]))
    clock.advance(3_600_000)
    await eventually(() => expect(seen).toEqual([3, 1]))
    clock.advance(3_600_000)
    await eventually(() => expect(seen).toEqual([3, 1, 2]))
  })
  test('a short delay is kept closely, in this process and in another', async () => {
    const { job, seen } = listing()
    rig.work([job], {}, rig.otherProcess())
    await pause(300)
    const began = performance.now()
    await rig.put(job, { delayMs: 300, payload: { n: 1 } })
    await eventually(() => expect(seen).toEqual([1]))
    expect(performance.now() - began).toBeGreaterThan(295)
    expect(performance.now() - began).toBeLessThan(within(2_000))
  })
  test('moving the clock takes no job from its worker', async () => {
    const blocked = deferred()
    const { job, seen } = listing({ handle: () => blocked.promise })
    rig.work([job])
    rig.work([job], {}, rig.otherProcess())
    await rig.put(job, { payload: { n: 1 } })
    await eventually(() => expect(seen).toEqual([1]))
    clock.advance(86_400_000)
    await pause(2_600) // two sweeps
    blocked.resolve()
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(seen).toEqual([1])
  })
})

describe('failure', () => {
  test('order holds across retries', async () => {
    let failures = 3
    const { job, seen } = listing({
      handle(n) {
        if (n === 2 && failures-- > 0) throw new Error('not yet')
      },
    })
    rig.work([job])
    await rig.putMany(
      job,
      [1, 2, 3, 4].map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    await eventually(() => expect(seen.at(-1)).toBe(4))
    expect(seen).toEqual([1, 2, 2, 2, 2, 3, 4])
  })
  test('the attempt counts up, also when other jobs of the lane went before', async () => {
    const attempts: [number, number][] = []
    const { job } = listing({
      handle(n, work) {
        attempts.push([n, work.attempt])
        if (n > 0 && work.attempt < 3) throw new Error('not yet')
      },
    })
    rig.work([job])
    await rig.putMany(
      job,
      numbers(3).map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(attempts).toEqual([[0, 1], ...[1, 2].flatMap(n => [1, 2, 3].map(attempt => [n, attempt]))])
  })
  test('a poison job becomes a dead letter and its lane continues; it can be retried', async () => {
    let poisoned = true
    const seen: number[] = []
    const dying: [number, string][] = []
    const fragile = job<{ n: number }>({
      name: 'fragile',
      priority: 'normal',
      retry: { maxAttempts: 3, ...quickRetry },
      onDead: async (_tx, { n }, owner) => void dying.push([n, owner]),
      async handle(_deps, { n }) {
        if (poisoned && n === 2) throw new Error('it is poison')
        seen.push(n)
      },
    })
    const workers = rig.work([fragile])
    await rig.putMany(
      fragile,
      [1, 2, 3].map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    await eventually(() => expect(seen).toEqual([1, 3]))
    const dead = await listDeadJobs(db)
    expect(dead).toMatchObject([
      {
        name: 'fragile',
        tenantId,
        orderingKey: 'k',
        payload: { n: 2 },
        attempts: 3,
        diedAt: expect.any(String),
      },
    ])
    expect(dead[0]!.error).toContain('it is poison')
    expect(dying).toEqual([[2, tenantId]])
    expect(workers.stats()).toMatchObject([{ name: 'fragile', done: 2, retried: 2, dead: 1, running: 0 }])
    poisoned = false
    expect(await transact(db, tx => retryDeadJobs(tx, { ids: [dead[0]!.id] }))).toBe(1)
    await eventually(() => expect(seen).toEqual([1, 3, 2]))
    expect(await listDeadJobs(db)).toEqual([])
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  })
  test('dead letters are listed, retried and discarded by filter, in pages', async () => {
    const dying = job<{ n: number }>({
      name: 'dying',
      priority: 'normal',
      retry: { maxAttempts: 1 },
      handle: () => Promise.reject(new Error('always')),
    })
    const workers = rig.work([dying])
    const items = numbers(6).map(n => ({ tenantId: n < 2 ? 'tn_b' : 'tn_a', payload: { n } }))
    await rig.putMany(dying, items)
    await eventually(async () => expect(await listDeadJobs(db)).toHaveLength(6))
    await workers.stop(1_000)
    expect(await listDeadJobs(db, { tenantId: 'tn_b' })).toHaveLength(2)
    expect(await listDeadJobs(db, { name: 'other' })).toEqual([])
    const page = await listDeadJobs(db, { limit: 4 })
    expect(await listDeadJobs(db, { after: page.at(-1)!.id })).toHaveLength(2)
    expect(await transact(db, tx => discardDeadJobs(tx, { tenantId: 'tn_b' }))).toBe(2)
    expect(await transact(db, tx => retryDeadJobs(tx, 'all'))).toBe(4)
    expect(await listDeadJobs(db)).toEqual([])
    expect((await rig.lanes()).filter(lane => lane.attempt === 0)).toHaveLength(4)
    expect(await transact(db, tx => discardDeadJobs(tx, 'all'))).toBe(0)
  })
  test('a limit per tenant leaves slots to others, and every job runs', async () => {
    const running = new Map<string, number>()
    let most = 0
    let done = 0
    const limited = job<{ n: number }>({
      name: 'limited',
      priority: 'normal',
      maxPerTenant: () => 2,
      async handle(_deps, _payload, work) {
        const now = (running.get(work.tenantId) ?? 0) + 1
        running.set(work.tenantId, now)
        most = Math.max(most, now)
        await pause(work.tenantId === 'tn_a' ? 30 : 1)
        running.set(work.tenantId, running.get(work.tenantId)! - 1)
        done++
      },
    })
    await rig.putMany(
      limited,
      numbers(12).map(n => ({ tenantId: 'tn_a', payload: { n } })),
    )
    await rig.put(limited, { tenantId: 'tn_b', payload: { n: 1 } })
    rig.work([limited], { concurrency: { normal: 4 } })
    await eventually(() => expect(done).toBe(13))
    expect(most).toBe(2)
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  })
  test('RetryLater uses up no attempt, Discard drops the job', async () => {
    const attempts: number[] = []
    let refusals = 3
    const steered = job<{ n: number }>({
      name: 'steered',
      priority: 'normal',
      retry: { maxAttempts: 2 },
      async handle(_deps, { n }, work) {
        if (n === 2) throw new Discard('nothing to do')
        attempts.push(work.attempt)
        if (refusals-- > 0) throw new RetryLater(10, 'busy')
      },
    })
    const workers = rig.work([steered])
    await rig.putMany(
      steered,
      [1, 2].map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(attempts).toEqual([1, 1, 1, 1])
    expect(workers.stats()).toMatchObject([{ done: 1, discarded: 1, deferred: 3 }])
    expect(await listDeadJobs(db)).toEqual([])
  })
  test('the backoff doubles up to its limit, with jitter', () => {
    const retry = { maxAttempts: 10, initialDelayMs: 1_000, maxDelayMs: 60_000 }
    const spread = (attempt: number) => Array.from({ length: 200 }, () => backoffMs(retry, attempt))
    for (const [attempt, full] of [
      [1, 1_000],
      [3, 4_000],
      [60, 60_000],
    ] as const) {
      expect(Math.min(...spread(attempt))).toBeGreaterThanOrEqual(full / 2)
      expect(Math.max(...spread(attempt))).toBeLessThanOrEqual(full)
    }
    expect(new Set(spread(10)).size).toBeGreaterThan(50)
  })
})

describe('finish', () => {
  const effect = (n: number) => sql`insert into effects (n) values (${n})`
  const effects = async () =>
    (await db.rows<{ n: number }>(sql`delete from effects returning n`)).map(row => row.n)

  test('completes with the effects, and the next jobs of the lane continue', async () => {
    const { job, seen } = listing({
      handle: (n, work) =>
        transact(db, async tx => {
          await tx.run(effect(n))
          await work.finish(tx)
        }),
    })
    rig.work([job])
    await rig.putMany(job, [
      ...numbers(5).map(n => ({ orderingKey: 'k', payload: { n } })),
      { payload: { n: 5 } },
    ])
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(seen.toSorted()).toEqual(numbers(6))
    expect((await effects()).toSorted()).toEqual(numbers(6))
  })
  test('a rollback after it leaves the job to be retried', async () => {
    const { job, seen } = listing({
      handle: (n, work) =>
        transact(db, async tx => {
          await tx.run(effect(n))
          await work.finish(tx)
          if (work.attempt === 1) throw new Error('after all not')
        }),
    })
    rig.work([job])
    await rig.put(job, { orderingKey: 'k', payload: { n: 1 } })
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(seen).toEqual([1, 1])
    expect(await effects()).toEqual([1])
  })
  test('a failure after the commit does not fail the job', async () => {
    const { job, seen } = listing({
      async handle(_, work) {
        await transact(db, tx => work.finish(tx))
        throw new Error('too late to matter')
      },
    })
    rig.work([job])
    await rig.putMany(
      job,
      [1, 2].map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(seen).toEqual([1, 2])
  })
  test('rolls back, and touches nothing, when another worker has taken over', async () => {
    const blocked = deferred()
    const outcomes: unknown[] = []
    const { job, seen } = listing({
      async handle(n, work) {
        if (seen.length > 1) return
        await blocked.promise
        await transact(db, async tx => {
          await tx.run(effect(n))
          await work.finish(tx)
        }).catch(error => outcomes.push(error))
        expect(work.holdsLease()).toBe(false)
        throw outcomes[0]
      },
    })
    const workers = rig.work([job])
    await rig.put(job, { orderingKey: 'k', payload: { n: 1 } })
    await eventually(() => expect(seen).toHaveLength(1))
    // As if its lease had run out unnoticed, and someone had come.
    await db.run(sql`update job_lanes set token = token + 1, state = 'ready'`)
    await pause(10)
    blocked.resolve()
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    await eventually(() => expect(workers.stats()).toMatchObject([{ lost: 1, done: 1 }]))
    expect(outcomes[0]).toBeInstanceOf(LeaseLost)
    expect(await effects()).toEqual([])
    expect(seen).toEqual([1, 1])
  })
  test('several complete in one transaction; when one was taken over, none does and the others can be completed alone', async () => {
    const works: Work[] = []
    const done = deferred()
    const { job } = listing({
      async handle(n, work) {
        if (work.attempt > 1) return
        works[n] = work
        await done.promise
      },
    })
    rig.work([job])
    const lanes = [0, 1, 2, 3, 4].map(n => ({ orderingKey: `k${n}`, payload: { n } }))
    await rig.putMany(job, lanes)
    await eventually(() => expect(Object.keys(works)).toHaveLength(5))
    const left = async () =>
      (await db.rows<{ key: string }>(sql`select ordering_key as key from job_lanes order by 1`)).map(
        row => row.key,
      )
    await transact(db, tx => finishAll(tx, works.slice(0, 2)))
    expect(await left()).toEqual(['k2', 'k3', 'k4'])
    await db.run(sql`update job_lanes set token = token + 1, state = 'ready' where ordering_key = 'k4'`)
    await expect(transact(db, tx => finishAll(tx, works.slice(2)))).rejects.toThrow('taken over')
    for (const work of works.slice(2, 4)) await transact(db, tx => finishAll(tx, [work]))
    await expect(transact(db, tx => finishAll(tx, works.slice(4)))).rejects.toThrow(LeaseLost)
    done.resolve()
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  })
})

describe('workers', () => {
  test('a long job keeps its lease', async () => {
    const slow = job<{ n: number }>({
      name: 'slow',
      priority: 'normal',
      leaseMs: 2_000,
      async handle(_deps, { n }, work) {
        runs.push(n)
        await pause(5_000)
        mine.push(work.holdsLease(), await work.extendLease())
      },
    })
    const runs: number[] = []
    const mine: boolean[] = []
    rig.work([slow])
    rig.work([slow], {}, rig.otherProcess())
    await rig.put(slow, { payload: { n: 1 } })
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(runs).toEqual([1])
    expect(mine).toEqual([true, true])
  })
  test('a job that hangs past its timeout is retried by another worker', async () => {
    const attempts: number[] = []
    const hanging = job<{ n: number }>({
      name: 'hanging',
      priority: 'normal',
      leaseMs: 300,
      timeoutMs: 200,
      async handle(_deps, _payload, work) {
        attempts.push(work.attempt)
        if (work.attempt === 1) await pause(1_900)
      },
    })
    rig.work([hanging])
    await rig.put(hanging, { payload: { n: 1 } })
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(attempts).toEqual([1, 2])
  })
  test('a handler that saw its lease expire has not done the job, even if it returns', async () => {
    const { job, seen } = listing({
      async handle(_, work) {
        if (work.attempt > 1) return
        const until = performance.now() + 500
        while (performance.now() < until); // the event loop stands still past the lease
        expect(work.holdsLease()).toBe(false)
      },
    })
    rig.work([{ ...job, leaseMs: 400 }])
    await rig.put(job, { payload: { n: 1 } })
    await eventually(async () => expect(await rig.isEmpty()).toBe(true))
    expect(seen).toEqual([1, 1])
  })
  test('the jobs of a lane after an expired lease are left to others', async () => {
    const { job, seen } = listing({
      async handle(n, work) {
        if (n > 1 || work.attempt > 1) return
        const until = performance.now() + 500
        while (performance.now() < until); // the event loop stands still past the lease
      },
    })
    const workers = rig.work([{ ...job, leaseMs: 400 }])
    await rig.putMany(
      job,
      [1, 2].map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    await eventually(() => expect(seen).toHaveLength(1))
    await workers.stop(1_000)
    // The second job is there for others. The first may be too: its completion is dropped if the lease was lost.
    const [lane] = await rig.lanes()
    expect(lane!.pending).toBeGreaterThanOrEqual(1)
    expect(seen).toEqual([1])
  })
  test('two jobs of one name are refused', () => {
    const { job } = listing()
    expect(() => rig.work([job, job])).toThrow('same name')
  })
  test('jobs unknown to a process are left to one that has them', async () => {
    const known = listing({ name: 'known' })
    const unknown = listing({ name: 'unknown' })
    rig.work([known.job])
    await rig.put(unknown.job, { payload: { n: 1 } })
    await rig.put(known.job, { payload: { n: 2 } })
    await eventually(() => expect(known.seen).toEqual([2]))
    await pause(200)
    expect(await rig.lanes()).toMatchObject([{ state: 'ready', attempt: 0 }])
    rig.work([unknown.job])
    await eventually(() => expect(unknown.seen).toEqual([1]))
  })
  test('stop waits for running jobs and releases the others immediately', async () => {
    const blocked = deferred()
    const { job, seen } = listing({ handle: () => blocked.promise })
    const workers = rig.work([job])
    await rig.putMany(
      job,
      numbers(5).map(n => ({ orderingKey: 'k', payload: { n } })),
    )
    await eventually(() => expect(seen).toEqual([0]))
    const stopped = workers.stop(5_000)
    await pause(50)
    blocked.resolve()
    await stopped
    expect(seen).toEqual([0])
    expect(await rig.lanes()).toEqual([{ state: 'ready', pending: 4, attempt: 0 }])
    rig.work([job])
    await eventually(() => expect(seen).toEqual(numbers(5)))
  })
  test.each(['release', 'retry', 'defer'] as const)(
    'a renewal in flight does not lease a lane again after %s',
    async step => {
      const { job } = listing()
      await rig.putMany(
        job,
        numbers(2).map(n => ({ orderingKey: 'k', payload: { n } })),
      )
      const request = { name: job.name, leaseMs: 60_000, afterTenant: '', readySinceMs: 0 }
      const [first] = await claimLanes(db, [request], 1)
      const { id, token } = first!
      expect(await renewLanes(db, [{ id, token, leaseMs: 60_000 }])).toEqual([id])
      await completeMany(db, [{ id, token, doneId: first!.job_id, step, delayMs: 60_000 }])
      const before = await db.rows(sql`select state, at, pending from job_lanes`)
      expect(before).toMatchObject([{ state: step === 'release' ? 'ready' : 'scheduled', pending: 1 }])
      expect(await renewLanes(db, [{ id, token, leaseMs: 1 }])).toEqual([])
      const renewed = await transact(db, tx => renewLanes(tx, [{ id, token, leaseMs: 1 }], true))
      expect(renewed).toEqual([])
      expect(await db.rows(sql`select state, at, pending from job_lanes`)).toEqual(before)
    },
  )
  test('stop does not wait longer than its grace period', async () => {
    const blocked = deferred()
    const { job, seen } = listing({ handle: () => blocked.promise })
    const workers = rig.work([job])
    await rig.put(job, { payload: { n: 1 } })
    await eventually(() => expect(seen).toHaveLength(1))
    const began = performance.now()
    await workers.stop(100)
    expect(performance.now() - began).toBeLessThan(within(1_000))
    blocked.resolve()
  })
  test('killing a process that is stopping is no death of the suspect that runs', async () => {
    const blocked = deferred()
    const { job: listed, seen } = listing({ handle: () => blocked.promise })
    const suspect = { ...listed, onWorkersDied: async () => {} }
    await rig.put(suspect, { payload: { n: 1 } })
    await db.run(sql`update job_lanes set deaths = 1`)
    const workers = rig.work([suspect])
    await eventually(() => expect(seen).toEqual([1]))
    await workers.stop(100)
    await db.run(sql`update job_lanes set at = clock_timestamp() - interval '1 second'`)
    await promoteDueJobs(db, [suspect.name], [0], true)
    expect(await db.rows(sql`select state, deaths from job_lanes`)).toEqual([{ state: 'ready', deaths: 1 }])
    blocked.resolve()
  })
  test('depth returns the queue depth by priority', async () => {
    const { job } = listing()
    await rig.putMany(job, [
      ...numbers(3).map(n => ({ orderingKey: 'k', payload: { n } })),
      { delayMs: 9_000, payload: { n: 1 } },
    ])
    clock.advance(5_000)
    const workers = rig.work(
      [
        { ...job, name: 'other', priority: 'urgent' },
        { ...job, handle: () => pause(50) },
      ],
      {
        concurrency: { normal: 1 },
      },
    )
    await eventually(async () =>
      expect(await workers.depth()).toMatchObject({
        normal: { leased: 3, scheduled: 1 },
        urgent: { ready: 0 },
      }),
    )
  })
})

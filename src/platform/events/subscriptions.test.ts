import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { TenantId } from '../../identity/schemas.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { emitMany, type LogEvent, pendingEvent } from './event.ts'
import { claimWorkspaces, releaseWorkspace, renewWorkspace, renewWorkspaces } from './store/consumers.ts'
import type { Subscription } from './subscription.ts'
import { startSubscriptions } from './subscriptions.ts'
import { deleteConsumer } from './testing/delete-consumer.ts'
import { eventRig, eventually, thingChanged, thingHidden } from './testing/rig.ts'

const { db, deps, connection, emitAll, outboxIsEmpty, sequencer } = await eventRig()
const working = sequencer()
await db.run(sql`create table effects (subscriber text, tenant_id text, n int)`)

const started: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(each => each.stop()))
  for (const { name } of await db.rows<{ name: string }>(sql`select name from event_consumers`)) {
    await transact(db, tx => deleteConsumer(tx, name))
  }
})
afterAll(() => working.stop())

async function start(subscriptions: Subscription[], options: { pollMs?: number; leaseMs?: number } = {}) {
  const running = startSubscriptions(deps, subscriptions, { connection, ...options })
  started.push(running)
  await eventually(async () => {
    const names = await db.rows<{ name: string }>(sql`select name from event_consumers`)
    expect(names.map(row => row.name)).toEqual(expect.arrayContaining(subscriptions.map(each => each.name)))
  })
  return running
}

const n = (found: LogEvent) => (found.data as { n: number }).n

function recorder() {
  const seen = new Map<string, number[]>()
  const record = (events: LogEvent[]) => {
    for (const found of events) seen.set(found.tenantId, [...(seen.get(found.tenantId) ?? []), n(found)])
  }
  return { record, of: (tenantId: string) => seen.get(tenantId) ?? [] }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

describe('a subscription', () => {
  test('receives the events of each workspace in order', async () => {
    const tenants = [TenantId.create(), TenantId.create(), TenantId.create()]
    const { record, of } = recorder()
    await start([{ name: 'reader', batchSize: 7, handle: async (_deps, events) => record(events) }], {
      pollMs: 60_000,
    })
    for (const i of upTo(50)) await Promise.all(tenants.map(tenantId => emitAll(tenantId, i)))
    for (const tenantId of tenants) await eventually(() => expect(of(tenantId)).toEqual(upTo(50)))
  })

  test('gets one workspace at a time, never two batches of it concurrently', async () => {
    const tenants = upTo(5).map(() => TenantId.create())
    const { record, of } = recorder()
    const busy = new Set<string>()
    let most = 0
    const handle = async (_: unknown, events: LogEvent[]) => {
      const [tenantId] = new Set(events.map(found => found.tenantId))
      expect(events.every(found => found.tenantId === tenantId)).toBe(true)
      expect(busy.has(tenantId!)).toBe(false)
      busy.add(tenantId!)
      most = Math.max(most, busy.size)
      await new Promise(resolve => setTimeout(resolve, 20))
      record(events)
      busy.delete(tenantId!)
    }
    const subscription = { name: 'one-at-a-time', batchSize: 3, concurrency: 3, handle }
    await start([subscription])
    await start([subscription]) // as a second process would
    await Promise.all(tenants.map(tenantId => emitAll(tenantId, ...upTo(30))))
    for (const tenantId of tenants) await eventually(() => expect(of(tenantId)).toEqual(upTo(30)))
    expect(most).toBeGreaterThan(1)
  })

  test('that is new starts at the end of the log, or at its beginning when configured', async () => {
    const tenantId = TenantId.create()
    await emitAll(tenantId, 1, 2)
    await outboxIsEmpty()
    const [late, early] = [recorder(), recorder()]
    await start([
      { name: 'late', handle: async (_deps, events) => late.record(events) },
      { name: 'early', from: 'beginning', handle: async (_deps, events) => early.record(events) },
    ])
    await emitAll(tenantId, 3)
    await eventually(() => expect(early.of(tenantId)).toEqual([1, 2, 3]))
    await eventually(() => expect(late.of(tenantId)).toEqual([3]))
  })

  test('continues where it stopped', async () => {
    const tenantId = TenantId.create()
    const { record, of } = recorder()
    const subscription = { name: 'resumed', handle: async (_: unknown, events: LogEvent[]) => record(events) }
    const first = await start([subscription])
    await emitAll(tenantId, 1)
    await eventually(() => expect(of(tenantId)).toEqual([1]))
    await first.stop()
    await first.stop()
    await emitAll(tenantId, 2)
    await outboxIsEmpty()
    await start([{ ...subscription, from: 'beginning' }])
    await eventually(() => expect(of(tenantId)).toEqual([1, 2]))
  })

  test('receives only its types, and is not woken for others', async () => {
    const tenantId = TenantId.create()
    const { record, of } = recorder()
    await start([
      { name: 'choosy', types: ['thing.hidden'], handle: async (_deps, events) => record(events) },
    ])
    const emitTypes = (...wanted: boolean[]) =>
      transact(db, tx =>
        emitMany(
          tx,
          wanted.map((hidden, i) =>
            pendingEvent(hidden ? thingHidden : thingChanged, { tenantId, data: { n: i } }),
          ),
        ),
      )
    await emitTypes(false, false)
    await outboxIsEmpty()
    expect(await db.rows(sql`select * from event_consumer_queue where tenant_id = ${tenantId}`)).toEqual([])
    await emitTypes(false, true, false, true)
    await eventually(() => expect(of(tenantId)).toEqual([1, 3]))
  })

  test('of another version, which does not know the types of the newest, claims nothing', async () => {
    const tenantId = TenantId.create()
    const [old, current] = [recorder(), recorder()]
    await start([
      { name: 'upgraded', types: ['thing.changed'], handle: async (_deps, events) => old.record(events) },
    ])
    await emitAll(tenantId, 1)
    await eventually(() => expect(old.of(tenantId)).toEqual([1]))
    const types = ['thing.changed', 'thing.hidden']
    await start([{ name: 'upgraded', types, handle: async (_deps, events) => current.record(events) }])
    await eventually(async () =>
      expect(await db.rows(sql`select types from event_consumers where name = 'upgraded'`)).toEqual([
        { types },
      ]),
    )
    for (const i of upTo(20)) await emitAll(tenantId, i + 1)
    await eventually(() => expect(current.of(tenantId)).toEqual(upTo(20).map(i => i + 1)))
    expect(old.of(tenantId)).toEqual([1])
  })
})

describe('when handling fails', () => {
  test('the workspace waits alone, then continues in order', async () => {
    const [bad, good] = [TenantId.create(), TenantId.create()]
    const { record, of } = recorder()
    let broken = true
    let attempts = 0
    const handle = async (_: unknown, events: LogEvent[]) => {
      if (events[0]!.tenantId === bad && broken) {
        attempts++
        throw new Error('not today')
      }
      record(events)
    }
    await start([{ name: 'fragile', concurrency: 1, handle }])
    await emitAll(bad, 1)
    for (const i of upTo(40)) await emitAll(good, i)
    await emitAll(bad, 2, 3)
    await eventually(() => expect(of(good)).toEqual(upTo(40)))
    await eventually(() => expect(attempts).toBeGreaterThan(2))
    expect(of(bad)).toEqual([])
    const feed = await db.one(sql`select failures from event_consumer_queue where tenant_id = ${bad}`)
    expect(feed).toMatchObject({ failures: expect.any(Number) })
    broken = false
    await eventually(() => expect(of(bad)).toEqual([1, 2, 3]))
    await eventually(async () =>
      expect(
        await db.one(sql`select failures, due_at from event_consumer_queue where tenant_id = ${bad}`),
      ).toEqual({
        failures: 0,
        due_at: null,
      }),
    )
  })

  test('the events before the failing one are processed, and their effects happen once', async () => {
    const tenantId = TenantId.create()
    let broken = true
    await start([
      {
        name: 'half-way',
        async apply(tx, events) {
          for (const found of events) {
            if (n(found) === 5 && broken) throw new Error('poison')
            await tx.run(sql`insert into effects values ('half-way', ${tenantId}, ${n(found)})`)
          }
        },
      },
    ])
    const effects = async () =>
      (await db.rows<{ n: number }>(sql`select n from effects where tenant_id = ${tenantId}`)).map(
        row => row.n,
      )
    await emitAll(tenantId, ...upTo(8))
    await eventually(async () => expect(await effects()).toEqual([1, 2, 3, 4]))
    broken = false
    await eventually(async () => expect(await effects()).toEqual(upTo(8)))
  })

  test('a workspace that hangs leaves the others their slots', async () => {
    const [hanging, fine] = [TenantId.create(), TenantId.create()]
    const { record, of } = recorder()
    let release = () => {}
    const blocked = new Promise<void>(resolve => {
      release = resolve
    })
    const handle = async (_: unknown, events: LogEvent[]) => {
      if (events[0]!.tenantId === hanging) await blocked
      record(events)
    }
    await start([{ name: 'patient', concurrency: 2, handle }], { leaseMs: 600 })
    await emitAll(hanging, 1)
    await new Promise(resolve => setTimeout(resolve, 1_500)) // longer than the lease, which is renewed
    for (const i of upTo(10)) await emitAll(fine, i)
    await eventually(() => expect(of(fine)).toEqual(upTo(10)))
    expect(of(hanging)).toEqual([])
    release()
    await eventually(() => expect(of(hanging)).toEqual([1]))
  })
})

describe('a process that lost its lease', () => {
  test('cannot commit effects that another process has already committed', async () => {
    const tenantId = TenantId.create()
    let calls = 0
    let proceed = () => {}
    const stalled = new Promise<void>(resolve => {
      proceed = resolve
    })
    const subscription: Subscription = {
      name: 'stalling',
      async apply(tx, events) {
        if (++calls === 1) await stalled
        for (const found of events)
          await tx.run(sql`insert into effects values ('stalling', ${tenantId}, ${n(found)})`)
      },
    }
    await start([subscription])
    await emitAll(tenantId, 1, 2)
    await eventually(() => expect(calls).toBe(1))
    // As if it had been stopped for longer than its lease: renewals fail and another process claims the workspace.
    await db.run(
      sql`update event_consumer_queue set token = token + 1, due_at = now() where consumer = 'stalling'`,
    )
    await eventually(() => expect(calls).toBe(2))
    proceed()
    const rows = () =>
      db.rows<{ n: number }>(sql`select n from effects where tenant_id = ${tenantId} order by n`)
    await eventually(async () => expect((await rows()).map(row => row.n)).toEqual([1, 2]))
    await started.at(-1)!.stop()
    expect((await rows()).map(row => row.n)).toEqual([1, 2])
  })

  test('can neither release nor keep the workspace', async () => {
    const tenantId = TenantId.create()
    const subscriber = { name: 'claimed', types: null }
    await start([{ name: 'claimed', types: ['none'], handle: async () => {} }])
    await db.run(sql`update event_consumers set types = null where name = 'claimed'`)
    await emitAll(tenantId, 1)
    await outboxIsEmpty()
    const [zombie] = await claimWorkspaces(db, subscriber, { limit: 9, leaseMs: 0, from: { agoMs: 1e6 } })
    const [owner] = await claimWorkspaces(db, subscriber, { limit: 9, leaseMs: 10_000, from: { agoMs: 1e6 } })
    expect(owner).toMatchObject({ tenantId, seq: 0, latestSeq: 1, token: zombie!.token + 1 })
    await releaseWorkspace(db, zombie!, { seq: 1, failures: 0, retryInMs: 0 })
    const [feed] = await db.rows<{ processed_seq: number; due_at: string }>(
      sql`select processed_seq, due_at from event_consumer_queue`,
    )
    expect(feed).toMatchObject({ processed_seq: 0, due_at: expect.any(String) })
    expect(await claimWorkspaces(db, subscriber, { limit: 9, leaseMs: 0, from: { agoMs: 1e6 } })).toEqual([])
  })

  test('a renewal in flight does not postpone a released workspace', async () => {
    const tenantId = TenantId.create()
    const subscriber = { name: 'claimed', types: null }
    await start([{ name: 'claimed', types: ['none'], handle: async () => {} }])
    await db.run(sql`update event_consumers set types = null where name = 'claimed'`)
    await emitAll(tenantId, 1)
    await outboxIsEmpty()
    const claim = () => claimWorkspaces(db, subscriber, { limit: 9, leaseMs: 60_000, from: { agoMs: 1e6 } })
    const [claimed] = await claim()
    expect(await renewWorkspaces(db, [claimed!], 60_000)).toEqual([claimed])
    expect(await releaseWorkspace(db, claimed!, { seq: 0, failures: 1, retryInMs: 0 })).toBe(true)
    expect(await renewWorkspaces(db, [claimed!], 60_000)).toEqual([])
    expect(await renewWorkspace(db, claimed!, 60_000)).toBe(false)
    expect(await claim()).toMatchObject([{ tenantId, seq: 0, latestSeq: 1 }])
  })
})

import { afterAll, describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { TenantId } from '../../identity/schemas.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { EventId, emit, emitFromSelect, emitMany, isEvent, pendingEvent } from './event.ts'
import { findFirstSince, getHead, getLatestSeq, getOldestSeq, readLog } from './log.ts'
import { onAdvanced } from './notify.ts'
import { logPartitions } from './partitions.ts'
import { eventRig, eventually, thingChanged, thingHidden } from './testing/rig.ts'

const { db, clock, bus, emitAll, outboxIsEmpty, sequencer } = await eventRig()
const working = sequencer()
afterAll(() => working.stop())

const all = { after: 0, limit: 1_000 }
const numbers = async (tenantId: string, read = all) =>
  (await readLog(db, tenantId, read)).map(found => [found.seq, (found.data as { n: number }).n])

describe('emit', () => {
  test('appears in the log of its workspace unchanged', async () => {
    const tenantId = TenantId.create()
    const at = await transact(db, async tx => {
      const data = { n: 1, text: '\u0000 \ud800 “ü”', nothing: null, b: [1.5, true] }
      await emit(tx, thingChanged, { tenantId, data, audience: { teamId: 'team_1' }, causationDepth: 3 })
      return tx.now
    })
    await outboxIsEmpty()
    const [found, ...others] = await readLog(db, tenantId, all)
    expect(others).toEqual([])
    expect(found).toEqual({
      id: expect.stringMatching(EventId.pattern),
      tenantId,
      seq: 1,
      publicSeq: 1,
      type: 'thing.changed',
      timestamp: at,
      data: { n: 1, text: '\u0000 \ud800 “ü”', nothing: null, b: [1.5, true] },
      audience: { teamId: 'team_1' },
      causationDepth: 3,
    })
    expect(isEvent(thingChanged, found!)).toBe(true)
    expect(isEvent(thingHidden, found!)).toBe(false)
  })

  test('many events keep their order, and each workspace has its own numbers', async () => {
    const [a, b] = [TenantId.create(), TenantId.create()]
    const occurrences = Array.from({ length: 2_500 }, (_, n) =>
      pendingEvent(thingChanged, { tenantId: n % 2 ? a : b, data: { n } }),
    )
    await transact(db, tx => emitMany(tx, occurrences))
    await transact(db, tx => emitMany(tx, []))
    await outboxIsEmpty()
    const odd = await numbers(a, { after: 0, limit: 5_000 })
    expect(odd).toEqual(Array.from({ length: 1_250 }, (_, i) => [i + 1, 2 * i + 1]))
    expect((await numbers(b, { after: 1_248, limit: 5_000 })).map(([, n]) => n)).toEqual([2_496, 2_498])
  })

  test('public events are numbered without gaps among internal ones', async () => {
    const tenantId = TenantId.create()
    const kinds = [thingHidden, thingChanged, thingChanged, thingHidden, thingHidden, thingChanged]
    const occurrences = kinds.map((kind, n) => pendingEvent(kind, { tenantId, data: { n } }))
    for (let n = 0; n < 2; n++) {
      await transact(db, tx => emitMany(tx, occurrences))
      await outboxIsEmpty()
    }
    const found = await readLog(db, tenantId, all)
    expect(found.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    const [a, b] = [
      [null, 1, 2, null, null, 3],
      [null, 4, 5, null, null, 6],
    ]
    expect(found.map(({ publicSeq }) => publicSeq)).toEqual([...a, ...b])
    expect(await getHead(db, tenantId)).toEqual({ seq: 12, publicSeq: 6 })
    expect(await findFirstSince(db, tenantId, found[0]!.timestamp)).toEqual({ seq: 1, publicSeq: 1 })
  })

  test('a rollback leaves neither event nor gap', async () => {
    const tenantId = TenantId.create()
    await emitAll(tenantId, 1)
    const failed = transact(db, async tx => {
      await emit(tx, thingChanged, { tenantId, data: { n: 2 } })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await emitAll(tenantId, 3)
    await outboxIsEmpty()
    expect(await numbers(tenantId)).toEqual([
      [1, 1],
      [2, 3],
    ])
  })

  test('can be part of the statement that makes the change', async () => {
    const tenantId = TenantId.create()
    await transact(db, tx =>
      tx.run(sql`with changed as (select generate_series(1, 3) as n)
        ${emitFromSelect(
          tx,
          thingChanged,
          sql`select 'evt_' || n, ${tenantId}, 'thing.changed', ${tx.now}::timestamptz,
            json_build_object('n', n), null::json, 0 from changed order by n desc`,
        )}`),
    )
    await outboxIsEmpty()
    expect(await numbers(tenantId)).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ])
  })

  test('is sequenced within milliseconds of the commit, without waiting for the poll', async () => {
    const tenantId = TenantId.create()
    await outboxIsEmpty()
    const received = new Promise<number>(resolve => {
      const leave = onAdvanced(
        bus,
        heads => {
          if (!heads[tenantId]) return
          leave()
          resolve(performance.now())
        },
        () => {},
      )
    })
    await emitAll(tenantId, 1)
    const committed = performance.now()
    expect((await received) - committed).toBeLessThan(within(200))
  })
})

describe('a transaction that takes long', () => {
  test('delays only its own events, and loses none', async () => {
    const [slow, quick] = [TenantId.create(), TenantId.create()]
    let finish = () => {}
    const waiting = new Promise<void>(resolve => {
      finish = resolve
    })
    let begun = () => {}
    const emitted = new Promise<void>(resolve => {
      begun = resolve
    })
    const long = transact(db, async tx => {
      await emit(tx, thingChanged, { tenantId: slow, data: { n: 1 } })
      begun()
      await waiting
      await emit(tx, thingChanged, { tenantId: slow, data: { n: 3 } })
    })
    await emitted
    // Long enough for many passes, full sweeps among them.
    for (let n = 1; n <= 30; n++) {
      await emitAll(quick, n)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    await eventually(async () => expect(await getLatestSeq(db, quick)).toBe(30))
    expect(await getLatestSeq(db, slow)).toBe(0)
    await emitAll(slow, 2)
    await eventually(async () => expect(await getLatestSeq(db, slow)).toBe(1))
    finish()
    await long
    await outboxIsEmpty()
    expect(await numbers(slow)).toEqual([
      [1, 2],
      [2, 1],
      [3, 3],
    ])
  })
})

describe('the log', () => {
  test('is read by sequence number and type', async () => {
    const tenantId = TenantId.create()
    await transact(db, tx =>
      emitMany(
        tx,
        [1, 2, 3, 4, 5].map(n => pendingEvent(n % 2 ? thingChanged : thingHidden, { tenantId, data: { n } })),
      ),
    )
    await outboxIsEmpty()
    const seqs = async (read: Parameters<typeof readLog>[2]) =>
      (await readLog(db, tenantId, read)).map(found => found.seq)
    expect(await seqs({ after: 2, limit: 2 })).toEqual([3, 4])
    expect(await seqs({ after: 5, limit: 2 })).toEqual([])
    expect(await seqs({ after: 1, limit: 9, types: ['thing.hidden'] })).toEqual([2, 4])
    expect(await seqs({ after: 1, limit: 9, types: [] })).toEqual([])
  })

  test('returns its first and last number, also when it is empty', async () => {
    const tenantId = TenantId.create()
    expect([await getLatestSeq(db, tenantId), await getOldestSeq(db, tenantId)]).toEqual([0, 1])
    await emitAll(tenantId, 1, 2)
    await outboxIsEmpty()
    expect([await getLatestSeq(db, tenantId), await getOldestSeq(db, tenantId)]).toEqual([2, 1])
  })
})

describe('retention', () => {
  // Moves the clock permanently, so it is the last of this file.
  test('drops old partitions, keeps counting, and reports the oldest number', async () => {
    const [busy, quiet] = [TenantId.create(), TenantId.create()]
    await emitAll(quiet, 1)
    await emitAll(busy, 1, 2)
    await outboxIsEmpty()
    clock.advance(5 * 86_400_000)
    const since = clock.now().toISOString()
    await emitAll(busy, 3)
    await outboxIsEmpty()
    expect(await getOldestSeq(db, busy)).toBe(1)
    expect(await findFirstSince(db, busy, since)).toMatchObject({ seq: 3 })
    clock.advance(3 * 86_400_000)
    await emitAll(busy, 4)
    await outboxIsEmpty()
    expect(await getOldestSeq(db, busy)).toBe(3)
    expect(await numbers(busy)).toEqual([
      [3, 3],
      [4, 4],
    ])
    expect([await getLatestSeq(db, quiet), await getOldestSeq(db, quiet)]).toEqual([1, 2])
    await emitAll(quiet, 2)
    await outboxIsEmpty()
    expect(await numbers(quiet)).toEqual([[2, 2]])
    const today = clock.now().toISOString().slice(0, 10)
    const days = await logPartitions.list(db)
    expect(days.filter(day => day > today)).toHaveLength(2)
    expect(days.every(day => Date.parse(day) >= Date.parse(today) - 7 * 86_400_000)).toBe(true)
  })

  test('gives up when a reader holds the partition, so that others do not wait', async () => {
    const tenantId = TenantId.create()
    await emitAll(tenantId, 1)
    await outboxIsEmpty()
    await db.withClient(async client => {
      await client.query('begin')
      await client.query('select count(*) from event_log')
      clock.advance(9 * 86_400_000)
      await emitAll(tenantId, 2)
      await outboxIsEmpty()
      expect(await getOldestSeq(db, tenantId)).toBe(1)
      await client.query('commit')
    })
    expect(working.leading).toBe(true)
  })
})

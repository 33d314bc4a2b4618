import { afterAll, expect, test } from 'vitest'
import { TenantId } from '../../identity/schemas.ts'
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import { emitMany, pendingEvent } from './event.ts'
import { shareReads } from './shared-reads.ts'
import { eventRig, thingChanged, thingHidden } from './testing/rig.ts'

const { db, emitAll, outboxIsEmpty, sequencer } = await eventRig()
const working = sequencer()
afterAll(() => working.stop())

/** Counts its statements. */
function countingDb() {
  const counted = { statements: 0 }
  const rows: Db['rows'] = query => {
    counted.statements++
    return db.rows(query)
  }
  return Object.assign(Object.create(db) as Db, { rows, counted })
}

async function fill(tenantId: string, ...numbers: number[]): Promise<void> {
  await emitAll(tenantId, ...numbers)
  await outboxIsEmpty()
}

test('consumers that read the same events share one statement, each with its own types and limit', async () => {
  const tenantId = TenantId.create()
  const kinds = [thingHidden, thingChanged, thingHidden, thingChanged, thingChanged]
  const events = kinds.map((kind, n) => pendingEvent(kind, { tenantId, data: { n } }))
  await transact(db, tx => emitMany(tx, events))
  await outboxIsEmpty()
  const counting = countingDb()
  const read = shareReads(counting, 60_000)
  const seqs = async (after: number, limit: number, types?: string[]) =>
    (await read(tenantId, { after, limit, types, upTo: 5 })).map(({ seq }) => seq)
  const reads = [
    seqs(0, 10),
    seqs(0, 10, ['thing.changed']),
    seqs(0, 2, ['thing.changed']),
    seqs(2, 10),
    seqs(4, 10, ['thing.hidden']),
  ]
  expect(await Promise.all(reads)).toEqual([[1, 2, 3, 4, 5], [2, 4, 5], [2, 4], [3, 4, 5], []])
  expect(counting.counted.statements).toBe(1)
})

test('a window grows at its end; who is behind it reads its own events', async () => {
  const tenantId = TenantId.create()
  await fill(tenantId, 1, 2, 3)
  const counting = countingDb()
  const read = shareReads(counting, 60_000)
  const seqs = async (after: number, upTo: number) =>
    (await read(tenantId, { after, limit: 10, upTo })).map(({ seq }) => seq)
  expect(await seqs(2, 3)).toEqual([3])
  await fill(tenantId, 4, 5)
  expect(await seqs(3, 5)).toEqual([4, 5])
  expect(await seqs(2, 5)).toEqual([3, 4, 5])
  expect(counting.counted.statements).toBe(2)
  expect(await seqs(0, 5)).toEqual([1, 2, 3, 4, 5])
  expect(await seqs(1, 5)).toEqual([2, 3, 4, 5])
  expect(counting.counted.statements).toBe(3)
})

test('many events are read in parts, and none is missed', async () => {
  const tenantId = TenantId.create()
  await fill(tenantId, ...Array.from({ length: 2_300 }, (_, n) => n))
  const read = shareReads(db)
  const seen: number[] = []
  for (let after = 0; after < 2_300; after = seen.at(-1)!)
    seen.push(...(await read(tenantId, { after, limit: 400, upTo: 2_300 })).map(({ seq }) => seq))
  expect(seen).toEqual(Array.from({ length: 2_300 }, (_, n) => n + 1))
})

/** A long request keeps its key; the key of a dead process is freed. */
import { expect, test } from 'vitest'
import { testDatabase } from '../../../../test/harness/database.ts'
import { until } from '../../../../test/harness/service.ts'
import { sql } from '../../db/sql.ts'
import { claimKey, type IdempotencyKey, IdempotencyKeyBusy, releaseKey, withKeyLease } from './idempotency.ts'

const { db, clock } = await testDatabase()
const keyed = (key: string): IdempotencyKey => ({
  tenantId: 'tn_1',
  callerId: 'usr_1',
  operation: 'POST /things',
  key,
  fingerprint: 'same',
})
const take = async (key: string) => (await claimKey(db, keyed(key))).claim
const busy = { kind: IdempotencyKeyBusy }
const aliveAt = async (key: string) =>
  (await db.one<{ at: string }>(sql`select alive_at as at from idempotency_keys where key = ${key}`)).at

let runs = 0

test('the key is busy while the request runs and free after its process died', async () => {
  const [keptKey, lostKey] = [`kept-${++runs}`, `lost-${runs}`]
  const kept = (await take(keptKey))!
  const lost = (await take(lostKey))!
  let end = () => {}
  const running = withKeyLease(
    { db, caches: db.caches },
    kept,
    () => new Promise<void>(resolve => (end = resolve)),
  )
  const first = await aliveAt(keptKey)
  clock.advance(14_000)
  await until(
    () => aliveAt(keptKey),
    at => at > first,
  )
  clock.advance(2_000)
  await expect(take(keptKey)).rejects.toMatchObject(busy)
  const taken = await take(lostKey)
  expect(taken!.startedAt > lost.startedAt).toBe(true)
  await expect(take(lostKey)).rejects.toMatchObject(busy)

  // A request that lost its key cannot release it.
  await releaseKey(db, lost)
  await expect(take(lostKey)).rejects.toMatchObject(busy)

  end()
  await running
  clock.advance(16_000)
  expect(await take(keptKey)).toBeDefined()
})

/** A request that takes long keeps its key; one whose process is gone does not. */
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import { until } from '../../../test/harness/service.ts'
import { sql } from '../db/sql.ts'
import { withKeyLease } from './held-keys.ts'
import { claimKey, type IdempotencyKey, IdempotencyKeyBusy, releaseKey } from './idempotency.ts'

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

test('while it runs nobody else gets the key; when its process is gone somebody does', async () => {
  const kept = (await take('kept'))!
  const lost = (await take('lost'))!
  let end = () => {}
  const running = withKeyLease(db, kept, () => new Promise<void>(resolve => (end = resolve)))
  const first = await aliveAt('kept')
  clock.advance(14_000)
  await until(
    () => aliveAt('kept'),
    at => at > first,
  )
  clock.advance(2_000)
  await expect(take('kept')).rejects.toMatchObject(busy)
  const taken = await take('lost')
  expect(taken!.startedAt > lost.startedAt).toBe(true)
  await expect(take('lost')).rejects.toMatchObject(busy)

  // What the first still believes to have, it can no longer give back.
  await releaseKey(db, lost)
  await expect(take('lost')).rejects.toMatchObject(busy)

  end()
  await running
  clock.advance(16_000)
  expect(await take('kept')).toBeDefined()
})

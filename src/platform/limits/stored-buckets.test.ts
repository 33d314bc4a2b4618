import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { sql } from '../db/sql.ts'
import { getReservedMs, purgeTokenBuckets, reserveTime, returnToken, takeToken } from './stored-buckets.ts'

const { deps } = await testApi()
const { db, clock } = deps
const rate = { perSecond: 1 / 60, burst: 3 }

let keys = 0
const newKey = () => `key ${++keys}`

async function takeAll(key: string): Promise<number> {
  let taken = 0
  while (await takeToken(db, key, rate)) taken++
  return taken
}

test('a bucket gives its burst, then one token per interval, and a returned token again', async () => {
  const key = newKey()
  expect(await takeAll(key)).toBe(3)
  clock.advance(60_000)
  expect(await takeAll(key)).toBe(1)
  await returnToken(db, key, rate)
  expect(await takeAll(key)).toBe(1)
  clock.advance(3_600_000)
  expect(await takeAll(key)).toBe(3)
  expect(await takeAll(newKey())).toBe(3)
})

test('concurrent callers get no more than the burst', async () => {
  const key = newKey()
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeToken(db, key, rate)))
  expect(taken.filter(Boolean)).toHaveLength(3)
})

test('reservations follow each other', async () => {
  const key = newKey()
  expect(await reserveTime(db, key, 60_000)).toBeLessThanOrEqual(0)
  const wait = await reserveTime(db, key, 60_000)
  expect(wait).toBeGreaterThan(50_000)
  expect(wait).toBeLessThanOrEqual(60_000)
  expect(await getReservedMs(db, key)).toBeGreaterThan(110_000)
  expect(await getReservedMs(db, newKey())).toBe(0)
})

test('full buckets are deleted, others stay', async () => {
  const keys = () => db.rows<{ key: string }>(sql`select key from token_buckets where key like 'purge%'`)
  const purge = () => purgeTokenBuckets.job.handle(deps, { at: '' }, undefined as never)
  await reserveTime(db, 'purge', 3_600_000)
  await purge()
  expect(await keys()).toEqual([{ key: 'purge' }])
  clock.advance(3_700_000)
  await purge()
  expect(await keys()).toEqual([])
})

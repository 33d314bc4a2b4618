import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import { createLog } from '../log.ts'
import { databaseClock } from './clock.ts'
import { connectDb, type Queryable } from './db.ts'

const { db, connection } = await testDatabase()
const log = createLog('silent')
const hour = 3_600_000
const real = Date.now

afterEach(() => {
  vi.restoreAllMocks()
})

/** How far a clock is from the one of the database, which is the one of this machine. */
const error = (clock: { now(): Date }) => Math.abs(clock.now().getTime() - real())
const wrongBy = (ms: number) => vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)

test.each([hour, -hour])('%i ms off at the start: put right by the first answer', async off => {
  wrongBy(off)
  const clock = databaseClock()
  expect(error(clock)).toBeGreaterThan(hour - 60_000)
  const began = performance.now()
  const stop = await clock.sync(db, log)
  expect(error(clock)).toBeLessThanOrEqual(performance.now() - began + 1)
  wrongBy(-off)
  expect(error(clock)).toBeLessThan(1_000)
  stop()
})

test('a slow response does not move a clock that it does not disprove', async () => {
  const clock = databaseClock()
  const slow: Queryable = {
    ...db,
    one: async query => {
      await sleep(150)
      const row = await db.one(query)
      await sleep(150)
      return row as never
    },
  }
  const stop = await clock.sync(slow, log)
  expect(error(clock)).toBeLessThan(20)
  stop()
})

test('continues while the database is away', async () => {
  const other = connectDb({ connection, clock: databaseClock(), readers: 1, writers: 1 })
  await other.close()
  const clock = databaseClock()
  const stop = await clock.sync(other, log)
  const before = clock.now().getTime()
  await sleep(30)
  expect(clock.now().getTime() - before).toBeGreaterThanOrEqual(28)
  expect(error(clock)).toBeLessThan(1_000)
  stop()
})

import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { cron } from './cron.ts'
import { deferred, eventually, jobRig, pause } from './testing/rig.ts'

const rig = await jobRig()
const { clock, db } = rig
const minute = 60_000

/** Moves the clock to the middle of a minute, so that no tick is due during a test. */
function toMidMinute(): void {
  const into = clock.now().getTime() % minute
  clock.advance((into < 30_000 ? 30_000 : 90_000) - into)
}

function ticking(schedule: string, handle: () => Promise<void> = async () => {}) {
  const ticks: string[] = []
  const ticked = cron({
    name: 'tick',
    schedule,
    retry: { initialDelayMs: 10, maxDelayMs: 10 },
    async handle(_deps, { at }) {
      ticks.push(at)
      await handle()
    },
  })
  return { cron: ticked, ticks }
}

const isKnown = () => eventually(async () => expect(await db.rows(sql`select 1 from crons`)).toHaveLength(1))

test('runs at its time, and once for all missed ticks', async () => {
  toMidMinute()
  const { cron, ticks } = ticking('* * * * *')
  rig.work([], { crons: [cron] })
  rig.work([], { crons: [cron] }, rig.otherProcess())
  await isKnown()
  clock.advance(minute)
  await eventually(() => expect(ticks).toHaveLength(1))
  expect(ticks[0]).toMatch(/:00\.000Z$/)
  clock.advance(60 * minute)
  await eventually(() => expect(ticks).toHaveLength(2))
  await pause(1_200)
  expect(ticks).toHaveLength(2)
  clock.advance(minute)
  await eventually(() => expect(ticks).toHaveLength(3))
})

test('one tick is made up after a time without workers', async () => {
  toMidMinute()
  const { cron, ticks } = ticking('*/5 * * * *')
  const workers = rig.work([], { crons: [cron] })
  await isKnown()
  await workers.stop(1_000)
  clock.advance(24 * 60 * minute)
  rig.work([], { crons: [cron] })
  await eventually(() => expect(ticks).toHaveLength(1))
  await pause(700)
  expect(ticks).toHaveLength(1)
})

test('a long run is followed by one run, not by all ticks it missed', async () => {
  toMidMinute()
  const blocked = deferred()
  const { cron, ticks } = ticking('* * * * *', () => blocked.promise)
  rig.work([], { crons: [cron] })
  await isKnown()
  for (let n = 0; n < 4; n++) {
    clock.advance(minute)
    await pause(700)
  }
  expect(ticks).toHaveLength(1)
  blocked.resolve()
  await eventually(() => expect(ticks).toHaveLength(2))
  await eventually(async () => expect(await rig.isEmpty()).toBe(true))
  expect(ticks).toHaveLength(2)
})

test('a new schedule replaces the old one, and a failure is retried', async () => {
  toMidMinute()
  const yearly = ticking('0 0 1 1 *')
  const old = rig.work([], { crons: [yearly.cron] })
  await isKnown()
  await old.stop(1_000)
  let failures = 2
  const { cron, ticks } = ticking('* * * * *', async () => {
    if (failures-- > 0) throw new Error('not yet')
  })
  rig.work([], { crons: [cron] })
  await eventually(async () =>
    expect(await db.rows(sql`select schedule from crons`)).toEqual([{ schedule: '* * * * *' }]),
  )
  clock.advance(minute)
  await eventually(() => expect(ticks).toHaveLength(3))
  expect(new Set(ticks).size).toBe(1)
})

test('an invalid schedule throws immediately', () => {
  expect(() => cron({ name: 'bad', schedule: 'every now and then', handle: async () => {} })).toThrow()
})

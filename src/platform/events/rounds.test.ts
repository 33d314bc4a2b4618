/** Tests the pace of a consumer, and events that change nothing. */
import { afterAll, expect, test } from 'vitest'
import { TenantId } from '../../identity/schemas.ts'
import { sql } from '../db/sql.ts'
import type { LogEvent } from './event.ts'
import { startSubscriptions } from './subscriptions.ts'
import { eventRig, eventually } from './testing/rig.ts'

const { db, deps, connection, emitAll, sequencer } = await eventRig()
const working = sequencer()
afterAll(() => working.stop())

const n = (found: LogEvent) => (found.data as { n: number }).n
const registered = (name: string) =>
  eventually(async () =>
    expect(await db.maybe(sql`select from event_consumers where name = ${name}`)).toBeDefined(),
  )

test('events without an effect advance the position without a transaction, and others are applied once', async () => {
  const tenantId = TenantId.create()
  const applied: number[] = []
  const running = startSubscriptions(
    deps,
    [
      {
        name: 'odd',
        hasNoEffect: (_, events) => events.every(found => n(found) % 2 === 0),
        apply: async (_, events) => void applied.push(...events.map(n)),
      },
    ],
    { connection },
  )
  await registered('odd')
  const position = () =>
    db.maybe<{ processed: number; offset: number | null }>(sql`
      select q.processed_seq as processed, o.seq as offset from event_consumer_queue q
      left join event_offsets o using (tenant_id, consumer) where q.consumer = 'odd' and q.tenant_id = ${tenantId}`)
  await emitAll(tenantId, 2)
  await eventually(async () => expect(await position()).toEqual({ processed: 1, offset: null }))
  await emitAll(tenantId, 3)
  await eventually(async () => expect(await position()).toEqual({ processed: 2, offset: 2 }))
  await emitAll(tenantId, 4)
  await eventually(async () => expect(await position()).toEqual({ processed: 3, offset: 2 }))
  await emitAll(tenantId, 5)
  await eventually(async () => expect(await position()).toEqual({ processed: 4, offset: 4 }))
  expect(applied).toEqual([3, 5])
  await running.stop()
})

test('events that follow each other are handled in few rounds, the first without delay', async () => {
  const tenantId = TenantId.create()
  const rounds: { at: number; events: number[] }[] = []
  const running = startSubscriptions(
    deps,
    [
      {
        name: 'slow',
        paceMs: 1_000,
        handle: async (_, events) => void rounds.push({ at: performance.now(), events: events.map(n) }),
      },
    ],
    { connection },
  )
  await registered('slow')
  // The round that found nothing, at the start, is over for longer than the pace.
  await new Promise(resolve => setTimeout(resolve, 1_100))
  const emittedAt = performance.now()
  for (let i = 1; i <= 20; i++) await emitAll(tenantId, i)
  await eventually(() => expect(rounds.flatMap(({ events }) => events)).toHaveLength(20))
  expect(rounds.length).toBeLessThan(4)
  expect(rounds[0]!.at - emittedAt).toBeLessThan(900)
  await running.stop()
})

/** A new installation, whose first events are emitted before its workers start. */
import { afterEach, expect, test } from 'vitest'
import { TenantId } from '../../identity/schemas.ts'
import { sql } from '../db/sql.ts'
import type { LogEvent } from './event.ts'
import { startSubscriptions } from './subscriptions.ts'
import { eventRig, eventually } from './testing/rig.ts'

const { db, deps, connection, emitAll, outboxIsEmpty, sequencer } = await eventRig()
const started: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop()
})

test('subscriptions of the leader receive what was emitted before its first pass', async () => {
  const received: number[] = []
  const subscription = {
    name: 'early',
    handle: async (_deps: unknown, events: LogEvent[]) =>
      void received.push(...events.map(event => (event.data as { n: number }).n)),
  }
  await emitAll(TenantId.create(), 1, 2, 3)
  started.push(sequencer({ subscriptions: [subscription] }))
  await outboxIsEmpty()
  started.push(startSubscriptions(deps, [subscription], { connection }))
  await eventually(() => expect(received).toEqual([1, 2, 3]))
})

test('the leader leaves the types that a newer version registered unchanged', async () => {
  await db.run(sql`insert into event_consumers (name, types) values ('newer', '{thing.changed,thing.added}')`)
  started.push(
    sequencer({ subscriptions: [{ name: 'newer', types: ['thing.changed'], handle: async () => {} }] }),
  )
  await emitAll(TenantId.create(), 1)
  await outboxIsEmpty()
  expect(await db.rows(sql`select types from event_consumers where name = 'newer'`)).toEqual([
    { types: ['thing.changed', 'thing.added'] },
  ])
})

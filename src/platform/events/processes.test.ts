/** Several processes, played in one: each with a bus of its own. */
import { afterEach, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { TenantId } from '../../identity/schemas.ts'
import type { Bus } from '../bus/bus.ts'
import { postgresBus } from '../bus/postgres.ts'
import { sql } from '../db/sql.ts'
import { getLatestSeq } from './log.ts'
import { onAdvanced, relayEmitted } from './notify.ts'
import { startSequencer } from './sequencer.ts'
import { startSubscriptions } from './subscriptions.ts'
import { eventRig, eventually } from './testing/rig.ts'

const { db, deps, connection, emitAll } = await eventRig()
const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function bus(): Promise<Bus> {
  const opened = await postgresBus(connection)
  open.push(() => opened.close())
  return opened
}

const noPoll = { pollMs: 2_500 } // slower than what these tests wait for

test('a commit wakes the sequencer of another process, which wakes the listeners of a third', async () => {
  const [writer, sequencing, listening] = [await bus(), await bus(), await bus()]
  const sequencer = startSequencer({ ...deps, bus: sequencing }, { connection, ...noPoll })
  open.push(() => sequencer.stop())
  await eventually(() => expect(sequencer.leading).toBe(true))
  await new Promise(resolve => setTimeout(resolve, 100))
  // The writer's process: its own signal is also the sequencer's here, so play it by the bus alone.
  const received: Record<string, number>[] = []
  open.push(
    onAdvanced(
      listening,
      heads => received.push(heads),
      () => {},
    ),
  )
  const tenantId = TenantId.create()
  await db.run(sql`insert into outbox (event_id, tenant_id, type, at, data, causation_depth)
    values ('evt_1', ${tenantId}, 'thing.changed', now(), '{}', 0)`)
  const start = performance.now()
  writer.publish('events.emitted', {})
  await eventually(() => expect(received).toContainEqual({ [tenantId]: 1 }))
  expect(performance.now() - start).toBeLessThan(within(1_000))
})

test('a process without a sequencer relays its commits, many as one message', async () => {
  const [here, there] = [await bus(), await bus()]
  open.push(relayEmitted({ db, bus: here }))
  let rings = 0
  there.subscribe('events.emitted', () => rings++)
  for (let n = 0; n < 50; n++) await emitAll(TenantId.create(), n)
  await eventually(() => expect(rings).toBeGreaterThan(0))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(rings).toBeLessThan(50)
})

test('listeners read the log when a sequencer takes over', async () => {
  const [first, second] = [await bus(), await bus()]
  let unsure = 0
  open.push(
    onAdvanced(
      second,
      () => {},
      () => unsure++,
    ),
  )
  const sequencer = startSequencer({ ...deps, bus: first }, { connection })
  open.push(() => sequencer.stop())
  await eventually(() => expect(unsure).toBeGreaterThan(0))
})

test('everything continues after the server has ended every connection', async () => {
  const own = await bus()
  const sequencer = startSequencer({ ...deps, bus: own }, { connection })
  open.push(() => sequencer.stop())
  const handled: number[] = []
  const running = startSubscriptions(
    { ...deps, bus: own },
    [
      {
        name: 'survivor',
        async apply(_tx, events) {
          handled.push(...events.map(found => (found.data as { n: number }).n))
        },
      },
    ],
    { connection },
  )
  open.push(() => running.stop())
  const tenantId = TenantId.create()
  await eventually(async () => expect(await db.rows(sql`select name from event_consumers`)).toHaveLength(1))
  await emitAll(tenantId, 1)
  await eventually(() => expect(handled).toEqual([1]))
  await db.withClient(client =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`),
  )
  await eventually(() => emitAll(tenantId, 2))
  await eventually(() => expect(handled).toContain(2))
  await eventually(async () => expect(await getLatestSeq(db, tenantId)).toBeGreaterThan(1))
})

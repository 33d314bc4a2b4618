/** Several that deliver, one that stops, one that has gone silent: on one database, as processes would be. */
import { afterEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { ok } from '../testing/endpoint.ts'
import { eventually, startHarness } from '../testing/harness.ts'
import { type Deliverer, type DelivererOptions, startDeliverer } from './deliverer.ts'

const rig = await startHarness({ delivering: false })
const { deps, connection } = rig.api
const started = new Set<Deliverer>()
afterEach(async () => {
  await Promise.all([...started].map(one => one.stop(0)))
  started.clear()
})

function start(options: Partial<DelivererOptions> = {}): Deliverer {
  const deliverer = startDeliverer(deps, { connection, ...options })
  started.add(deliverer)
  return deliverer
}

async function stop(deliverer: Deliverer, graceMs: number): Promise<void> {
  started.delete(deliverer)
  await deliverer.stop(graceMs)
}

const hang = () => {}

test('three together deliver each event once', async () => {
  const receivings = await Promise.all(Array.from({ length: 5 }, () => rig.createWorkspace()))
  for (const { tenantId } of receivings) await rig.emit(tenantId, 20)
  for (let n = 0; n < 3; n++) start({ pollMs: 50 })
  for (let n = 0; n < 10; n++) for (const { tenantId } of receivings) await rig.emit(tenantId, 3)
  await eventually(() => {
    for (const { endpoint: receiver } of receivings) expect(new Set(receiver.ids()).size).toBe(50)
  })
  for (const { endpoint: receiver, client } of receivings) {
    expect(receiver.received).toHaveLength(50)
    await eventually(async () => expect(await rig.attempts(client, '?limit=100')).toHaveLength(50))
  }
})

test('one that stops lets calls end within the grace', async () => {
  const {
    tenantId,
    client,
    endpoint: receiver,
  } = await rig.createWorkspace(response => setTimeout(() => response.end(), 400))
  const deliverer = start()
  await rig.emit(tenantId, 2)
  await eventually(() => expect(receiver.received).toHaveLength(2))
  await stop(deliverer, 5_000)
  expect(await rig.attempts(client)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
})

test('what takes longer is cut off, logged as interrupted, and tried by the next at once', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace(hang)
  const first = start()
  await rig.emit(tenantId, 5)
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(0))
  await stop(first, 50)
  const cut = await rig.attempts(client)
  const sent = cut.length
  expect(cut.map(one => one.eventId)).toEqual(expect.arrayContaining(receiver.ids()))
  for (const one of cut)
    expect(one).toMatchObject({
      status: 'failed',
      errorText: 'interrupted',
      attemptNumber: 1,
      responseStatus: null,
    })
  expect(await rig.pending(tenantId)).toBe(5)
  receiver.respond = ok
  start()
  await eventually(() => expect(new Set(receiver.ids()).size).toBe(5))
  await eventually(async () => expect(await rig.pending(tenantId)).toBe(0))
  const repeated = await rig.attempts(client, '?status=succeeded')
  expect(repeated.map(one => one.attemptNumber).sort()).toEqual([
    ...Array(5 - sent).fill(1),
    ...Array(sent).fill(2),
  ])
})

test('one whose lease ran out is relieved; what it then says does not count', async () => {
  const answers: (() => void)[] = []
  const {
    tenantId,
    client,
    endpoint: receiver,
  } = await rig.createWorkspace(response => answers.push(() => response.end()))
  const silent = start({ leaseMs: 600_000 })
  await rig.emit(tenantId)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await deps.db.run(sql`update webhook_endpoint_state set held_until = now() where tenant_id = ${tenantId}`)
  start({ pollMs: 50 })
  await eventually(() => expect(receiver.received).toHaveLength(2))
  answers[0]!()
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await rig.attempts(client)).toMatchObject([{ attemptNumber: 1, errorText: 'interrupted' }])
  answers[1]!()
  await eventually(async () =>
    expect(await rig.attempts(client)).toMatchObject([
      { attemptNumber: 2, status: 'succeeded' },
      { attemptNumber: 1, errorText: 'interrupted' },
    ]),
  )
  expect(await rig.pending(tenantId)).toBe(0)
  expect(receiver.received[1]).toMatchObject({
    id: receiver.received[0]!.id,
    body: receiver.received[0]!.body,
  })
  await stop(silent, 0)
})

test('an interrupted attempt takes nothing from the ten', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace(hang)
  await rig.emit(tenantId)
  for (let n = 1; n <= 12; n++) {
    const deliverer = start()
    await eventually(() => expect(receiver.received).toHaveLength(n))
    await stop(deliverer, 0)
  }
  receiver.respond = ok
  start()
  await eventually(async () =>
    expect(await rig.attempts(client, '?status=succeeded')).toMatchObject([{ attemptNumber: 13 }]),
  )
})

test('an event that is not in the log any more is dropped, and nothing is held up by it', async () => {
  const { tenantId, endpoint: receiver } = await rig.createWorkspace()
  await rig.emit(tenantId, 3)
  await eventually(async () => expect(await rig.pending(tenantId)).toBe(3))
  await deps.db.run(sql`delete from event_log where tenant_id = ${tenantId} and seq = 2`)
  start()
  await eventually(async () => expect(await rig.pending(tenantId)).toBe(0))
  expect(receiver.received.map(one => one.event.sequence).sort()).toEqual([1, 3])
})

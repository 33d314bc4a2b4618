import { expect, test } from 'vitest'
import { ok, status } from './testing/endpoint.ts'
import { eventually, startHarness } from './testing/harness.ts'

const rig = await startHarness()
const { api } = rig
const day = 24 * 3_600_000
const settled = () => new Promise(resolve => setTimeout(resolve, 150))

test('resend: the same event once more, under its old id', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace()
  await rig.emit(tenantId, 2)
  await eventually(async () => expect(await rig.attempts(client)).toHaveLength(2))
  const [, first] = await rig.attempts(client)
  const answer = await client.post(`/webhooks/attempts/${first.id}/resend`)
  expect(answer).toMatchObject({ status: 202, body: { eventId: first.eventId } })
  await eventually(() => expect(receiver.received).toHaveLength(3))
  expect(receiver.received[2]).toMatchObject({ id: first.eventId, body: receiver.received[0]!.body })
  await eventually(async () => expect(await rig.attempts(client)).toHaveLength(3))
  const [resent] = await rig.attempts(client)
  expect(resent).toMatchObject({ eventId: first.eventId, attemptNumber: 1, status: 'succeeded' })
  expect(resent.deliveryId).not.toBe(first.deliveryId)
})

test('resend of one that is waiting: at once, as its next attempt', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace(status(500))
  await rig.emit(tenantId)
  await eventually(async () => expect(await rig.attempts(client)).toHaveLength(1))
  const [first] = await rig.attempts(client)
  receiver.respond = ok
  expect((await client.post(`/webhooks/attempts/${first.id}/resend`)).status).toBe(202)
  await eventually(async () =>
    expect(await rig.attempts(client)).toMatchObject([
      { deliveryId: first.deliveryId, attemptNumber: 2, status: 'succeeded' },
      { attemptNumber: 1, status: 'failed' },
    ]),
  )
  expect(await rig.pending(tenantId)).toBe(0)
})

test('404 for an unknown attempt and another workspace’s; 409 when disabled, for a test, and when it is gone', async () => {
  const [a, b] = [await rig.createWorkspace(), await rig.createWorkspace()]
  await rig.emit(a.tenantId)
  await eventually(async () => expect(await rig.attempts(a.client)).toHaveLength(1))
  const [{ id }] = await rig.attempts(a.client)
  for (const [client, which] of [
    [b.client, id],
    [a.client, 'wha_01h00000000000000000000000'],
    [a.client, 'nonsense'],
  ] as const)
    expect(await client.post(`/webhooks/attempts/${which}/resend`)).toMatchObject({
      status: 404,
      body: { code: 'webhook_attempt_not_found' },
    })
  await b.client.post('/webhooks/verify')
  const [{ id: testId }] = await rig.attempts(b.client)
  expect(await b.client.post(`/webhooks/attempts/${testId}/resend`)).toMatchObject({
    status: 409,
    body: { code: 'webhook_event_not_kept' },
  })
  await a.client.patch('/webhooks', { enabled: false })
  for (const request of [
    a.client.post(`/webhooks/attempts/${id}/resend`),
    a.client.post('/webhooks/replay', { since: new Date().toISOString() }),
  ])
    expect(await request).toMatchObject({ status: 409, body: { code: 'webhook_not_enabled' } })
})

test('replay: everything since a time, by type, with the old ids', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace()
  await rig.emit(tenantId, 3)
  await eventually(() => expect(receiver.received).toHaveLength(3))
  rig.advance(1_000)
  const since = api.deps.clock.now().toISOString()
  rig.advance(1_000)
  await rig.emit(tenantId, 700)
  await rig.emit(tenantId, 4, 'message.created')
  await eventually(() => expect(receiver.received).toHaveLength(707))
  const before = receiver.received.slice()
  const answer = await client.post('/webhooks/replay', { since })
  expect(answer).toMatchObject({ status: 202, body: { since, fromSequence: 4, toSequence: 707 } })
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(707 + 704))
  const again = receiver.received.slice(707)
  expect(new Set(again.map(one => one.id))).toEqual(new Set(before.slice(3).map(one => one.id)))
  const bodies = new Map(before.map(one => [one.id, one.body]))
  for (const one of again) expect(one.body).toBe(bodies.get(one.id))
  await client.post('/webhooks/replay', { since, eventTypes: ['message.created'] })
  await eventually(() => expect(receiver.received.length).toBe(707 + 704 + 4))
  await settled()
  expect(receiver.received.slice(-4).map(one => one.event.type)).toEqual(Array(4).fill('message.created'))
  expect(receiver.received).toHaveLength(707 + 704 + 4)
})

test('replay: nothing since then, from long ago, and 400 for the future', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace()
  await rig.emit(tenantId)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  rig.advance(1_000)
  const now = api.deps.clock.now()
  const none = await client.post('/webhooks/replay', { since: now.toISOString() })
  expect(none.body).toMatchObject({ fromSequence: 2, toSequence: 1 })
  await client.post('/webhooks/replay', { since: '2020-01-01T00:00:00+02:00' })
  await eventually(() => expect(receiver.received).toHaveLength(2))
  const future = new Date(now.getTime() + day).toISOString()
  expect((await client.post('/webhooks/replay', { since: future })).status).toBe(400)
  expect((await client.post('/webhooks/replay', { since: 'yesterday' })).status).toBe(400)
  expect((await client.post('/webhooks/replay', {})).status).toBe(400)
})

import { expect, test } from 'vitest'
import { ok, status } from './testing/endpoint.ts'
import { eventually, startHarness } from './testing/harness.ts'

const harness = await startHarness()
const { api } = harness
const day = 24 * 3_600_000
const pause = () => new Promise(resolve => setTimeout(resolve, 150))

test('202 resends the event with its original id', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace()
  await harness.emit(tenantId, 2)
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(2))
  const [, first] = await harness.attempts(client)
  const answer = await client.post(`/webhooks/attempts/${first.id}/resend`)
  expect(answer).toMatchObject({ status: 202, body: { eventId: first.eventId } })
  await eventually(() => expect(endpoint.received).toHaveLength(3))
  expect(endpoint.received[2]).toMatchObject({ id: first.eventId, body: endpoint.received[0]!.body })
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(3))
  const [resent] = await harness.attempts(client)
  expect(resent).toMatchObject({ eventId: first.eventId, attemptNumber: 1, status: 'succeeded' })
  expect(resent.deliveryId).not.toBe(first.deliveryId)
})

test('202 tries a waiting delivery immediately', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(status(500))
  await harness.emit(tenantId)
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(1))
  const [first] = await harness.attempts(client)
  endpoint.respond = ok
  expect((await client.post(`/webhooks/attempts/${first.id}/resend`)).status).toBe(202)
  await eventually(async () =>
    expect(await harness.attempts(client)).toMatchObject([
      { deliveryId: first.deliveryId, attemptNumber: 2, status: 'succeeded' },
      { attemptNumber: 1, status: 'failed' },
    ]),
  )
  expect(await harness.pending(tenantId)).toBe(0)
})

test('404 for an unknown attempt and one of another workspace; 409 when disabled and for a test event', async () => {
  const [a, b] = [await harness.createWorkspace(), await harness.createWorkspace()]
  await harness.emit(a.tenantId)
  await eventually(async () => expect(await harness.attempts(a.client)).toHaveLength(1))
  const [{ id }] = await harness.attempts(a.client)
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
  const [{ id: testId }] = await harness.attempts(b.client)
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

test('202 replays events since a time, by type, with their original ids', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace()
  await harness.emit(tenantId, 3)
  await eventually(() => expect(endpoint.received).toHaveLength(3))
  harness.advance(1_000)
  const since = api.deps.clock.now().toISOString()
  harness.advance(1_000)
  await harness.emit(tenantId, 700)
  await harness.emit(tenantId, 4, 'message.created')
  await eventually(() => expect(endpoint.received).toHaveLength(707))
  const before = endpoint.received.slice()
  const answer = await client.post('/webhooks/replay', { since })
  expect(answer).toMatchObject({ status: 202, body: { since, fromSequence: 4, toSequence: 707 } })
  await eventually(() => expect(endpoint.received.length).toBeGreaterThanOrEqual(707 + 704))
  const again = endpoint.received.slice(707)
  expect(new Set(again.map(call => call.id))).toEqual(new Set(before.slice(3).map(call => call.id)))
  const bodies = new Map(before.map(call => [call.id, call.body]))
  for (const call of again) expect(call.body).toBe(bodies.get(call.id))
  await client.post('/webhooks/replay', { since, eventTypes: ['message.created'] })
  await eventually(() => expect(endpoint.received.length).toBe(707 + 704 + 4))
  await pause()
  expect(endpoint.received.slice(-4).map(call => call.event.type)).toEqual(Array(4).fill('message.created'))
  expect(endpoint.received).toHaveLength(707 + 704 + 4)
})

test('202 replays nothing or everything kept; 400 for the future', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace()
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(1))
  harness.advance(1_000)
  const now = api.deps.clock.now()
  const none = await client.post('/webhooks/replay', { since: now.toISOString() })
  expect(none.body).toMatchObject({ fromSequence: 2, toSequence: 1 })
  await client.post('/webhooks/replay', { since: '2020-01-01T00:00:00+02:00' })
  await eventually(() => expect(endpoint.received).toHaveLength(2))
  const future = new Date(now.getTime() + day).toISOString()
  expect((await client.post('/webhooks/replay', { since: future })).status).toBe(400)
  expect((await client.post('/webhooks/replay', { since: 'yesterday' })).status).toBe(400)
  expect((await client.post('/webhooks/replay', {})).status).toBe(400)
})

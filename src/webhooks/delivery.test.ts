import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { sql } from '../platform/db/sql.ts'
import { eventTypes } from './schemas.ts'
import { ok, startEndpoint, status } from './testing/endpoint.ts'
import { buildData, eventually, startHarness } from './testing/harness.ts'

const harness = await startHarness()
const { db } = harness.api.deps
const minute = 60_000
const hour = 60 * minute
const pause = (ms = 150) => new Promise(resolve => setTimeout(resolve, ms))

test('an event arrives with a valid signature', async () => {
  const { tenantId, client, endpoint, key } = await harness.createWorkspace()
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(1))
  const [call] = endpoint.received
  expect(call!.event).toEqual({
    id: call!.id,
    type: 'contact.created',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { contact: { id: 'con_0', conversations: [] } },
    sequence: 1,
  })
  expect(call!.id).toMatch(/^evt_/)
  expect(call!.headers['content-type']).toBe('application/json')
  expect(new Webhook(key).verify(call!.body, call!.headers)).toEqual(call!.event)
  await eventually(async () =>
    expect(await harness.attempts(client)).toEqual([
      {
        id: expect.stringMatching(/^wha_/),
        endpointId: expect.stringMatching(/^whs_/),
        eventId: call!.id,
        eventType: 'contact.created',
        status: 'succeeded',
        deliveryId: expect.stringMatching(/^whd_/),
        attemptNumber: 1,
        attemptedAt: expect.any(String),
        responseStatus: 200,
        responseBody: 'ok',
        latencyMs: expect.any(Number),
        errorText: null,
        signedWithVersions: [1],
      },
    ]),
  )
  expect(await harness.pending(tenantId)).toBe(0)
})

test('delivers the public data of each type, and only subscribed types', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace()
  await client.patch('/webhooks', { eventTypes })
  for (const type of eventTypes) await harness.emit(tenantId, 1, type)
  await eventually(() => expect(endpoint.received).toHaveLength(eventTypes.length))
  for (const { event } of endpoint.received) {
    const { hidden: _, ...parts } = buildData(event.type, 0)
    expect(event.data).toEqual(parts)
  }
  const inOrder = endpoint.received.map(item => item.event).sort((a, b) => a.sequence - b.sequence)
  expect(inOrder.map(event => event.type)).toEqual([...eventTypes])
  await client.patch('/webhooks', { eventTypes: ['message.updated'] })
  for (const type of eventTypes) await harness.emit(tenantId, 1, type)
  await eventually(() => expect(endpoint.received).toHaveLength(eventTypes.length + 1))
  await pause()
  expect(endpoint.received.at(-1)!.event).toMatchObject({
    type: 'message.updated',
    sequence: eventTypes.length + eventTypes.indexOf('message.updated') + 1,
  })
  expect(endpoint.received).toHaveLength(eventTypes.length + 1)
})

test('ten attempts on schedule with the same body, then none', async () => {
  const { tenantId, client, endpoint, key } = await harness.createWorkspace(status(500, {}, 'out of order'))
  await harness.emit(tenantId)
  const delays = [
    5_000,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ]
  for (const [n, delay] of delays.entries()) {
    await eventually(async () => expect(await harness.attempts(client, '?limit=20')).toHaveLength(n + 1))
    harness.advance(Math.max(0, delay * 0.79 - 2_500)) // leaves room for elapsed real time
    await pause()
    expect(endpoint.received).toHaveLength(n + 1)
    harness.advance(delay * 0.42 + 2_500)
    await eventually(() => expect(endpoint.received).toHaveLength(n + 2))
  }
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
  harness.advance(48 * hour)
  await pause()
  expect(endpoint.received).toHaveLength(10)
  expect(new Set(endpoint.ids()).size).toBe(1)
  expect(new Set(endpoint.received.map(item => item.body)).size).toBe(1)
  expect(new Set(endpoint.received.map(item => item.headers['webhook-timestamp'])).size).toBe(10)
  const { body, headers } = endpoint.received[9]!
  const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000)
  expect(headers['webhook-signature']).toBe(new Webhook(key).sign(headers['webhook-id']!, timestamp, body))
  const logged = await harness.attempts(client)
  expect(logged.map(item => item.attemptNumber)).toEqual(
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].slice(0, logged.length),
  )
  expect(logged[0]).toMatchObject({ responseStatus: 500, responseBody: 'out of order', status: 'failed' })
  expect(new Set(logged.map(item => item.deliveryId)).size).toBe(1)
})

test('Retry-After delays the next attempt', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(status(503, { 'retry-after': '3600' }))
  await harness.emit(tenantId)
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(1))
  harness.advance(59 * minute)
  await pause()
  expect(endpoint.received).toHaveLength(1)
  endpoint.respond = ok
  harness.advance(2 * minute)
  await eventually(() => expect(endpoint.received).toHaveLength(2))
})

test('redirects and invalid responses are failures; redirects are not followed', async () => {
  const elsewhere = await startEndpoint()
  const { tenantId, client, endpoint } = await harness.createWorkspace(
    status(302, { location: elsewhere.url }),
  )
  await harness.emit(tenantId)
  await eventually(async () =>
    expect(await harness.attempts(client)).toMatchObject([{ status: 'failed', responseStatus: 302 }]),
  )
  endpoint.respond = (_response, _received, request) => request.socket.end('HTP/9 nonsense\r\n\r\n')
  harness.advance(7_000)
  await eventually(async () =>
    expect((await harness.attempts(client))[0]).toMatchObject({
      attemptNumber: 2,
      responseStatus: null,
      errorText: expect.stringMatching(/^invalid_response/),
    }),
  )
  expect(elsewhere.received).toHaveLength(0)
  await elsewhere.close()
})

test('stores up to 16 KiB of any response body', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(response =>
    response.end(Buffer.concat([Buffer.from([0, 0xff]), Buffer.from('ż'.repeat(20_000))])),
  )
  await harness.emit(tenantId)
  await eventually(async () =>
    expect(await harness.attempts(client)).toMatchObject([{ status: 'succeeded' }]),
  )
  const [{ responseBody }] = await harness.attempts(client)
  expect(responseBody.startsWith('\ufffd\ufffdżż')).toBe(true)
  expect(Buffer.byteLength(responseBody.slice(2))).toBeLessThanOrEqual(16 * 1024 - 2)
  expect(endpoint.received).toHaveLength(1)
})

test('410 disables the webhook with an audit entry; waiting deliveries continue once it is enabled', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(status(410))
  await harness.emit(tenantId)
  await eventually(async () => expect((await client.get('/webhooks')).body.enabled).toBe(false))
  await eventually(async () =>
    expect(await harness.attempts(client)).toMatchObject([{ status: 'failed', responseStatus: 410 }]),
  )
  await harness.emit(tenantId)
  harness.advance(hour)
  await pause()
  expect(endpoint.received).toHaveLength(1)
  const audit = sql`select action, actor_type, details from audit_log where tenant_id = ${tenantId} and action = 'webhook.disabled'`
  expect(await db.rows(audit)).toMatchObject([{ actor_type: 'system', details: { reason: 'gone' } }])
  endpoint.respond = ok
  await client.patch('/webhooks', { enabled: true })
  await eventually(() => expect(endpoint.received).toHaveLength(2))
  await pause()
  expect(new Set(endpoint.ids()).size, 'events emitted while disabled are not delivered').toBe(1)
})

test('five days without a success disable the webhook', async () => {
  const [dead, flaky] = [
    await harness.createWorkspace(status(500)),
    await harness.createWorkspace(status(500)),
  ]
  const failOnce = async ({ tenantId, endpoint }: typeof dead) => {
    const before = endpoint.received.length
    await harness.emit(tenantId)
    await eventually(() => expect(endpoint.received.length).toBeGreaterThan(before))
    await pause(50)
  }
  for (let day = 0; day < 5; day++) {
    await failOnce(dead)
    flaky.endpoint.respond = day === 3 ? ok : status(500)
    await failOnce(flaky)
    harness.advance(23 * hour)
  }
  await pause()
  expect((await dead.client.get('/webhooks')).body.enabled).toBe(true)
  harness.advance(6 * hour)
  await failOnce(flaky)
  await harness.emit(dead.tenantId)
  await eventually(async () => expect((await dead.client.get('/webhooks')).body.enabled).toBe(false))
  expect((await flaky.client.get('/webhooks')).body.enabled).toBe(true)
  const audit = sql`select details from audit_log where tenant_id = ${dead.tenantId} and action = 'webhook.disabled'`
  expect(await db.rows(audit)).toMatchObject([{ details: { reason: 'failing' } }])
  await dead.client.patch('/webhooks', { enabled: true })
  await failOnce(dead)
  expect((await dead.client.get('/webhooks')).body.enabled, 'the failure period restarts').toBe(true)
})

test('a failing event does not delay others', async () => {
  const { tenantId, endpoint } = await harness.createWorkspace((response, { event }) =>
    response.writeHead(event.sequence === 1 ? 500 : 200).end(),
  )
  await harness.emit(tenantId)
  for (let n = 0; n < 5; n++) {
    harness.advance(6_000)
    await harness.emit(tenantId, 4)
    await eventually(() =>
      expect(new Set(endpoint.received.map(item => item.event.sequence)).size).toBe(1 + 4 * (n + 1)),
    )
  }
})

test('an open circuit pauses a dead endpoint, then sends one delivery; after recovery all arrive', async () => {
  const { tenantId, endpoint } = await harness.createWorkspace(status(500))
  await harness.emit(tenantId, 60)
  await eventually(() => expect(endpoint.received.length).toBeGreaterThanOrEqual(10))
  // Those in flight when the circuit opens still arrive.
  let before = 0
  do {
    before = endpoint.received.length
    await pause(500)
  } while (endpoint.received.length !== before)
  expect(before).toBeLessThan(30)
  harness.advance(7_000)
  await eventually(() => expect(endpoint.received.length).toBe(before + 1))
  await pause(200)
  expect(endpoint.received.length).toBe(before + 1)
  endpoint.respond = ok
  harness.advance(10 * minute)
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
  expect(new Set(endpoint.ids()).size).toBe(60)
})

test('a new URL immediately receives waiting deliveries', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(status(500))
  await harness.emit(tenantId, 30)
  await eventually(() => expect(endpoint.received.length).toBeGreaterThanOrEqual(10))
  const newEndpoint = await startEndpoint()
  await client.patch('/webhooks', { url: newEndpoint.url })
  harness.advance(7_000)
  await eventually(() => expect(new Set(newEndpoint.ids()).size).toBe(30))
  await newEndpoint.close()
})

test('a disabled webhook sends nothing; waiting deliveries continue once it is enabled', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(status(500))
  await harness.emit(tenantId, 2)
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(2))
  await client.patch('/webhooks', { enabled: false })
  endpoint.respond = ok
  harness.advance(hour)
  await pause()
  expect(endpoint.received).toHaveLength(2)
  await client.patch('/webhooks', { enabled: true })
  await eventually(() => expect(endpoint.received).toHaveLength(4))
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
})

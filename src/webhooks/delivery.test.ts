import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { sql } from '../platform/db/sql.ts'
import { eventTypes } from './event-types.ts'
import { ok, startEndpoint, status } from './testing/endpoint.ts'
import { buildData, eventually, startHarness } from './testing/harness.ts'

const rig = await startHarness()
const { db } = rig.api.deps
const minute = 60_000
const hour = 60 * minute
const settled = (ms = 150) => new Promise(resolve => setTimeout(resolve, ms))

test('an event arrives, signed, as the standard has it', async () => {
  const { tenantId, client, endpoint: receiver, key } = await rig.createWorkspace()
  await rig.emit(tenantId)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const [one] = receiver.received
  expect(one!.event).toEqual({
    id: one!.id,
    type: 'contact.created',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { contact: { id: 'con_0', conversations: [] } },
    sequence: 1,
  })
  expect(one!.id).toMatch(/^evt_/)
  expect(one!.headers['content-type']).toBe('application/json')
  expect(new Webhook(key).verify(one!.body, one!.headers)).toEqual(one!.event)
  await eventually(async () =>
    expect(await rig.attempts(client)).toEqual([
      {
        id: expect.stringMatching(/^wha_/),
        eventId: one!.id,
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
  expect(await rig.pending(tenantId)).toBe(0)
})

test('each type with the public part of its data, and only the types asked for', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace()
  for (const type of eventTypes) await rig.emit(tenantId, 1, type)
  await eventually(() => expect(receiver.received).toHaveLength(8))
  for (const { event } of receiver.received) {
    const { contact, conversation, message } = buildData(event.type, 0)
    const shown = event.type.startsWith('contact.') ? { contact } : { conversation, message }
    expect(event.data).toEqual(JSON.parse(JSON.stringify(shown)))
  }
  const inOrder = receiver.received.map(one => one.event).sort((a, b) => a.sequence - b.sequence)
  expect(inOrder.map(event => event.type)).toEqual([...eventTypes])
  await client.patch('/webhooks', { eventTypes: ['message.updated'] })
  for (const type of eventTypes) await rig.emit(tenantId, 1, type)
  await eventually(() => expect(receiver.received).toHaveLength(9))
  await settled()
  expect(receiver.received[8]!.event).toMatchObject({ type: 'message.updated', sequence: 16 })
  expect(receiver.received).toHaveLength(9)
})

test('ten attempts on schedule, the same event each time, then it is given up', async () => {
  const {
    tenantId,
    client,
    endpoint: receiver,
    key,
  } = await rig.createWorkspace(status(500, {}, 'out of order'))
  await rig.emit(tenantId)
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
    await eventually(async () => expect(await rig.attempts(client, '?limit=20')).toHaveLength(n + 1))
    rig.advance(Math.max(0, delay * 0.79 - 2_500)) // some real time passes too
    await settled()
    expect(receiver.received).toHaveLength(n + 1)
    rig.advance(delay * 0.42 + 2_500)
    await eventually(() => expect(receiver.received).toHaveLength(n + 2))
  }
  await eventually(async () => expect(await rig.pending(tenantId)).toBe(0))
  rig.advance(48 * hour)
  await settled()
  expect(receiver.received).toHaveLength(10)
  expect(new Set(receiver.ids()).size).toBe(1)
  expect(new Set(receiver.received.map(one => one.body)).size).toBe(1)
  expect(new Set(receiver.received.map(one => one.headers['webhook-timestamp'])).size).toBe(10)
  const { body, headers } = receiver.received[9]!
  const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000)
  expect(headers['webhook-signature']).toBe(new Webhook(key).sign(headers['webhook-id']!, timestamp, body))
  const logged = await rig.attempts(client)
  expect(logged.map(one => one.attemptNumber)).toEqual(
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].slice(0, logged.length),
  )
  expect(logged[0]).toMatchObject({ responseStatus: 500, responseBody: 'out of order', status: 'failed' })
  expect(new Set(logged.map(one => one.deliveryId)).size).toBe(1)
})

test('Retry-After is waited for', async () => {
  const {
    tenantId,
    client,
    endpoint: receiver,
  } = await rig.createWorkspace(status(503, { 'retry-after': '3600' }))
  await rig.emit(tenantId)
  await eventually(async () => expect(await rig.attempts(client)).toHaveLength(1))
  rig.advance(59 * minute)
  await settled()
  expect(receiver.received).toHaveLength(1)
  receiver.respond = ok
  rig.advance(2 * minute)
  await eventually(() => expect(receiver.received).toHaveLength(2))
})

test('a redirect, an endless header and a bad answer are failures; nothing is followed', async () => {
  const elsewhere = await startEndpoint()
  const {
    tenantId,
    client,
    endpoint: receiver,
  } = await rig.createWorkspace(status(302, { location: elsewhere.url }))
  await rig.emit(tenantId)
  await eventually(async () =>
    expect(await rig.attempts(client)).toMatchObject([{ status: 'failed', responseStatus: 302 }]),
  )
  receiver.respond = (_response, _received, request) => request.socket.end('HTP/9 nonsense\r\n\r\n')
  rig.advance(7_000)
  await eventually(async () =>
    expect((await rig.attempts(client))[0]).toMatchObject({
      attemptNumber: 2,
      responseStatus: null,
      errorText: expect.stringMatching(/^invalid_response/),
    }),
  )
  expect(elsewhere.received).toHaveLength(0)
  await elsewhere.close()
})

test('an answer is stored up to 16 KiB, whatever bytes it has', async () => {
  const {
    tenantId,
    client,
    endpoint: receiver,
  } = await rig.createWorkspace(response =>
    response.end(Buffer.concat([Buffer.from([0, 0xff]), Buffer.from('ż'.repeat(20_000))])),
  )
  await rig.emit(tenantId)
  await eventually(async () => expect(await rig.attempts(client)).toMatchObject([{ status: 'succeeded' }]))
  const [{ responseBody }] = await rig.attempts(client)
  expect(responseBody.startsWith('\ufffd\ufffdżż')).toBe(true)
  expect(Buffer.byteLength(responseBody.slice(2))).toBeLessThanOrEqual(16 * 1024 - 2)
  expect(receiver.received).toHaveLength(1)
})

test('410 disables, says so in the audit log, and what waits goes on once it is enabled again', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace(status(410))
  await rig.emit(tenantId)
  await eventually(async () => expect((await client.get('/webhooks')).body.enabled).toBe(false))
  await eventually(async () =>
    expect(await rig.attempts(client)).toMatchObject([{ status: 'failed', responseStatus: 410 }]),
  )
  await rig.emit(tenantId)
  rig.advance(hour)
  await settled()
  expect(receiver.received).toHaveLength(1)
  const audit = sql`select action, actor_type, details from audit_log where tenant_id = ${tenantId} and action = 'webhook.disabled'`
  expect(await db.rows(audit)).toMatchObject([{ actor_type: 'system', details: { reason: 'gone' } }])
  receiver.respond = ok
  await client.patch('/webhooks', { enabled: true })
  await eventually(() => expect(receiver.received).toHaveLength(2))
  await settled()
  expect(new Set(receiver.ids()).size, 'what happened while it was disabled is not delivered').toBe(1)
})

test('five days of nothing but failures disable; a success in between does not', async () => {
  const [dead, flaky] = [await rig.createWorkspace(status(500)), await rig.createWorkspace(status(500))]
  const failOnce = async ({ tenantId, endpoint: receiver }: typeof dead) => {
    const before = receiver.received.length
    await rig.emit(tenantId)
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(before))
    await settled(50)
  }
  for (let day = 0; day < 5; day++) {
    await failOnce(dead)
    flaky.endpoint.respond = day === 3 ? ok : status(500)
    await failOnce(flaky)
    rig.advance(23 * hour)
  }
  await settled()
  expect((await dead.client.get('/webhooks')).body.enabled).toBe(true)
  rig.advance(6 * hour)
  await failOnce(flaky)
  await rig.emit(dead.tenantId)
  await eventually(async () => expect((await dead.client.get('/webhooks')).body.enabled).toBe(false))
  expect((await flaky.client.get('/webhooks')).body.enabled).toBe(true)
  const audit = sql`select details from audit_log where tenant_id = ${dead.tenantId} and action = 'webhook.disabled'`
  expect(await db.rows(audit)).toMatchObject([{ details: { reason: 'failing' } }])
  await dead.client.patch('/webhooks', { enabled: true })
  await failOnce(dead)
  expect((await dead.client.get('/webhooks')).body.enabled, 'it begins anew').toBe(true)
})

test('one event that nobody can digest holds back no other', async () => {
  const { tenantId, endpoint: receiver } = await rig.createWorkspace((response, { event }) =>
    response.writeHead(event.sequence === 1 ? 500 : 200).end(),
  )
  await rig.emit(tenantId)
  for (let n = 0; n < 5; n++) {
    rig.advance(6_000)
    await rig.emit(tenantId, 4)
    await eventually(() =>
      expect(new Set(receiver.received.map(one => one.event.sequence)).size).toBe(1 + 4 * (n + 1)),
    )
  }
})

test('a dead receiver is left alone, then asked once; when it is back, everything arrives', async () => {
  const { tenantId, endpoint: receiver } = await rig.createWorkspace(status(500))
  await rig.emit(tenantId, 60)
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(10))
  await settled(300)
  const asked = receiver.received.length
  expect(asked).toBeLessThan(30)
  rig.advance(7_000)
  await eventually(() => expect(receiver.received.length).toBe(asked + 1))
  await settled(200)
  expect(receiver.received.length).toBe(asked + 1)
  receiver.respond = ok
  rig.advance(10 * minute)
  await eventually(async () => expect(await rig.pending(tenantId)).toBe(0))
  expect(new Set(receiver.ids()).size).toBe(60)
})

test('a new URL gets what was waiting for the old one, at once', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace(status(500))
  await rig.emit(tenantId, 30)
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(10))
  const fresh = await startEndpoint()
  await client.patch('/webhooks', { url: fresh.url })
  rig.advance(7_000)
  await eventually(() => expect(new Set(fresh.ids()).size).toBe(30))
  await fresh.close()
})

test('disabled by hand: nothing is sent, and what was waiting goes on when it is enabled', async () => {
  const { tenantId, client, endpoint: receiver } = await rig.createWorkspace(status(500))
  await rig.emit(tenantId, 2)
  await eventually(async () => expect(await rig.attempts(client)).toHaveLength(2))
  await client.patch('/webhooks', { enabled: false })
  receiver.respond = ok
  rig.advance(hour)
  await settled()
  expect(receiver.received).toHaveLength(2)
  await client.patch('/webhooks', { enabled: true })
  await eventually(() => expect(receiver.received).toHaveLength(4))
  await eventually(async () => expect(await rig.pending(tenantId)).toBe(0))
})

/** Tests several endpoints of one workspace: each has its own types, deliveries, attempts and circuit. */
import { afterAll, expect, test } from 'vitest'
import type { Client } from '../../test/harness/api.ts'
import { within } from '../../test/harness/wait.ts'
import { type Responder, startEndpoint, status } from './testing/endpoint.ts'
import { eventually, startHarness } from './testing/harness.ts'

const harness = await startHarness()
const { api } = harness

/** Adds an endpoint to the workspace. */
async function add(client: Client, respond?: Responder, body: object = {}) {
  const endpoint = await startEndpoint(respond)
  afterAll(() => endpoint.close())
  const created = await client.post('/webhooks/endpoints', { url: endpoint.url, ...body })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return Object.assign(endpoint, { id: created.body.id as string })
}

const get = async (client: Client, id: string) => (await client.get(`/webhooks/endpoints/${id}`)).body

test('201, then listed and changed; the settings are the first endpoint', async () => {
  const client = await (await api.workspace()).key()
  expect((await client.get('/webhooks/endpoints')).body).toEqual({ endpoints: [] })
  const first = await client.post('/webhooks/endpoints', {
    url: 'https://example.com/a',
    eventTypes: ['contact.created'],
    description: 'CRM',
  })
  expect(first.body).toMatchObject({ isFirst: true, enabled: true, verified: false, description: 'CRM' })
  expect((await client.get('/webhooks')).body).toMatchObject({
    id: first.body.id,
    url: 'https://example.com/a',
  })
  const second = await client.post('/webhooks/endpoints', { url: 'https://example.com/b', enabled: false })
  expect(second.body).toMatchObject({ isFirst: false, enabled: false, description: null })
  const { endpoints } = (await client.get('/webhooks/endpoints')).body
  expect(endpoints).toEqual([first.body, second.body])
  const changed = await client.patch(`/webhooks/endpoints/${second.body.id}`, {
    enabled: true,
    description: 'BI',
  })
  expect(changed.body).toMatchObject({ enabled: true, description: 'BI', url: 'https://example.com/b' })
  await client.patch('/webhooks', { url: 'https://example.com/c' })
  expect(await get(client, first.body.id)).toMatchObject({ url: 'https://example.com/c', description: 'CRM' })
  expect((await client.delete('/webhooks')).status).toBe(204)
  expect((await client.get('/webhooks')).body).toMatchObject({ id: null, enabled: false, url: null })
  expect((await client.get('/webhooks/endpoints')).body.endpoints).toEqual([changed.body])
  expect((await client.delete(`/webhooks/endpoints/${second.body.id}`)).status).toBe(204)
  expect((await client.get(`/webhooks/endpoints/${second.body.id}`)).body.code).toBe(
    'webhook_endpoint_not_found',
  )
})

test('400 for a URL that cannot be called, 404 for an id of another workspace, 409 beyond ten endpoints', async () => {
  const [client, other] = [await (await api.workspace()).key(), await (await api.workspace()).key()]
  for (const body of [
    {},
    { url: 'ftp://example.com' },
    { url: 'https://example.com', eventTypes: ['x'] },
    { url: null },
  ])
    expect((await client.post('/webhooks/endpoints', body)).status, JSON.stringify(body)).toBe(400)
  const { body } = await client.post('/webhooks/endpoints', { url: 'https://example.com/0' })
  for (const request of [
    other.get(`/webhooks/endpoints/${body.id}`),
    other.patch(`/webhooks/endpoints/${body.id}`, { enabled: false }),
    other.delete(`/webhooks/endpoints/${body.id}`),
    other.post(`/webhooks/endpoints/${body.id}/verify`),
    other.post('/webhooks/replay', { since: api.deps.clock.now().toISOString(), endpointId: body.id }),
  ])
    expect(await request).toMatchObject({ status: 404, body: { code: 'webhook_endpoint_not_found' } })
  for (let n = 1; n < 10; n++) await client.post('/webhooks/endpoints', { url: `https://example.com/${n}` })
  expect(await client.post('/webhooks/endpoints', { url: 'https://example.com/10' })).toMatchObject({
    status: 409,
    body: { code: 'webhook_endpoint_limit' },
  })
})

test('each endpoint receives its types, signed with the same keys, with attempts of its own', async () => {
  const { client, tenantId, endpoint } = await harness.createWorkspace()
  const messages = await add(client, undefined, { eventTypes: ['message.created'] })
  const both = await add(client, undefined, { eventTypes: ['message.created', 'contact.created'] })
  await harness.emit(tenantId, 3, 'message.created')
  await harness.emit(tenantId, 2, 'contact.created')
  await eventually(() => {
    expect(endpoint.received).toHaveLength(5)
    expect(messages.received).toHaveLength(3)
    expect(both.received).toHaveLength(5)
  })
  expect(new Set(both.ids())).toEqual(new Set(endpoint.ids()))
  expect(messages.received.map(call => call.event.type)).toEqual(Array(3).fill('message.created'))
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(13))
  const attempts = await harness.attempts(client, `?endpointId=${messages.id}`)
  expect(attempts.map(attempt => attempt.endpointId)).toEqual(Array(3).fill(messages.id))
  const filtered = `?endpointId=${both.id}&eventType=contact.created&status=succeeded`
  expect(await harness.attempts(client, filtered)).toHaveLength(2)
  const ids = (await harness.attempts(client)).map(attempt => attempt.deliveryId)
  expect(new Set(ids).size).toBe(13)
})

test('an endpoint that hangs and one that fails do not delay another one of the workspace', async () => {
  const { client, tenantId, endpoint } = await harness.createWorkspace()
  const hanging = await add(client, () => {})
  const failing = await add(client, status(500))
  await harness.emit(tenantId, 40)
  await eventually(() => expect(hanging.received.length).toBeGreaterThan(0))
  await eventually(() => expect(endpoint.received).toHaveLength(40))
  const startedAt = performance.now()
  await harness.emit(tenantId, 200)
  await eventually(() => expect(endpoint.received).toHaveLength(240))
  expect(performance.now() - startedAt).toBeLessThan(within(5_000))
  expect(hanging.received.length).toBeLessThan(40)
  await eventually(async () =>
    expect((await get(client, failing.id)).health.consecutiveFailures).toBeGreaterThanOrEqual(10),
  )
  expect((await client.get('/webhooks')).body.health).toMatchObject({
    failingSince: null,
    consecutiveFailures: 0,
  })
  failing.respond = status(410)
  harness.advance(10 * 60_000)
  await eventually(async () =>
    expect(await get(client, failing.id)).toMatchObject({
      enabled: false,
      health: { disabledReason: 'gone' },
    }),
  )
  expect((await client.get('/webhooks')).body).toMatchObject({ enabled: true })
})

test('a resend and a replay go to one endpoint; a deleted endpoint receives nothing more', async () => {
  const { client, tenantId, endpoint } = await harness.createWorkspace()
  const second = await add(client, status(500))
  const since = api.deps.clock.now().toISOString()
  await harness.emit(tenantId, 2)
  await eventually(async () =>
    expect(await harness.attempts(client, `?endpointId=${second.id}`)).toHaveLength(2),
  )
  second.respond = status(200)
  const [attempt] = await harness.attempts(client, `?endpointId=${second.id}`)
  expect((await client.post(`/webhooks/attempts/${attempt.id}/resend`)).status).toBe(202)
  await eventually(() => expect(second.received).toHaveLength(3))
  expect(second.received[2]!.id).toBe(attempt.eventId)
  const replayed = await client.post('/webhooks/replay', { since, endpointId: second.id })
  expect(replayed).toMatchObject({ status: 202, body: { endpointId: second.id } })
  await eventually(() => expect(second.received).toHaveLength(5))
  expect(endpoint.received).toHaveLength(2)
  second.respond = status(500)
  await harness.emit(tenantId, 3)
  await eventually(() => expect(second.received).toHaveLength(8))
  expect((await client.delete(`/webhooks/endpoints/${second.id}`)).status).toBe(204)
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
  expect(await client.post(`/webhooks/attempts/${attempt.id}/resend`)).toMatchObject({ status: 409 })
  await harness.emit(tenantId, 1)
  await eventually(() => expect(endpoint.received).toHaveLength(6))
  expect(second.received).toHaveLength(8)
  expect(await harness.attempts(client, `?endpointId=${second.id}`)).not.toHaveLength(0)
})

test('verify tests one endpoint and marks it', async () => {
  const { client } = await harness.createWorkspace()
  const second = await add(client)
  expect((await client.post(`/webhooks/endpoints/${second.id}/verify`)).body).toMatchObject({
    delivered: true,
  })
  expect(await get(client, second.id)).toMatchObject({ verified: true })
  expect((await client.get('/webhooks')).body).toMatchObject({ verified: false })
  const [attempt] = await harness.attempts(client, `?endpointId=${second.id}`)
  expect(attempt).toMatchObject({ eventType: 'webhook.test', endpointId: second.id })
})

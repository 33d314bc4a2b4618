import { expect, test } from 'vitest'
import { sql } from '../platform/db/sql.ts'
import { defaultEventTypes, eventTypes } from './schemas.ts'
import { startEndpoint, status } from './testing/endpoint.ts'
import { eventually, startHarness } from './testing/harness.ts'

const harness = await startHarness()
const { api } = harness
const toViolations = (body: { violations: { field: string; code: string }[] }) =>
  body.violations.map(({ field, code }) => `${field} ${code}`)
const actions = async (tenantId: string) => {
  const rows = await api.deps.db.rows<{ action: string }>(
    sql`select action from audit_log where tenant_id = ${tenantId} and action like 'webhook.%' order by id`,
  )
  return rows.map(row => row.action)
}

test('200 with defaults before the first change', async () => {
  const { owner } = await api.workspace()
  expect(await owner.get('/webhooks')).toMatchObject({
    status: 200,
    body: {
      id: null,
      enabled: false,
      verified: false,
      url: null,
      eventTypes: defaultEventTypes,
      availableEventTypes: eventTypes,
      createdAt: null,
      updatedAt: null,
    },
  })
  expect((await owner.patch('/webhooks', {})).body.enabled).toBe(false)
  expect((await owner.delete('/webhooks')).status).toBe(204)
})

test('200 for partial changes', async () => {
  const { owner, tenantId } = await api.workspace()
  const first = await owner.patch('/webhooks', { url: 'https://example.com/a' })
  expect(first).toMatchObject({ status: 200, body: { enabled: false, url: 'https://example.com/a' } })
  expect(first.body.id).toMatch(/^whs_/)
  const second = await owner.patch('/webhooks', { enabled: true, eventTypes: ['message.created'] })
  expect(second.body).toMatchObject({
    id: first.body.id,
    enabled: true,
    url: 'https://example.com/a',
    eventTypes: ['message.created'],
    createdAt: first.body.createdAt,
  })
  expect((await owner.get('/webhooks')).body).toEqual(second.body)
  const same = await owner.patch('/webhooks', { enabled: true })
  expect(same.body).toEqual(second.body)
  expect(await actions(tenantId)).toEqual(['webhook.changed', 'webhook.changed'])
})

test('settings, keys and attempts are separate per workspace', async () => {
  const [a, b] = [await api.workspace(), await api.workspace()]
  await a.owner.patch('/webhooks', { url: 'https://example.com/a' })
  await a.owner.get('/webhooks/signing-keys')
  expect((await b.owner.get('/webhooks')).body.url).toBeNull()
  expect((await b.owner.get('/webhooks/attempts')).body).toEqual({ attempts: [], nextPageToken: null })
  expect((await b.owner.post('/webhooks/signing-keys/rotate')).status).toBe(409)
})

test('400 for invalid settings', async () => {
  const { owner } = await api.workspace()
  const refused = async (body: object) => {
    const answer = await owner.patch('/webhooks', body)
    expect(answer.status, JSON.stringify(body)).toBe(400)
    return toViolations(answer.body)
  }
  expect(await refused({ enabled: true })).toEqual(['url required'])
  for (const url of [
    'ftp://example.com/',
    'example.com',
    'https://',
    'https://a b',
    'https://user:pw@example.com/',
  ])
    expect(await refused({ url })).toEqual(['url invalid_url'])
  for (const url of [
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://0x0a000001/',
    'http://[::ffff:10.0.0.1]/',
  ])
    expect(await refused({ url })).toEqual(['url forbidden_address'])
  expect(await refused({ eventTypes: ['contact.exploded'] })).toEqual(['eventTypes[0] invalid_value'])
  expect(await refused({ eventTypes: ['webhook.test'] })).toEqual(['eventTypes[0] invalid_value'])
  expect(await refused({ uri: 'https://example.com' })).toEqual(['uri unknown_property'])
  expect((await owner.get('/webhooks')).body.id).toBeNull()
})

test('verify delivers and logs a test event, and verifies only the saved URL until it changes', async () => {
  const { owner, tenantId } = await api.workspace()
  const [saved, other] = [await startEndpoint(), await startEndpoint()]
  await owner.patch('/webhooks', { url: saved.url })
  const elsewhere = await owner.post('/webhooks/verify', { url: other.url })
  expect(elsewhere).toMatchObject({ status: 200, body: { delivered: true, statusCode: 200, error: null } })
  expect((await owner.get('/webhooks')).body.verified).toBe(false)
  expect((await owner.post('/webhooks/verify')).body.delivered).toBe(true)
  expect((await owner.get('/webhooks')).body.verified).toBe(true)
  const [test] = saved.received
  expect(test!.event).toMatchObject({ id: test!.id, type: 'webhook.test' })
  const { attempts } = (await owner.get('/webhooks/attempts?eventType=webhook.test')).body
  expect(attempts).toMatchObject([
    {
      eventId: test!.id,
      status: 'succeeded',
      attemptNumber: 1,
      responseStatus: 200,
      signedWithVersions: [1],
    },
    { eventId: other.received[0]!.id, status: 'succeeded' },
  ])
  expect((await owner.patch('/webhooks', { url: saved.url })).body.verified).toBe(true)
  expect((await owner.patch('/webhooks', { url: `${saved.url}2` })).body.verified).toBe(false)
  expect(await harness.pending(tenantId)).toBe(0)
  expect(await actions(tenantId)).toContain('webhook.verified')
  await Promise.all([saved.close(), other.close()])
})

test('verify reports failures; 400 without a URL', async () => {
  const { owner } = await api.workspace()
  expect(await owner.post('/webhooks/verify', {})).toMatchObject({ status: 400 })
  expect(await owner.post('/webhooks/verify', { url: 'http://10.1.1.1/' })).toMatchObject({ status: 400 })
  const endpoint = await startEndpoint(status(500, {}, 'no'))
  await owner.patch('/webhooks', { url: endpoint.url })
  expect((await owner.post('/webhooks/verify')).body).toEqual({
    delivered: false,
    statusCode: 500,
    error: 'the endpoint answered 500',
  })
  await endpoint.close()
  const unreachable = await owner.post('/webhooks/verify')
  expect(unreachable.body).toMatchObject({
    delivered: false,
    statusCode: null,
    error: expect.stringContaining('connect_failed'),
  })
  expect((await owner.get('/webhooks')).body.verified).toBe(false)
  const { attempts } = (await owner.get('/webhooks/attempts?status=failed')).body
  expect(attempts.map((attempt: { responseStatus: number }) => attempt.responseStatus)).toEqual([null, 500])
})

test('204 stops delivery, deletes pending deliveries and keeps attempts and keys', async () => {
  const { client, tenantId, endpoint, key } = await harness.createWorkspace(status(500))
  await harness.emit(tenantId, 3)
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(3))
  expect(await harness.pending(tenantId)).toBe(3)
  expect((await client.delete('/webhooks')).status).toBe(204)
  expect((await client.get('/webhooks')).body).toMatchObject({ id: null, url: null, enabled: false })
  await harness.emit(tenantId)
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
  expect(await harness.attempts(client)).toHaveLength(3)
  expect(endpoint.received).toHaveLength(3)
  const { keys } = (await client.get('/webhooks/signing-keys')).body
  expect(keys).toMatchObject([{ version: 1, last4: key.slice(-4) }])
  expect(await actions(tenantId)).toContain('webhook.deleted')
})

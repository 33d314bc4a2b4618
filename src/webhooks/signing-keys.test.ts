import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { raw, sql } from '../platform/db/sql.ts'
import type { ReceivedCall } from './testing/endpoint.ts'
import { eventually, startHarness } from './testing/harness.ts'

const day = 24 * 3_600_000
const lines: string[] = []
const harness = await startHarness({ logTo: { write: line => lines.push(line) } })
const { api } = harness

/** Verified at the time of sending, because the clock is advanced; that time is now by the clock of the service. */
function isSignedWith(secret: string, { body, headers }: ReceivedCall): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  expect(Math.abs(Number(timestamp) * 1000 - api.deps.clock.now().getTime())).toBeLessThan(300_000)
  const wanted = new Webhook(secret).sign(id!, new Date(Number(timestamp) * 1000), body)
  return signatures!.split(' ').includes(wanted)
}

test('the first list creates a key and returns its plaintext; later lists do not', async () => {
  const { owner } = await api.workspace()
  const { body } = await owner.get('/webhooks/signing-keys')
  expect(body.keys).toEqual([
    {
      id: expect.stringMatching(/^whk_/),
      version: 1,
      status: 'active',
      createdAt: expect.any(String),
      expiresAt: null,
      last4: body.keys[0].plaintextKey.slice(-4),
      plaintextKey: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    },
  ])
  const { plaintextKey: _, ...withoutPlaintext } = body.keys[0]
  expect((await owner.get('/webhooks/signing-keys')).body.keys).toEqual([withoutPlaintext])
})

test('a caller without webhook:update gets no plaintext and does not use up the only reveal', async () => {
  const workspace = await api.workspace()
  const reader = await workspace.key({ scopes: ['webhook:read'] })
  const listed = await reader.get('/webhooks/signing-keys')
  expect(listed).toMatchObject({ status: 200, body: { keys: [{ version: 1, status: 'active' }] } })
  expect(listed.body.keys[0]).not.toHaveProperty('plaintextKey')
  const { body } = await workspace.owner.get('/webhooks/signing-keys')
  expect(body.keys[0].plaintextKey).toMatch(/^whsec_/)
})

test('of concurrent first lists exactly one returns the plaintext', async () => {
  for (let n = 0; n < 5; n++) {
    const { owner } = await api.workspace()
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner.get('/webhooks/signing-keys')))
    expect(new Set(answers.map(answer => answer.body.keys[0].id)).size).toBe(1)
    expect(answers.filter(answer => answer.body.keys[0].plaintextKey)).toHaveLength(1)
  }
})

test('the first list after a verification returns the plaintext', async () => {
  const { endpoint } = await harness.createWorkspace()
  const { owner } = await api.workspace()
  await owner.post('/webhooks/verify', { url: endpoint.url })
  const { body } = await owner.get('/webhooks/signing-keys')
  const [test] = endpoint.received
  expect(() => new Webhook(body.keys[0].plaintextKey).verify(test!.body, test!.headers)).not.toThrow()
})

test('the audit log has a line for the creation, the reveal and each rotation of a key', async () => {
  const workspace = await api.workspace()
  const { owner } = workspace
  const robot = await workspace.key()
  await (await workspace.key({ scopes: ['webhook:read'] })).get('/webhooks/signing-keys')
  const [first] = (await owner.get('/webhooks/signing-keys')).body.keys
  await owner.get('/webhooks/signing-keys')
  const { key } = (await robot.post('/webhooks/signing-keys/rotate')).body
  const { items } = (await owner.get('/audit-log?limit=200')).body
  const lines = items.filter(({ action }: { action: string }) => action.startsWith('webhook.signing_key'))
  expect(lines.reverse()).toMatchObject([
    {
      action: 'webhook.signing_key_created',
      actorType: 'system',
      targetType: 'webhook_signing_key',
      targetId: first.id,
      details: { version: 1 },
    },
    {
      action: 'webhook.signing_key_revealed',
      actorId: owner.id,
      targetId: first.id,
      details: { version: 1 },
    },
    {
      action: 'webhook.signing_key_rotated',
      actorId: robot.id,
      targetId: key.id,
      details: { version: 2, replacedVersion: 1, replacedUntil: expect.any(String) },
    },
  ])
})

test('409 for a rotation without a key', async () => {
  const { owner } = await api.workspace()
  expect(await owner.post('/webhooks/signing-keys/rotate')).toMatchObject({
    status: 409,
    body: { code: 'webhook_signing_key_missing' },
  })
})

test('both keys sign during the overlap, then only the new one', async () => {
  const { client, tenantId, endpoint, key } = await harness.createWorkspace()
  const verifies = (secret: string, n: number) => isSignedWith(secret, endpoint.received[n]!)
  const rotated = await client.post('/webhooks/signing-keys/rotate')
  expect(rotated).toMatchObject({
    status: 200,
    body: { key: { version: 2, status: 'active', expiresAt: null } },
  })
  const newKey = rotated.body.key.plaintextKey
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(1))
  expect([verifies(key, 0), verifies(newKey, 0)]).toEqual([true, true])
  expect((await client.get('/webhooks/signing-keys')).body.keys).toMatchObject([
    { version: 2, status: 'active' },
    { version: 1, status: 'expiring', expiresAt: expect.any(String) },
  ])
  await eventually(async () =>
    expect(await harness.attempts(client)).toMatchObject([{ signedWithVersions: [2, 1] }]),
  )
  harness.advance(day - 60_000)
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(2))
  expect([verifies(key, 1), verifies(newKey, 1)]).toEqual([true, true])
  harness.advance(61_000)
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(3))
  expect([verifies(key, 2), verifies(newKey, 2)]).toEqual([false, true])
  expect((await client.get('/webhooks/signing-keys')).body.keys).toMatchObject([{ version: 2 }])
  await eventually(async () => expect((await harness.attempts(client))[0].signedWithVersions).toEqual([2]))
})

test('HEAD neither creates a key nor reveals it', async () => {
  const { owner, tenantId } = await api.workspace()
  const stored = () => api.deps.db.rows(sql`select revealed from webhook_keys where tenant_id = ${tenantId}`)
  const head = () => owner.request('HEAD', '/webhooks/signing-keys')
  expect(await head()).toMatchObject({ status: 200, body: '' })
  expect(await stored()).toEqual([])
  await owner.post('/webhooks/verify', { url: 'http://127.0.0.1:9/' }) // creates the key
  await head()
  expect(await stored()).toEqual([{ revealed: false }])
  expect((await owner.get('/webhooks/signing-keys')).body.keys[0].plaintextKey).toMatch(/^whsec_/)
})

test('concurrent rotations are serialized and each replaced key keeps its 24 hours; 429 after ten', async () => {
  const { client, tenantId, endpoint } = await harness.createWorkspace()
  const rotate = () => client.post('/webhooks/signing-keys/rotate')
  const answers = await Promise.all(Array.from({ length: 12 }, rotate))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429])
  const refused = answers.find(({ status }) => status === 429)!
  expect(refused.body.code).toBe('too_many_requests')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
  const { keys } = (await client.get('/webhooks/signing-keys')).body
  expect(keys.map((key: { version: number }) => key.version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(1))
  expect(endpoint.received[0]!.headers['webhook-signature']!.split(' ')).toHaveLength(11)
})

test('204 revokes a replaced key immediately; 404 afterwards; 409 for the active key', async () => {
  const { client, tenantId, endpoint, key } = await harness.createWorkspace()
  const { body } = await client.post('/webhooks/signing-keys/rotate')
  const { keys } = (await client.get('/webhooks/signing-keys')).body
  const revoke = (id: string) => client.post(`/webhooks/signing-keys/${id}/revoke`)
  const [active, replaced] = keys.map(({ id }: { id: string }) => id)
  expect(await revoke(active)).toMatchObject({ status: 409, body: { code: 'webhook_signing_key_active' } })
  expect((await revoke(replaced)).status).toBe(204)
  expect(await revoke(replaced)).toMatchObject({
    status: 404,
    body: { code: 'webhook_signing_key_not_found' },
  })
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(1))
  const [call] = endpoint.received
  expect([isSignedWith(body.key.plaintextKey, call!), isSignedWith(key, call!)]).toEqual([true, false])
  const audit = sql`select details from audit_log
    where tenant_id = ${tenantId} and action = 'webhook.signing_key_revoked'`
  expect(await api.deps.db.rows(audit)).toEqual([{ details: { version: 1 } }])
})

test('no plaintext in a repeated response, in the database or in the log', async () => {
  const { client, tenantId, key } = await harness.createWorkspace()
  const headers = { 'idempotency-key': 'rotate-once' }
  const rotated = await client.post('/webhooks/signing-keys/rotate', undefined, headers)
  const replayed = await client.post('/webhooks/signing-keys/rotate', undefined, headers)
  const { plaintextKey, ...withoutPlaintext } = rotated.body.key
  expect(replayed.body).toMatchObject({
    status: 409,
    code: 'idempotency_secret_consumed',
    created: { key: withoutPlaintext },
  })
  expect(replayed.body.created.key.plaintextKey).toBeUndefined()
  await harness.emit(tenantId)
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(1))
  const tables = ['webhook_keys', 'audit_log', 'idempotency_keys', 'webhook_attempts', 'webhook_settings']
  const stored = await Promise.all(
    tables.map(table => api.deps.db.rows(sql`select stored::text from ${raw(table)} stored`)),
  )
  expect(stored.flat().length).toBeGreaterThan(0)
  for (const secret of [key, plaintextKey]) {
    const bare = secret.replace('whsec_', '')
    for (const text of [JSON.stringify(stored), lines.join('')]) expect(text).not.toContain(bare)
  }
  expect(lines.length).toBeGreaterThan(0)
})

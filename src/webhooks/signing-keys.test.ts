import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { raw, sql } from '../platform/db/sql.ts'
import { eventually, startHarness } from './testing/harness.ts'

const day = 24 * 3_600_000
const lines: string[] = []
const rig = await startHarness({ logTo: { write: line => lines.push(line) } })
const { api } = rig

test('the first list makes a key and shows it; no later one does', async () => {
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
  const { plaintextKey: _, ...shown } = body.keys[0]
  expect((await owner.get('/webhooks/signing-keys')).body.keys).toEqual([shown])
})

test('of many first lists at once, exactly one has the plaintext', async () => {
  for (let n = 0; n < 5; n++) {
    const { owner } = await api.workspace()
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner.get('/webhooks/signing-keys')))
    expect(new Set(answers.map(answer => answer.body.keys[0].id)).size).toBe(1)
    expect(answers.filter(answer => answer.body.keys[0].plaintextKey)).toHaveLength(1)
  }
})

test('a key made by a verification is shown by the first list after it', async () => {
  const { endpoint: receiver } = await rig.createWorkspace()
  const { owner } = await api.workspace()
  await owner.post('/webhooks/verify', { url: receiver.url })
  const { body } = await owner.get('/webhooks/signing-keys')
  const [test] = receiver.received
  expect(() => new Webhook(body.keys[0].plaintextKey).verify(test!.body, test!.headers)).not.toThrow()
})

test('409 for a rotation before there is a key', async () => {
  const { owner } = await api.workspace()
  expect(await owner.post('/webhooks/signing-keys/rotate')).toMatchObject({
    status: 409,
    body: { code: 'webhook_signing_key_missing' },
  })
})

test('while they overlap both keys sign, afterwards the new one alone', async () => {
  const { client, tenantId, endpoint: receiver, key } = await rig.createWorkspace()
  const verifies = (secret: string, n: number) => {
    const { body, headers } = receiver.received[n]!
    // Judged at the time it was sent: here the clock is moved.
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
    const wanted = new Webhook(secret).sign(id!, new Date(Number(timestamp) * 1000), body)
    return signatures!.split(' ').includes(wanted)
  }
  const rotated = await client.post('/webhooks/signing-keys/rotate')
  expect(rotated).toMatchObject({
    status: 200,
    body: { key: { version: 2, status: 'active', expiresAt: null } },
  })
  const fresh = rotated.body.key.plaintextKey
  await rig.emit(tenantId)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const [first] = receiver.received
  for (const secret of [key, fresh])
    expect(() => new Webhook(secret).verify(first!.body, first!.headers)).not.toThrow()
  expect((await client.get('/webhooks/signing-keys')).body.keys).toMatchObject([
    { version: 2, status: 'active' },
    { version: 1, status: 'expiring', expiresAt: expect.any(String) },
  ])
  await eventually(async () =>
    expect(await rig.attempts(client)).toMatchObject([{ signedWithVersions: [2, 1] }]),
  )
  rig.advance(day - 60_000)
  await rig.emit(tenantId)
  await eventually(() => expect(receiver.received).toHaveLength(2))
  expect([verifies(key, 1), verifies(fresh, 1)]).toEqual([true, true])
  rig.advance(61_000)
  await rig.emit(tenantId)
  await eventually(() => expect(receiver.received).toHaveLength(3))
  expect([verifies(key, 2), verifies(fresh, 2)]).toEqual([false, true])
  expect((await client.get('/webhooks/signing-keys')).body.keys).toMatchObject([{ version: 2 }])
  await eventually(async () => expect((await rig.attempts(client))[0].signedWithVersions).toEqual([2]))
})

test('rotations at once follow each other; a few old keys sign along', async () => {
  const { client, tenantId, endpoint: receiver } = await rig.createWorkspace()
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => client.post('/webhooks/signing-keys/rotate')),
  )
  expect(answers.map(answer => answer.status)).toEqual(Array(9).fill(200))
  expect(new Set(answers.map(answer => answer.body.key.version))).toEqual(
    new Set([2, 3, 4, 5, 6, 7, 8, 9, 10]),
  )
  const { keys } = (await client.get('/webhooks/signing-keys')).body
  expect(keys.map((one: { version: number }) => one.version)).toEqual([10, 9, 8, 7, 6, 5])
  await rig.emit(tenantId)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received[0]!.headers['webhook-signature']!.split(' ')).toHaveLength(6)
})

test('no plaintext in a repeated answer, in the database or in the log', async () => {
  const { client, tenantId, key } = await rig.createWorkspace()
  const headers = { 'idempotency-key': 'rotate-once' }
  const rotated = await client.post('/webhooks/signing-keys/rotate', undefined, headers)
  const replayed = await client.post('/webhooks/signing-keys/rotate', undefined, headers)
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  const { plaintextKey, ...shown } = rotated.body.key
  expect(replayed.body).toEqual({ key: shown })
  await rig.emit(tenantId)
  await eventually(async () => expect(await rig.attempts(client)).toHaveLength(1))
  const tables = ['webhook_keys', 'audit_log', 'idempotency_keys', 'webhook_attempts', 'webhook_settings']
  const stored = await Promise.all(
    tables.map(table => api.deps.db.rows(sql`select one::text from ${raw(table)} one`)),
  )
  expect(stored.flat().length).toBeGreaterThan(0)
  for (const secret of [key, plaintextKey]) {
    const bare = secret.replace('whsec_', '')
    for (const text of [JSON.stringify(stored), lines.join('')]) expect(text).not.toContain(bare)
  }
  expect(lines.length).toBeGreaterThan(0)
})

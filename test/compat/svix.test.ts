/** Tests webhook deliveries with Svix's library, another implementation of Standard Webhooks. */
import { expect, test } from 'vitest'
import { eventually, startHarness } from '../../src/webhooks/testing/harness.ts'
import { load } from './packages.ts'

const harness = await startHarness()
const { Webhook } = await load('svix')

test('accepts deliveries during and after a key rotation, and rejects altered ones', async () => {
  const { client, tenantId, endpoint, key } = await harness.createWorkspace()
  const verify = (secret: string, n: number, body = endpoint.received[n]!.body, altered = {}) =>
    new Webhook(secret).verify(body, { ...endpoint.received[n]!.headers, ...altered })
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(1))
  expect(verify(key, 0)).toEqual(endpoint.received[0]!.event)

  const fresh = (await client.post('/webhooks/signing-keys/rotate')).body.key.plaintextKey
  expect(() => verify(fresh, 0)).toThrow()
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(2))
  for (const secret of [key, fresh]) expect(verify(secret, 1)).toEqual(endpoint.received[1]!.event)

  const { body, headers } = endpoint.received[1]!
  expect(() => verify(fresh, 1, body.replace('contact', 'contract'))).toThrow()
  expect(() => verify(fresh, 1, body, { 'webhook-id': 'evt_other' })).toThrow()
  const later = String(Number(headers['webhook-timestamp']) + 1)
  expect(() => verify(fresh, 1, body, { 'webhook-timestamp': later })).toThrow()
  expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, 1)).toThrow()
})

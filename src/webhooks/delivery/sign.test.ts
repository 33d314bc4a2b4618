import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { buildSignedHeaders, decodeSecret, newPlaintextKey, sign } from './sign.ts'

const published = {
  key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: Buffer.from('{"test": 2432232314}'),
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('matches the published test vector', () => {
  expect(sign(decodeSecret(published.key), published)).toBe(published.signature)
})

test('keys are whsec_ and 32 random bytes in base64', () => {
  const key = newPlaintextKey()
  expect(key).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(decodeSecret(key)).toHaveLength(32)
  expect(newPlaintextKey()).not.toBe(key)
})

describe('the standardwebhooks library', () => {
  const [old, current, unknown] = [newPlaintextKey(), newPlaintextKey(), newPlaintextKey()]
  const keys = [
    { version: 2, secret: decodeSecret(current), expiresAt: null },
    { version: 1, secret: decodeSecret(old), expiresAt: null },
  ]
  const sign = (body: Buffer, timestamp = Math.floor(Date.now() / 1000)) =>
    buildSignedHeaders(keys, { id: 'evt_1', timestamp, body })

  test('accepts any body with each signing key', () => {
    for (const text of ['{}', '', '{"name":"Żółć 🙂"}', `{"x":"${randomBytes(5000).toString('base64')}"}`]) {
      const body = Buffer.from(text)
      for (const key of [old, current])
        expect(() => new Webhook(key).verify(body, sign(body), { jsonParse: false })).not.toThrow()
    }
  })

  test('rejects other keys, altered content and timestamps that are too old or in the future', () => {
    const body = Buffer.from('{"amount":1}')
    const headers = sign(body)
    const rejects = (key: string, given: Buffer, altered: Record<string, string>) =>
      expect(() => new Webhook(key).verify(given, altered)).toThrow()
    rejects(unknown, body, headers)
    rejects(current, Buffer.from('{"amount":2}'), headers)
    rejects(current, Buffer.from('{"amount":1} '), headers)
    rejects(current, body, { ...headers, 'webhook-id': 'evt_2' })
    rejects(current, body, {
      ...headers,
      'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1),
    })
    rejects(current, body, sign(body, Math.floor(Date.now() / 1000) - 301))
    rejects(current, body, sign(body, Math.floor(Date.now() / 1000) + 301))
  })
})

/**
 * Signatures of the Standard Webhooks scheme, version 1: HMAC-SHA256 over `id.timestamp.body` with the exact bytes of the
 * body. All valid keys sign, so that an endpoint can switch to a new key at any time.
 */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export interface SigningSecret {
  version: number
  secret: Buffer
  expiresAt: string | null
}

export function newPlaintextKey(): string {
  return prefix + randomBytes(32).toString('base64')
}

export function decodeSecret(plaintextKey: string): Buffer {
  return Buffer.from(plaintextKey.replace(prefix, ''), 'base64')
}

export interface SignedContent {
  id: string
  /** Unix seconds. */
  timestamp: number
  body: Buffer
}

export function sign(secret: Buffer, { id, timestamp, body }: SignedContent): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

export function buildSignedHeaders(
  keys: readonly SigningSecret[],
  signed: SignedContent,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': keys.map(key => sign(key.secret, signed)).join(' '),
  }
}

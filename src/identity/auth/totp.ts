/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds, as authenticator apps expect. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../platform/encryption/keys.ts'

const stepMs = 30_000
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(part => base32[Number.parseInt(part.padEnd(5, '0'), 2)]).join('')
}

export const getStep = (now: Date): number => Math.floor(now.getTime() / stepMs)

export function computeCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest[19]! & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Finds the time step of a code: the current one, or one before or after it, for clocks that differ. */
export function findStep(secret: Buffer, code: string, now: Date): number | undefined {
  const current = getStep(now)
  return [current, current - 1, current + 1].find(step => isSameSecret(code, computeCode(secret, step)))
}

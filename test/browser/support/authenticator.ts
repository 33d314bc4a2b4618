/** Stands in for an authenticator app. */
import { computeCode, getStep } from '../../../src/identity/auth/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Computes the code that an authenticator app shows, `steps` of 30 seconds from now. */
export function showCode(secret: string, steps = 0): string {
  const bits = [...secret].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  return computeCode(bytes, getStep(new Date()) + steps)
}

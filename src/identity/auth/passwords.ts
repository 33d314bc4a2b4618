/**
 * Password hashes (argon2id), a bounded number at a time and a bounded number waiting, so that a flood of logins cannot
 * take the machine.
 */
import { hash, verify } from '@node-rs/argon2'
import { createConcurrencyLimit } from '../turns.ts'

const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const limitConcurrency = createConcurrencyLimit(2, 200)

/** The same password typed on another keyboard may arrive in another form of the same characters. */
const normalizePassword = (password: string): string => password.normalize('NFKC')

export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(normalizePassword(password), argon2Options))
}

let decoyHash: Promise<string> | undefined

/** With no hash to compare, the same work is done against one that nothing matches. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoyHash ??= hash('no account has this password', argon2Options)
  const hashToVerify = stored ?? (await decoyHash)
  const matches = await limitConcurrency(() => verify(hashToVerify, normalizePassword(password)))
  return stored !== null && matches
}

/**
 * Password hashes (argon2id). Concurrency and queue length are bounded, so that a flood of logins cannot occupy the
 * machine.
 */
import { hash, verify } from '@node-rs/argon2'
import { fail, Unavailable } from '../../platform/errors.ts'

const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const limitConcurrency = createConcurrencyLimit(2, 200)

/** Keyboards may send the same characters in different Unicode forms. */
const normalizePassword = (password: string): string => password.normalize('NFKC')

export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(normalizePassword(password), argon2Options))
}

let decoyHash: Promise<string> | undefined

/** Without a stored hash the same work is done with a decoy, so that response times do not reveal accounts. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoyHash ??= hash('no account has this password', argon2Options)
  const hashToVerify = stored ?? (await decoyHash)
  const matches = await limitConcurrency(() => verify(hashToVerify, normalizePassword(password)))
  return stored !== null && matches
}

/** Runs up to `concurrency` calls at a time in order of arrival. Throws 503 if more than `maxQueued` wait. */
export function createConcurrencyLimit(concurrency: number, maxQueued: number) {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.length >= maxQueued)
      fail(Unavailable, 'too many logins; try again shortly', { headers: { 'retry-after': '5' } })
    if (running < concurrency) running++
    else await new Promise<void>(resolve => queue.push(resolve))
    try {
      return await work()
    } finally {
      // Hands the slot to the first in the queue, so that no newcomer can take it.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}

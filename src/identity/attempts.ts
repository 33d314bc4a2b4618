/**
 * How often a password may be tried: few times from one network at one account, more from one network at all accounts,
 * and at one account from everywhere. Kept in the database, so that neither a restart nor more processes give more tries.
 */
import { createHmac } from 'node:crypto'
import type { Deps } from '../platform/deps.ts'
import { fail, TooManyRequests } from '../platform/errors.ts'
import { networkOf } from '../platform/http/network.ts'
import { comparable } from './comparable.ts'
import { type AttemptBucket, giveBackAttempt, hasLoginFrom, takeAttempt } from './store/logins.ts'
import type { Credentials } from './store/users.ts'
import { hashSecret } from './tokens.ts'

export interface Attempt {
  email: string
  password: string
  tenantId?: string
  address: string
}

const minute = 1 / 60

/** Refuses with 429, or gives how to take the attempt back: a login that succeeds costs nothing. */
export async function takeTurn(deps: Deps, { email, address }: Attempt): Promise<() => Promise<unknown>> {
  const network = networkOf(address)
  const taken: AttemptBucket[] = []
  const giveBack = () => Promise.all(taken.map(bucket => giveBackAttempt(deps.db, bucket.key)))
  // In this order, so that whoever has no tries left cannot fill the table with accounts that do not exist.
  for (const bucket of [
    { key: bucketKey('network', network), burst: 100, perSecond: 10 * minute },
    { key: bucketKey('both', network, email), burst: 10, perSecond: minute },
  ]) {
    if (await takeAttempt(deps.db, bucket)) taken.push(bucket)
    else {
      await giveBack()
      tooMany(bucket)
    }
  }
  return giveBack
}

/**
 * Once the tries at an account from everywhere are used up, only networks from which it has been logged in to are
 * heard: strangers with many addresses can neither guess on nor lock its owner out.
 */
export async function heardAccounts(
  deps: Deps,
  { email, address }: Attempt,
  candidates: Credentials[],
): Promise<Credentials[]> {
  const bucket = { key: bucketKey('account', email), burst: 50, perSecond: 3 * minute }
  if (await takeAttempt(deps.db, bucket)) return candidates
  const origin = originOf(deps, address)
  const known = await Promise.all(
    candidates.map(account => hasLoginFrom(deps.db, account.tenantId, account.id, origin)),
  )
  if (!known.includes(true)) tooMany(bucket)
  return candidates.filter((_, i) => known[i])
}

export function originOf(deps: Deps, address: string): Buffer {
  return createHmac('sha256', deps.keys.current('login-origins')).update(networkOf(address)).digest()
}

function bucketKey(...parts: string[]): Buffer {
  return hashSecret(parts.map(comparable).join(' '))
}

function tooMany({ perSecond }: AttemptBucket): never {
  const wait = Math.ceil(1 / perSecond)
  return fail(TooManyRequests, `too many login attempts; try again in ${wait} s`, {
    headers: { 'retry-after': String(wait) },
  })
}

/**
 * How often a password may be tried: few times from one network at one account, more from one network at all accounts,
 * and at one account from everywhere. Kept in the database, so that neither a restart nor more processes give more tries.
 */
import { createHmac } from 'node:crypto'
import type { Deps } from '../../platform/deps.ts'
import { fail, TooManyRequests } from '../../platform/errors.ts'
import { toClientNetwork } from '../../platform/http/rate-limit.ts'
import { normalize } from '../comparable.ts'
import { type AttemptBucket, hasSessionFrom, refundBucket, takeFromBucket } from '../store/auth-sessions.ts'
import type { Credentials } from '../store/users.ts'
import { hashSecret } from './tokens.ts'

export interface LoginAttempt {
  email: string
  password: string
  tenantId?: string
  address: string
}

const minute = 1 / 60

/** Refuses with 429, or gives how to take the attempt back: a login that succeeds costs nothing. */
export async function takeAttempt(
  deps: Deps,
  { email, address }: LoginAttempt,
): Promise<() => Promise<unknown>> {
  const network = toClientNetwork(address)
  const taken: AttemptBucket[] = []
  const refund = () => Promise.all(taken.map(bucket => refundBucket(deps.db, bucket.key)))
  // In this order, so that whoever has no tries left cannot fill the table with accounts that do not exist.
  for (const bucket of [
    { key: hashBucketKey('network', network), burst: 100, perSecond: 10 * minute },
    { key: hashBucketKey('both', network, email), burst: 10, perSecond: minute },
  ]) {
    if (await takeFromBucket(deps.db, bucket)) taken.push(bucket)
    else {
      await refund()
      failTooManyAttempts(bucket)
    }
  }
  return refund
}

/**
 * Once the tries at an account from everywhere are used up, only networks from which it has been logged in to are
 * heard: strangers with many addresses can neither guess on nor lock its owner out.
 */
export async function filterAllowedAccounts(
  deps: Deps,
  { email, address }: LoginAttempt,
  candidates: Credentials[],
): Promise<Credentials[]> {
  const bucket = { key: hashBucketKey('account', email), burst: 50, perSecond: 3 * minute }
  if (await takeFromBucket(deps.db, bucket)) return candidates
  const origin = hashOrigin(deps, address)
  const isKnownOrigin = await Promise.all(
    candidates.map(account => hasSessionFrom(deps.db, account.tenantId, account.id, origin)),
  )
  if (!isKnownOrigin.includes(true)) failTooManyAttempts(bucket)
  return candidates.filter((_, i) => isKnownOrigin[i])
}

export function hashOrigin(deps: Deps, address: string): Buffer {
  return createHmac('sha256', deps.keys.current('login-origins')).update(toClientNetwork(address)).digest()
}

function hashBucketKey(...parts: string[]): Buffer {
  return hashSecret(parts.map(normalize).join(' '))
}

function failTooManyAttempts({ perSecond }: AttemptBucket): never {
  const wait = Math.ceil(1 / perSecond)
  return fail(TooManyRequests, `too many login attempts; try again in ${wait} s`, {
    headers: { 'retry-after': String(wait) },
  })
}

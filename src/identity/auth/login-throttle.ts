/**
 * Limits login attempts: few from one network on one account, more from one network on all accounts, and more on one
 * account from all networks. The token buckets are in the database, so that restarts and further processes give no
 * further attempts.
 */
import { createHmac } from 'node:crypto'
import type { Deps } from '../../platform/deps.ts'
import { fail, TooManyRequests } from '../../platform/errors.ts'
import { toClientNetwork } from '../../platform/http/rate-limit.ts'
import { type AttemptBucket, hasSessionFrom, refundBucket, takeFromBucket } from '../store/auth-sessions.ts'
import { type Credentials, normalize } from '../store/users.ts'
import { hashSecret } from './tokens.ts'

export interface LoginAttempt {
  email: string
  password: string
  tenantId?: string
  address: string
}

const minute = 1 / 60

/** Takes one attempt or throws 429. Returns a function that refunds it: a successful login costs nothing. */
export async function takeAttempt(
  deps: Deps,
  { email, address }: LoginAttempt,
): Promise<() => Promise<unknown>> {
  const network = toClientNetwork(address)
  const taken: AttemptBucket[] = []
  const refund = () => Promise.all(taken.map(bucket => refundBucket(deps.db, bucket.key)))
  // In this order, so that a client without attempts cannot fill the table with buckets of unknown accounts.
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
 * Returns the accounts that this attempt may try. When the attempts on an account from all networks are used up, only
 * networks with an earlier login to it are allowed: attackers with many addresses can neither continue nor lock its
 * owner out.
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

/**
 * Limits login attempts: few from one network on one account, more from one network on all accounts, and more on one
 * account from all networks. When one of the latter two is used up, only networks with an earlier login to an account
 * are allowed: an attacker can neither continue nor lock out the account's owner, also behind the same proxy. The token
 * buckets are in the database, so that restarts and further processes give no further attempts.
 */
import { createHmac } from 'node:crypto'
import type { Deps } from '../../platform/deps.ts'
import { fail, TooManyRequests } from '../../platform/errors.ts'
import { toClientNetwork } from '../../platform/http/rate-limit.ts'
import { returnToken, takeToken } from '../../platform/limits/stored-buckets.ts'
import type { TokenRate } from '../../platform/limits/token-bucket.ts'
import { hasSessionFrom } from '../store/auth-sessions.ts'
import { type Credentials, normalize } from '../store/users.ts'
import { hashSecret } from './tokens.ts'

export interface LoginAttempt {
  email: string
  password: string
  tenantId?: string
  address: string
}

const minute = 1 / 60

interface AttemptBucket extends TokenRate {
  key: string
}

type Account = Pick<Credentials, 'tenantId' | 'id'>

export interface TakenAttempt<A> {
  /** The accounts that the attempt may try. */
  allowed: A[]
  /** A successful login costs nothing. */
  refund: () => Promise<unknown>
}

/** Takes one attempt of the network or throws 429. */
export async function takeAttempt<A extends Account>(
  deps: Deps,
  attempt: LoginAttempt,
  candidates: A[],
): Promise<TakenAttempt<A>> {
  const network = toClientNetwork(attempt.address)
  const all = { key: hashBucketKey('network', network), burst: 100, perSecond: 10 * minute }
  const both = { key: hashBucketKey('both', network, attempt.email), burst: 10, perSecond: minute }
  // In this order, so that a client without attempts cannot fill the table with buckets of unknown accounts.
  const hasAttempts = await takeToken(deps.db, all.key, all)
  const allowed = hasAttempts ? candidates : await filterKnownOrigin(deps, attempt, candidates, all)
  const taken = hasAttempts ? [all] : []
  const refund = () => Promise.all(taken.map(bucket => returnToken(deps.db, bucket.key, bucket)))
  if (!(await takeToken(deps.db, both.key, both))) {
    await refund()
    failTooManyAttempts(both)
  }
  taken.push(both)
  return { allowed, refund }
}

/** Returns the accounts that this attempt may try after the attempts of other networks. */
export async function filterAllowedAccounts(
  deps: Deps,
  attempt: LoginAttempt,
  candidates: Credentials[],
): Promise<Credentials[]> {
  const bucket = { key: hashBucketKey('account', attempt.email), burst: 50, perSecond: 3 * minute }
  if (await takeToken(deps.db, bucket.key, bucket)) return candidates
  return filterKnownOrigin(deps, attempt, candidates, bucket)
}

/** Returns the accounts with an earlier login from the network of the attempt; throws 429 if there is none. */
async function filterKnownOrigin<A extends Account>(
  deps: Deps,
  { address }: LoginAttempt,
  candidates: A[],
  bucket: AttemptBucket,
): Promise<A[]> {
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

/** Hashed, so that the table names no account. */
export function hashBucketKey(...parts: string[]): string {
  return `login ${hashSecret(parts.map(normalize).join(' ')).toString('base64url')}`
}

function failTooManyAttempts({ perSecond }: AttemptBucket): never {
  const wait = Math.ceil(1 / perSecond)
  return fail(TooManyRequests, `too many login attempts; try again in ${wait} s`, {
    headers: { 'retry-after': String(wait) },
  })
}

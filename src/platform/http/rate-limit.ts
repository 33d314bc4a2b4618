/** Token buckets in memory, one per caller. Each process counts for itself: the limit protects a process. */
import { LRUCache } from 'lru-cache'
import { Problem, TooManyRequests } from '../errors.ts'

export interface RatePolicy {
  name: string
  perSecond: number
  burst: number
}

interface Bucket {
  tokens: number
  at: number
}

export interface RateLimit {
  /** Takes one token; the headers tell how many are left. Throws 429 when there is none. */
  take(key: string): Record<string, string>
}

export function createRateLimit(policy: RatePolicy, maxKeys = 50_000): RateLimit {
  // It sets its whole size aside at once, so it is not made before somebody comes.
  let buckets: LRUCache<string, Bucket> | undefined
  const window = Math.max(1, Math.ceil(policy.burst / policy.perSecond))
  const policyField = `"${policy.name}";q=${policy.burst};w=${window}`
  return {
    take(key) {
      const now = performance.now()
      buckets ??= new LRUCache<string, Bucket>({ max: maxKeys })
      let bucket = buckets.get(key)
      if (!bucket) {
        bucket = { tokens: policy.burst, at: now }
        buckets.set(key, bucket)
      }
      bucket.tokens = Math.min(policy.burst, bucket.tokens + ((now - bucket.at) / 1000) * policy.perSecond)
      bucket.at = now
      const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / policy.perSecond))
      if (bucket.tokens < 1) {
        const headers = {
          'retry-after': String(wait),
          'ratelimit-policy': policyField,
          ratelimit: `"${policy.name}";r=0;t=${wait}`,
        }
        throw new Problem(TooManyRequests, { detail: `try again in ${wait} s`, headers })
      }
      bucket.tokens -= 1
      const remaining = Math.floor(bucket.tokens)
      return { 'ratelimit-policy': policyField, ratelimit: `"${policy.name}";r=${remaining};t=${window}` }
    },
  }
}

/** Rate limits of HTTP callers. Each process counts separately: the limit protects a process. */
import ipaddr from 'ipaddr.js'
import { Problem, TooManyRequests } from '../errors.ts'
import { tokenBuckets } from '../limits/token-bucket.ts'

export interface RatePolicy {
  name: string
  perSecond: number
  burst: number
}

export interface RateLimit {
  /** Takes one token and returns the RateLimit headers. Throws 429 if the bucket is empty. */
  take(key: string): Record<string, string>
}

export function createRateLimit(policy: RatePolicy, maxKeys = 50_000): RateLimit {
  const buckets = tokenBuckets(policy, maxKeys)
  const window = Math.max(1, Math.ceil(policy.burst / policy.perSecond))
  const policyField = `"${policy.name}";q=${policy.burst};w=${window}`
  return {
    take(key) {
      const { taken, remaining, waitMs } = buckets.take(key)
      if (taken) {
        return { 'ratelimit-policy': policyField, ratelimit: `"${policy.name}";r=${remaining};t=${window}` }
      }
      const wait = Math.max(1, Math.ceil(waitMs / 1000))
      const headers = {
        'retry-after': String(wait),
        'ratelimit-policy': policyField,
        ratelimit: `"${policy.name}";r=0;t=${wait}`,
      }
      throw new Problem(TooManyRequests, { detail: `try again in ${wait} s`, headers })
    },
  }
}

/**
 * Returns the network that limits per address count as one client: the IPv4 address, or the IPv6 /64, which is the
 * smallest block a customer gets and can choose addresses from.
 */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}

/**
 * Token buckets. The state of a bucket is one number, the time until which its rate is reserved: a bucket is full when
 * that time has passed and empty when it is `burst` tokens ahead of now. `readBucket` is the arithmetic for states that
 * are persisted elsewhere, `tokenBuckets` keeps the states of many keys in memory. Times are milliseconds.
 */
import { LRUCache } from 'lru-cache'

export interface TokenRate {
  perSecond: number
  /** Tokens of a full bucket. */
  burst: number
}

export interface BucketReading {
  /** Tokens available now; fractions count towards the next token. */
  tokens: number
  /** Time until one token is available; 0 when there is one. */
  waitMs: number
  /** The state after `count` tokens are taken. Taking more than there are reserves the future. */
  reserve(count: number): number
}

/** Reads a bucket whose rate is reserved until the given time; `undefined` for a bucket that was never used. */
export function readBucket(
  { perSecond, burst }: TokenRate,
  reservedUntil: number | undefined,
  now: number,
): BucketReading {
  const intervalMs = 1_000 / perSecond
  const from = Math.max(reservedUntil ?? now, now)
  const tokens = burst - (from - now) / intervalMs
  return {
    tokens,
    waitMs: Math.max(0, (1 - tokens) * intervalMs),
    reserve: count => from + count * intervalMs,
  }
}

export interface TakeResult {
  taken: boolean
  /** Tokens left, rounded down. */
  remaining: number
  /** Time until the next token when none was taken. */
  waitMs: number
}

export interface TokenBuckets {
  /** Takes one token of the bucket of a key if it has one. */
  take(key: string, now?: number): TakeResult
}

/** Buckets of one rate, one per key. The least recently used keys beyond `maxKeys` start with a full bucket again. */
export function tokenBuckets(rate: TokenRate, maxKeys = 50_000): TokenBuckets {
  // The cache allocates its whole size when created, so it is created on first use.
  let states: LRUCache<string, number> | undefined
  return {
    take(key, now = performance.now()) {
      states ??= new LRUCache({ max: maxKeys })
      const bucket = readBucket(rate, states.get(key), now)
      // Tolerates the rounding of a token that became available this instant.
      if (bucket.tokens < 1 - 1e-9) return { taken: false, remaining: 0, waitMs: bucket.waitMs }
      states.set(key, bucket.reserve(1))
      return { taken: true, remaining: Math.floor(bucket.tokens - 1 + 1e-9), waitMs: 0 }
    },
  }
}

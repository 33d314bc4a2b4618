import { describe, expect, test } from 'vitest'
import { readBucket, tokenBuckets } from './token-bucket.ts'

describe('readBucket', () => {
  const rate = { perSecond: 2, burst: 3 }

  test('an unused bucket is full', () => {
    expect(readBucket(rate, undefined, 1_000)).toMatchObject({ tokens: 3, waitMs: 0 })
    expect(readBucket(rate, 400, 1_000)).toMatchObject({ tokens: 3, waitMs: 0 })
  })

  test('tokens return at the rate, up to the burst', () => {
    const empty = readBucket(rate, undefined, 0).reserve(3)
    expect(readBucket(rate, empty, 0)).toMatchObject({ tokens: 0, waitMs: 500 })
    expect(readBucket(rate, empty, 250)).toMatchObject({ tokens: 0.5, waitMs: 250 })
    expect(readBucket(rate, empty, 1_000)).toMatchObject({ tokens: 2, waitMs: 0 })
    expect(readBucket(rate, empty, 60_000)).toMatchObject({ tokens: 3, waitMs: 0 })
  })

  test('reserving more than there is delays the next token', () => {
    const ahead = readBucket(rate, undefined, 0).reserve(5)
    expect(readBucket(rate, ahead, 0)).toMatchObject({ tokens: -2, waitMs: 1_500 })
  })
})

describe('tokenBuckets', () => {
  test('a key takes its burst, then one token per interval', () => {
    const buckets = tokenBuckets({ perSecond: 10, burst: 2 })
    expect(buckets.take('a', 0)).toEqual({ taken: true, remaining: 1, waitMs: 0 })
    expect(buckets.take('a', 0)).toEqual({ taken: true, remaining: 0, waitMs: 0 })
    expect(buckets.take('a', 40)).toEqual({ taken: false, remaining: 0, waitMs: expect.closeTo(60) })
    expect(buckets.take('a', 100).taken).toBe(true)
    expect(buckets.take('a', 100).taken).toBe(false)
  })

  test('keys do not share tokens', () => {
    const buckets = tokenBuckets({ perSecond: 1, burst: 1 })
    expect(buckets.take('a', 0).taken).toBe(true)
    expect(buckets.take('b', 0).taken).toBe(true)
    expect(buckets.take('a', 0).taken).toBe(false)
  })

  test('a refused take costs nothing, also over a long time', () => {
    const buckets = tokenBuckets({ perSecond: 3, burst: 5 })
    let taken = 0
    for (let now = 0; now <= 10_000; now += 10) if (buckets.take('a', now).taken) taken++
    expect(taken).toBe(35)
  })

  test('keys beyond the maximum are forgotten, the least recently used first', () => {
    const buckets = tokenBuckets({ perSecond: 1, burst: 1 }, 2)
    for (const key of ['a', 'b', 'c']) expect(buckets.take(key, 0).taken).toBe(true)
    expect(buckets.take('c', 0).taken).toBe(false)
    expect(buckets.take('a', 0).taken).toBe(true)
  })
})

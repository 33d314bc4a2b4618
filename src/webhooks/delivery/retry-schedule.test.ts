import { expect, test } from 'vitest'
import { getRetryDelayMs, parseRetryAfter } from './retry-schedule.ts'

const [s, min, h] = [1_000, 60_000, 3_600_000]

test('ten attempts in about 75 hours with 20 % jitter', () => {
  const wanted = [5 * s, 5 * min, 30 * min, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]
  wanted.forEach((delay, n) => {
    expect(getRetryDelayMs(n + 1, 0, 0)).toBe(delay * 0.8)
    expect(getRetryDelayMs(n + 1, 0, 0.5)).toBe(delay)
    expect(getRetryDelayMs(n + 1, 0, 1)).toBe(Math.round(delay * 1.2))
  })
  expect(getRetryDelayMs(10)).toBeUndefined()
  const drawn = new Set(Array.from({ length: 50 }, () => getRetryDelayMs(2)))
  expect(drawn.size).toBeGreaterThan(10)
})

test('Retry-After lengthens a delay but does not shorten it', () => {
  expect(getRetryDelayMs(1, 90 * s, 0.5)).toBe(90 * s)
  expect(getRetryDelayMs(2, 90 * s, 0.5)).toBe(5 * min)
  expect(getRetryDelayMs(10, 90 * s)).toBeUndefined()
})

test('parses Retry-After in seconds or as a date, at most a day', () => {
  const now = new Date('2026-01-31T10:00:00Z')
  expect(parseRetryAfter('120', now)).toBe(120 * s)
  expect(parseRetryAfter('Sat, 31 Jan 2026 10:05:00 GMT', now)).toBe(5 * min)
  expect(parseRetryAfter('999999999999', now)).toBe(24 * h)
  expect(parseRetryAfter('Sat, 31 Jan 2099 10:05:00 GMT', now)).toBe(24 * h)
  for (const nonsense of [undefined, '', '-5', '1.5', 'soon', '0', 'Sat, 31 Jan 2020 10:05:00 GMT'])
    expect(parseRetryAfter(nonsense, now)).toBeUndefined()
  expect(parseRetryAfter(['60', '70'], now)).toBe(min)
})

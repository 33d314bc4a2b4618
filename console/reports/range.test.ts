import { expect, test } from 'vitest'
import { isValid, lastDays, listDates, parseDate, toInstant } from './range.ts'

test('a day begins at midnight of the zone, also when the clocks change', () => {
  expect(toInstant('2026-01-31', 'UTC')).toBe('2026-01-31T00:00:00.000Z')
  expect(toInstant('2026-01-31', 'Europe/Berlin')).toBe('2026-01-30T23:00:00.000Z')
  expect(toInstant('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
  expect(toInstant('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
  expect(toInstant('2026-06-01', 'Asia/Kolkata')).toBe('2026-05-31T18:30:00.000Z')
  expect(toInstant('2026-11-01', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z')
})

test('the last days end today in the zone', () => {
  const now = Date.parse('2026-02-28T23:30:00Z')
  expect(lastDays(7, 'Asia/Tokyo', now)).toEqual({ from: '2026-02-23', to: '2026-03-01' })
  expect(listDates({ from: '2026-02-27', to: '2026-03-01' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ])
})

test('ranges and dates are checked', () => {
  expect(isValid({ from: '2026-01-02', to: '2026-01-01' })).toBe(false)
  expect(isValid({ from: '2024-01-02', to: '2026-01-01' })).toBe(false)
  expect(isValid({ from: '2026-01-01', to: '2026-01-01' })).toBe(true)
  expect([parseDate('2026-01-01'), parseDate('2026-99-01'), parseDate('x')]).toEqual([
    '2026-01-01',
    undefined,
    undefined,
  ])
})

import { expect, test } from 'vitest'
import { addDays, timezoneViolations, toInstant, toLocalDate } from './timezones.ts'

test.each([
  ['Europe/Madrid', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z', 'skipped'],
  ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:30:00.000Z', 'skipped'],
  ['Europe/Madrid', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z', 'repeated'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00.000Z', 'repeated'],
  ['Asia/Kolkata', '2026-01-31', '09:00', '2026-01-31T03:30:00.000Z', 'ordinary'],
])('%s %s %s is %s (%s)', (timezone, day, time, instant) => {
  expect(toInstant(timezone, day, time).toISOString()).toBe(instant)
})

test('local dates differ from UTC dates, and days cross months', () => {
  expect(toLocalDate('Pacific/Auckland', new Date('2026-01-31T12:00:00Z'))).toBe('2026-02-01')
  expect(toLocalDate('America/Los_Angeles', new Date('2026-02-01T07:59:59Z'))).toBe('2026-01-31')
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
})

test('unknown_timezone for a name that is not a time zone', () => {
  expect(timezoneViolations('timezone', 'Europe/Atlantis')).toMatchObject([{ code: 'unknown_timezone' }])
  expect(timezoneViolations('timezone', 'Europe/Madrid')).toEqual([])
  expect(timezoneViolations('timezone', undefined)).toEqual([])
})

/** Tests the times of a delivery timeline. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { formatExactTime } from './format.ts'

beforeAll(() => void vi.stubGlobal('navigator', { language: 'en-GB', languages: ['en-GB'] }))
afterAll(() => void vi.unstubAllGlobals())

test.each([
  ['2026-11-19T05:40:33.327Z', /^\d\d:\d\d:33\.327$/],
  // The provider reports whole seconds: milliseconds would put its event before ours of the same second.
  ['2026-11-19T05:40:33.000Z', /^\d\d:\d\d:33$/],
])('shown as exactly as it is known: %s', (at, time) => {
  expect(formatExactTime(at)).toMatch(time)
})

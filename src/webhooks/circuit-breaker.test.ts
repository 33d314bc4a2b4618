import { expect, test } from 'vitest'
import {
  type CircuitState,
  circuitAfterFailure,
  closedCircuit,
  isHalfOpen,
  isOpen,
  shouldDisable,
} from './circuit-breaker.ts'

const start = Date.parse('2026-01-31T10:00:00Z')
const at = (ms: number) => new Date(start + ms)
const minute = 60_000
const day = 24 * 60 * minute

function fail(times: number, everyMs: number, health: CircuitState = closedCircuit, from = 0): CircuitState {
  let now = health
  for (let n = 0; n < times; n++) now = circuitAfterFailure(now, at(from + n * everyMs))
  return now
}

test('ten failures in a row, and it is left alone for some seconds, then asked one at a time', () => {
  expect(isHalfOpen(fail(9, 100))).toBe(false)
  const blocked = fail(10, 100)
  expect(isHalfOpen(blocked)).toBe(true)
  expect(isOpen(blocked, at(900 + 3_900))).toBe(true)
  expect(isOpen(blocked, at(900 + 6_100))).toBe(false)
})

test('each further failure doubles the pause, to five minutes at most; those under way before do not count', () => {
  let health = fail(30, 10) // thirty calls that were under way together
  expect(health.backoffLevel).toBe(1)
  const pauses: number[] = []
  let now = 10_000
  for (let n = 0; n < 8; n++) {
    health = circuitAfterFailure(health, at(now))
    pauses.push((Date.parse(health.circuitOpenUntil!) - start - now) / 1000)
    now = Date.parse(health.circuitOpenUntil!) - start + 1
  }
  expect(pauses.map(pause => Math.round(Math.log2(pause / 5)))).toEqual([1, 2, 3, 4, 5, 6, 6, 6])
  expect(Math.max(...pauses)).toBeLessThanOrEqual(360)
})

test('the retries of one event, minutes apart, are no row', () => {
  expect(isHalfOpen(fail(20, 6 * minute))).toBe(false)
})

test('five days of nothing but failures', () => {
  const failing = fail(100, day / 20)
  expect(shouldDisable(failing, at(4.9 * day))).toBe(false)
  expect(shouldDisable(fail(1, 0, failing, 5.01 * day), at(5.01 * day))).toBe(true)
  expect(shouldDisable(closedCircuit, at(9 * day))).toBe(false)
})

test('a failure long after the last one is the first of a new row', () => {
  const again = fail(1, 0, fail(1, 0), 5.1 * day)
  expect(shouldDisable(again, at(5.1 * day))).toBe(false)
})

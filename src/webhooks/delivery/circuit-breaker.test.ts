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

function fail(times: number, everyMs: number, circuit: CircuitState = closedCircuit, from = 0): CircuitState {
  let now = circuit
  for (let n = 0; n < times; n++) now = circuitAfterFailure(now, at(from + n * everyMs))
  return now
}

test('opens for some seconds after ten consecutive failures, then is half-open', () => {
  expect(isHalfOpen(fail(9, 100))).toBe(false)
  const open = fail(10, 100)
  expect(isHalfOpen(open)).toBe(true)
  expect(isOpen(open, at(900 + 3_900))).toBe(true)
  expect(isOpen(open, at(900 + 6_100))).toBe(false)
})

test('each further failure doubles the backoff up to five minutes; calls in flight do not count', () => {
  let circuit = fail(30, 10) // thirty concurrent calls
  expect(circuit.backoffLevel).toBe(1)
  const backoffs: number[] = []
  let now = 10_000
  for (let n = 0; n < 8; n++) {
    circuit = circuitAfterFailure(circuit, at(now))
    backoffs.push((Date.parse(circuit.circuitOpenUntil!) - start - now) / 1000)
    now = Date.parse(circuit.circuitOpenUntil!) - start + 1
  }
  expect(backoffs.map(backoff => Math.round(Math.log2(backoff / 5)))).toEqual([1, 2, 3, 4, 5, 6, 6, 6])
  expect(Math.max(...backoffs)).toBeLessThanOrEqual(360)
})

test('retries of one event, minutes apart, are not consecutive failures', () => {
  expect(isHalfOpen(fail(20, 6 * minute))).toBe(false)
})

test('disables after five days without a success', () => {
  const failing = fail(100, day / 20)
  expect(shouldDisable(failing, at(4.9 * day))).toBe(false)
  expect(shouldDisable(fail(1, 0, failing, 5.01 * day), at(5.01 * day))).toBe(true)
  expect(shouldDisable(closedCircuit, at(9 * day))).toBe(false)
})

test('a failure long after the last one starts a new period', () => {
  const again = fail(1, 0, fail(1, 0), 5.1 * day)
  expect(shouldDisable(again, at(5.1 * day))).toBe(false)
})

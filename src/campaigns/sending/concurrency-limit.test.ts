import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

/** Simulates a system with a latency of `ms` under low load and a throughput of at most `perSecond`. */
function play(ms: number, perSecond: number, seconds: number) {
  const window = createConcurrencyLimit()
  let [now, underWay, done, credit] = [0, 0, 0, 0]
  for (; now < seconds * 1_000; now += 10) {
    credit += Math.min(underWay / ms, perSecond / 1_000) * 10
    const finished = Math.min(Math.floor(credit), underWay)
    credit -= finished
    underWay -= finished
    done += finished
    window.observe(underWay, now)
    if (underWay > window.size() / 2) continue
    const messages = Math.floor((window.size() - underWay) / 3)
    underWay += 3 * messages
    window.recordDispatched(messages)
  }
  const perMs = done / (seconds * 1_000)
  return { size: window.size(), takesMs: underWay / perMs, perSecond: perMs * 1_000 }
}

test('grows in a fast system', () => {
  expect(play(20, 5_000, 50).size).toBeGreaterThan(60)
})

test('does not mistake a slow provider for a queue', () => {
  expect(play(400, 1_000, 600).perSecond).toBeGreaterThan(250)
  expect(play(400, 1_000, 50).size).toBeGreaterThan(50)
})

test.each([50, 110, 1_790])('stays low where more jobs would only queue: after %i seconds', seconds => {
  const { size, takesMs } = play(30, 300, seconds)
  expect(size).toBeLessThan(30)
  expect(takesMs).toBeLessThan(100)
})

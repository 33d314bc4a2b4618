import { expect, it } from 'vitest'
import { SendQueues } from './send-queues.ts'

const number = { sid: 'PN1', type: 'local' as const }

it('lets each message wait for the parts before it', () => {
  const queues = new SendQueues()
  expect([3, 1, 1].map(parts => queues.reserve(number, parts, 0))).toEqual([0, 3000, 4000])
  expect(queues.reserve({ ...number, sid: 'PN2' }, 1, 0)).toBe(0)
  expect(queues.reserve(number, 1, 60_000)).toBe(0)
})

it('refuses with 21611 when it is ten hours long', () => {
  const queues = new SendQueues()
  const tollFree = { sid: 'PN3', type: 'toll-free' as const }
  for (const [who, rate] of [
    [number, 1],
    [tollFree, 3],
  ] as const) {
    for (let parts = 0; parts <= 36_000 * rate; parts += 24) queues.reserve(who, 24, 0)
    expect(() => queues.reserve(who, 1, 0)).toThrow(expect.objectContaining({ code: 21611 }))
    expect(queues.reserve(who, 1, 3_600_000)).toBeLessThan(36_000_000)
  }
})

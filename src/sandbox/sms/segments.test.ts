import { expect, it } from 'vitest'
import { countSegments, SendQueues } from './segments.ts'

it.each([
  ['a', 0, 1],
  ['a', 160, 1],
  ['a', 161, 2],
  ['a', 306, 2],
  ['a', 307, 3],
  ['€', 80, 1],
  ['€', 81, 2],
  ['😀', 35, 1],
  ['😀', 36, 2],
  ['😀', 67, 3],
  ['ç', 70, 1],
  ['ç', 71, 2],
])('counts %s × %i as %i', (char, times, expected) => {
  expect(countSegments(char.repeat(times))).toBe(expected)
})

it('does not split a character of two units', () => {
  expect(countSegments(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toBe(3)
  expect(countSegments(`${'a'.repeat(151)}€${'a'.repeat(153)}`)).toBe(2)
})

const number = { sid: 'PN1', type: 'local' as const }

it('queues a message behind the segments before it', () => {
  const queues = new SendQueues()
  expect([3, 1, 1].map(segments => queues.reserve(number, segments, 0))).toEqual([0, 3000, 4000])
  expect(queues.reserve({ ...number, sid: 'PN2' }, 1, 0)).toBe(0)
  expect(queues.reserve(number, 1, 60_000)).toBe(0)
})

it('21611 when the queue is ten hours long', () => {
  const queues = new SendQueues()
  const tollFree = { sid: 'PN3', type: 'toll-free' as const }
  for (const [sender, rate] of [
    [number, 1],
    [tollFree, 3],
  ] as const) {
    for (let segments = 0; segments <= 36_000 * rate; segments += 24) queues.reserve(sender, 24, 0)
    expect(() => queues.reserve(sender, 1, 0)).toThrow(expect.objectContaining({ code: 21611 }))
    expect(queues.reserve(sender, 1, 3_600_000)).toBeLessThan(36_000_000)
  }
})

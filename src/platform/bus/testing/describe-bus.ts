// biome-ignore-all lint/complexity/noExcessiveLinesPerFunction: a list of tests
/** Tests that every bus must pass. `open` returns two ends, as in two processes, or the same end twice. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../../test/harness/wait.ts'
import type { Bus } from '../bus.ts'

export interface BusEnds {
  a: Bus
  b: Bus
  /** Cuts both ends off for a moment, where there is something to cut. */
  interrupt?: () => Promise<void>
}

export function busContract(
  name: string,
  open: (onError: (error: unknown) => void) => Promise<BusEnds>,
): void {
  describe(name, () => {
    const opened: BusEnds[] = []
    const errors: unknown[] = []
    const ends = async () => {
      const pair = await open(error => errors.push(error))
      opened.push(pair)
      return pair
    }
    afterEach(async () => {
      for (const { a, b } of opened.splice(0)) await Promise.all([a.close(), b.close()])
      errors.length = 0
    })

    test('a message arrives at the other end, for listeners of its topic only', async () => {
      const { a, b } = await ends()
      const received: unknown[] = []
      const other = vi.fn()
      b.subscribe('tea', message => received.push(message))
      b.subscribe('coffee', other)
      a.publish('tea', { cups: 2, note: 'grüner Tee 🍵 "heiß"\\ \u0000' })
      await eventually(() => expect(received).toEqual([{ cups: 2, note: 'grüner Tee 🍵 "heiß"\\ \u0000' }]))
      expect(other).not.toHaveBeenCalled()
    })

    test('listeners of the same process receive a message immediately and once', async () => {
      const { a, b } = await ends()
      const here = vi.fn()
      const there = vi.fn()
      a.subscribe('tea', here)
      b.subscribe('done', there)
      a.publish('tea', { n: 1 })
      expect(here).toHaveBeenCalledTimes(1)
      a.publish('done', {})
      await eventually(() => expect(there).toHaveBeenCalled())
      expect(here).toHaveBeenCalledTimes(1)
    })

    test('messages of a sender arrive in order, also in a burst', async () => {
      const { a, b } = await ends()
      const received: number[] = []
      b.subscribe<{ n: number }>('tea', message => received.push(message.n))
      for (let n = 0; n < 5_000; n++) a.publish('tea', { n })
      await eventually(() => expect(received).toHaveLength(5_000))
      expect(received).toEqual(Array.from({ length: 5_000 }, (_, n) => n))
    })

    test('a message of any size arrives whole', async () => {
      const { a, b } = await ends()
      const received: { text: string }[] = []
      b.subscribe<{ text: string }>('tea', message => received.push(message))
      const texts = [7_800, 7_900, 8_000, 8_001, 200_000].map(n => 'ü'.repeat(n / 2) + 'x'.repeat(n / 2))
      for (const text of texts) a.publish('tea', { text })
      await eventually(() => expect(received).toHaveLength(texts.length))
      expect(received.map(message => message.text)).toEqual(texts)
    })

    test('both ends may publish concurrently', async () => {
      const { a, b } = await ends()
      const received = { a: 0, b: 0 }
      a.subscribe('to-a', () => received.a++)
      b.subscribe('to-b', () => received.b++)
      for (let n = 0; n < 300; n++) {
        a.publish('to-b', { text: 'x'.repeat(n * 50) })
        b.publish('to-a', { text: 'y'.repeat(n * 50) })
      }
      await eventually(() => expect(received).toEqual({ a: 300, b: 300 }))
    })

    test('an unsubscribed listener receives nothing more', async () => {
      const { a, b } = await ends()
      const left = vi.fn()
      const stayed = vi.fn()
      const leave = b.subscribe('tea', left)
      b.subscribe('tea', stayed)
      leave()
      leave()
      a.publish('tea', {})
      await eventually(() => expect(stayed).toHaveBeenCalled())
      expect(left).not.toHaveBeenCalled()
    })

    test('a listener that throws does not affect others and is reported', async () => {
      const { a, b } = await ends()
      const received = vi.fn()
      b.subscribe('tea', () => {
        throw new Error('spilt')
      })
      b.subscribe('tea', received)
      a.publish('tea', {})
      await eventually(() => expect(received).toHaveBeenCalled())
      expect(errors).toMatchObject([{ message: 'spilt' }])
    })

    test('publishing after close is harmless', async () => {
      const { a } = await ends()
      await a.close()
      expect(() => a.publish('tea', {})).not.toThrow()
    })

    test('after an interruption listeners are notified and receive again', async context => {
      const { a, b, interrupt } = await ends()
      if (!interrupt) return context.skip('nothing to interrupt')
      const missed = { a: 0, b: 0 }
      const received = vi.fn()
      a.subscribe(
        'tea',
        () => {},
        () => missed.a++,
      )
      b.subscribe('tea', received, () => missed.b++)
      await interrupt()
      a.publish('tea', { lost: 'perhaps' })
      await eventually(() => expect(Math.min(missed.a, missed.b)).toBeGreaterThan(0))
      await eventually(() => {
        a.publish('tea', { n: 1 })
        expect(received).toHaveBeenCalledWith({ n: 1 })
      })
    })
  })
}

import { fail, Unavailable } from '../platform/errors.ts'

/** Runs so many pieces of work at once and lets so many wait, first come first served; who comes then is turned away. */
export function createConcurrencyLimit(concurrency: number, maxQueued: number) {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.length >= maxQueued)
      fail(Unavailable, 'too many at once; try again shortly', { headers: { 'retry-after': '5' } })
    if (running < concurrency) running++
    else await new Promise<void>(resolve => queue.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever waited longest takes over this very place; nobody can slip in between.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}

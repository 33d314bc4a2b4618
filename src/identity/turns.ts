import { fail, Unavailable } from '../platform/errors.ts'

/** Runs so many pieces of work at once and lets so many wait, first come first served; who comes then is turned away. */
export function turns(atOnce: number, mostWaiting: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= mostWaiting)
      fail(Unavailable, 'too many at once; try again shortly', { headers: { 'retry-after': '5' } })
    if (running < atOnce) running++
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever waited longest takes over this very place; nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

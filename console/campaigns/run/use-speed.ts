/** Measures how fast recipients are dispatched, from the samples of the last seconds. */
import { useEffect, useState } from 'react'

interface Sample {
  at: number
  done: number
}

const windowMs = 15_000

export function toSpeed(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < 500) return undefined
  return ((last.done - first.done) * 1_000) / (last.at - first.at)
}

/** Returns recipients per second; undefined until there are two samples. */
export function useSpeed(done: number | undefined): number | undefined {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    if (done === undefined) return
    const now = Date.now()
    setSamples(before => [...before.filter(({ at }) => now - at < windowMs), { at: now, done }])
  }, [done])
  return toSpeed(samples)
}

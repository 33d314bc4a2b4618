/** Waits and limits that mean the same on a machine that is slow at everything. */
import { spawnSync } from 'node:child_process'
import { vi } from 'vitest'

/** Waiting costs nothing where things work; what is broken fails all the same. */
export const eventually = <T>(check: () => T | Promise<T>, timeout = 90_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 10 })

/** What Node alone takes to start, on a machine for which the limits are meant. */
const usualNodeMs = 60

/** How many times slower this machine is at the moment, by what Node alone takes; 1 where it is not. */
export function getSlowdown(): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - began
  })
  return Math.max(1, times.sort((a, b) => a - b)[2]! / usualNodeMs)
}

/** A limit in milliseconds, as much longer as this machine is slower just now. */
export const within = (ms: number): number => ms * getSlowdown()

/** Waits and time limits that adapt to slow machines. */
import { spawnSync } from 'node:child_process'
import { vi } from 'vitest'

/** Retries the check until it passes. The long timeout delays only failures. */
export const eventually = <T>(check: () => T | Promise<T>, timeout = 90_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 10 })

/** Start time of Node on the machine that the limits are meant for. */
const referenceNodeMs = 60

/** Returns how many times slower this machine is now, measured by the start time of Node; at least 1. */
export function getSlowdown(): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - startedAt
  })
  return Math.max(1, times.sort((a, b) => a - b)[2]! / referenceNodeMs)
}

/** Returns a limit in milliseconds, scaled by the slowdown of this machine. */
export const within = (ms: number): number => ms * getSlowdown()

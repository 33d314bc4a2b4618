/** Waits and time limits that adapt to slow machines. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
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

/** Returns how many processes shared a core during the last minute, in which the measured work ran. */
const getRecentLoad = (): number => loadavg()[0]! / availableParallelism()

/** Returns the ticks that this virtual machine ran, and those in which its host ran others instead. */
function readTicks(): { ran: number; stolen: number } {
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number) as number[]
  return { ran: user! + nice! + system! + irq! + softirq!, stolen: steal! }
}

const ticks = [readTicks()]
setInterval(() => {
  ticks.push(readTicks())
  if (ticks.length > 7) ticks.shift()
}, 10_000).unref()

/** Returns how many times longer work took during the last minute because the host ran other machines. */
function getStolenTime(): number {
  const [first, now] = [ticks[0]!, readTicks()]
  const ran = Math.max(1, now.ran - first.ran)
  return (ran + now.stolen - first.stolen) / ran
}

let measured = { at: Number.NEGATIVE_INFINITY, slowdown: 1 }

/** Returns a limit in milliseconds, scaled by the slowdown of this machine during the last minute. */
export function within(ms: number): number {
  if (performance.now() - measured.at > 5_000) measured = { slowdown: getSlowdown(), at: performance.now() }
  return ms * Math.max(measured.slowdown, getRecentLoad() * getStolenTime())
}

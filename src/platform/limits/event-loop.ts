/** Measures whether the event loop of this process is late. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { defineCache } from '../caches.ts'

const resolutionMs = 10
const periodMs = 200
const lateMs = 10

export interface EventLoopWatch {
  /** Whether timers were more than 10 ms late on average, lately. */
  isLate(): boolean
}

export const eventLoop = defineCache(watchEventLoop)

function watchEventLoop(): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  let readAt = performance.now()
  let late = false
  return {
    isLate() {
      const now = performance.now()
      if (now - readAt < periodMs) return late
      late = delays.mean / 1e6 - resolutionMs > lateMs // the delays include the resolution
      delays.reset()
      readAt = now
      return late
    },
  }
}

/**
 * Logs callbacks that were rejected, with the check that failed and without any part of a secret. One line a minute for
 * each channel, inbox and reason, because anyone can send such requests.
 */
import { LRUCache } from 'lru-cache'
import { defineCache } from '../../platform/caches.ts'
import type { Channel } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'

const windowMs = 60_000

const recentLines = defineCache(
  () => new LRUCache<string, { until: number; suppressed: number }>({ max: 1_000 }),
)

export interface Rejection {
  channel: Channel
  /** Only for an inbox that exists. */
  inboxId?: string
  reason: string
}

export function logRejected(deps: Pick<Deps, 'log' | 'caches'>, rejection: Rejection): void {
  const lines = recentLines(deps)
  const key = JSON.stringify(rejection)
  const recent = lines.get(key)
  const now = performance.now()
  if (recent && now < recent.until) {
    recent.suppressed++
    return
  }
  const suppressed = recent?.suppressed ?? 0
  deps.log.warn({ ...rejection, ...(suppressed > 0 ? { suppressed } : {}) }, 'callback rejected')
  lines.set(key, { until: now + windowMs, suppressed: 0 })
}

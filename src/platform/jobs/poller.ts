/**
 * Fallback poller: promotes due jobs, reclaims expired leases, wakes workers. It runs often while there is work, once a
 * second when idle, and on time for jobs known to become due. Once a second it sweeps, which also finds expired leases.
 */
import type { Deps } from '../deps.ts'
import type { AnyJob } from './job.ts'
import { promoteBatchSize, promoteDueJobs } from './store/claim.ts'

const busyMs = 100
const idleMs = 1_000
const minDelayMs = 5

export interface Poller {
  /** Polls no later than this, because a job becomes due. */
  pollWithin(ms: number): void
  /** Since when there may be ready lanes of a job. */
  readySinceMs(name: string): number
  stop(): void
}

export function startPoller(deps: Deps, jobs: readonly AnyJob[], wake: (job: AnyJob) => void): Poller {
  const names = jobs.map(job => job.name)
  let since = names.map(() => 0)
  let intervalMs = busyMs
  let sweptAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let polling = false
  let stopped = false

  function pollWithin(ms: number): void {
    const at = performance.now() + Math.max(ms, minDelayMs)
    if (stopped || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    if (!polling) timer = setTimeout(() => void poll(), at - performance.now())
  }

  /** Returns the time until the next poll. */
  async function pollOnce(): Promise<number> {
    const now = performance.now()
    const sweep = now - sweptAt >= idleMs - minDelayMs
    const result = await promoteDueJobs(deps.db, names, since, sweep)
    since = result.since_ms
    if (sweep) sweptAt = now
    for (const job of jobs) if (result.ready.includes(job.name)) wake(job)
    intervalMs = result.ready.length > 0 ? busyMs : Math.min(intervalMs * 2, idleMs)
    return result.promoted >= promoteBatchSize
      ? 0
      : Math.min(intervalMs, Math.ceil(result.next_ms ?? idleMs) + 1)
  }

  async function poll(): Promise<void> {
    polling = true
    dueAt = Number.POSITIVE_INFINITY
    const next = await pollOnce().catch(error => {
      deps.log.warn({ err: error }, 'polling for jobs failed')
      return idleMs
    })
    polling = false
    const requested = dueAt - performance.now()
    dueAt = Number.POSITIVE_INFINITY
    pollWithin(Math.min(next, requested))
  }

  if (jobs.length > 0) pollWithin(0)
  return {
    pollWithin,
    readySinceMs: name => since[names.indexOf(name)] ?? 0,
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/**
 * The net under the wake-ups: a look around makes ready what has waited long enough and wakes whoever has something
 * to do. Often while there is work, once a second when idle, and on time for what is known to fall due. Once a second
 * it is a sweep, which also finds the leases of the dead.
 */
import type { Deps } from '../deps.ts'
import type { AnyJob } from './job.ts'
import { promoteBatchSize, promoteDueJobs } from './store/claim.ts'

const busyMs = 100
const idleMs = 1_000
const minDelayMs = 5

export interface Poller {
  /** Something will be due then. */
  pollWithin(ms: number): void
  /** Since when there may be something ready of a name. */
  readySinceMs(name: string): number
  stop(): void
}

export function startPoller(deps: Deps, jobs: readonly AnyJob[], wake: (job: AnyJob) => void): Poller {
  const names = jobs.map(job => job.name)
  let since = names.map(() => 0)
  let rest = busyMs
  let sweptAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let looking = false
  let stopped = false

  function soon(ms: number): void {
    const at = performance.now() + Math.max(ms, minDelayMs)
    if (stopped || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    if (!looking) timer = setTimeout(() => void look(), at - performance.now())
  }

  /** Gives how long to rest. */
  async function lookOnce(): Promise<number> {
    const now = performance.now()
    const sweep = now - sweptAt >= idleMs - minDelayMs
    const found = await promoteDueJobs(deps.db, names, since, sweep)
    since = found.since_ms
    if (sweep) sweptAt = now
    for (const job of jobs) if (found.ready.includes(job.name)) wake(job)
    rest = found.ready.length > 0 ? busyMs : Math.min(rest * 2, idleMs)
    return found.promoted >= promoteBatchSize ? 0 : Math.min(rest, Math.ceil(found.next_ms ?? idleMs) + 1)
  }

  async function look(): Promise<void> {
    looking = true
    dueAt = Number.POSITIVE_INFINITY
    const next = await lookOnce().catch(error => {
      deps.log.warn({ err: error }, 'could not look for jobs')
      return idleMs
    })
    looking = false
    const askedFor = dueAt - performance.now()
    dueAt = Number.POSITIVE_INFINITY
    soon(Math.min(next, askedFor))
  }

  if (jobs.length > 0) soon(0)
  return {
    pollWithin: soon,
    readySinceMs: name => since[names.indexOf(name)] ?? 0,
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}

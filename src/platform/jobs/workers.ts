/**
 * The workers of one process. Each priority has a crew with places of its own, so a flood of bulk work never takes
 * the place of something urgent. A crew is woken by a commit in this process, by the bus for one in another, or by a
 * look around, at least once a second, that misses nothing.
 */
import type { Deps } from '../deps.ts'
import { openCompletionWriter } from './completions.ts'
import { type Cron, startCrons } from './cron.ts'
import { type AnyJob, type Priority, priorities } from './job.ts'
import { openLaneLeases } from './leases.ts'
import { onEnqueued } from './notify.ts'
import { startPoller } from './poller.ts'
import type { Outcome, WorkerContext } from './run.ts'
import { getQueueDepths, type QueueDepth } from './store/claim.ts'
import { startWorkerPool, type WorkerPool } from './worker-pool.ts'

export interface WorkerOptions {
  /** How many lanes of each priority may run at once. */
  concurrency?: Partial<Record<Priority, number>>
  crons?: readonly Cron[]
  /** Told of each run as it ends, for histograms. */
  onRunEnd?: (job: AnyJob, outcome: Outcome, ms: number) => void
}

export interface JobStats extends Record<Outcome, number> {
  name: string
  priority: Priority
  started: number
  running: number
  totalMs: number
}

export interface Workers {
  /** Claims nothing more, lets what runs end within the grace, and gives back what was not begun. */
  stop(graceMs: number): Promise<void>
  /** Something may be ready. */
  wake(): void
  /** Since the start of this process. */
  stats(): JobStats[]
  /** What all processes together have before them. Reads the whole queue: for a scrape, not for decisions. */
  depth(): Promise<Record<Priority, Omit<QueueDepth, 'name'>>>
}

const defaultConcurrency: Record<Priority, number> = { urgent: 128, normal: 64, bulk: 32 }

export function startWorkers(deps: Deps, jobs: readonly AnyJob[], options: WorkerOptions = {}): Workers {
  const known = [...jobs, ...(options.crons ?? []).map(cron => cron.job)]
  const byName = new Map(known.map(job => [job.name, job]))
  if (byName.size < known.length) throw new Error('two jobs have the same name')
  const counts = new Map(known.map(job => [job.name, emptyStats(job)]))
  const leases = openLaneLeases(deps.db, deps.log, known)
  let stopping = false

  const settler = openCompletionWriter({
    db: deps.db,
    log: deps.log,
    onWritten(held, written, remaining) {
      if (remaining === undefined) return held.lost ? undefined : leases.lose(held)
      if (written.step === 'keep') return
      leases.remove(held)
      if (remaining > 0) notify(held.job, written.delayMs)
    },
  })

  const context: WorkerContext = {
    deps,
    leases,
    completions: settler,
    readySinceMs: name => poller.readySinceMs(name),
    isStopping: () => stopping,
    onStart(job) {
      const count = counts.get(job.name)!
      count.started++
      count.running++
    },
    onEnd(job, outcome, ms) {
      const count = counts.get(job.name)!
      count.running--
      count[outcome]++
      count.totalMs += ms
      options.onRunEnd?.(job, outcome, ms)
    },
  }

  const pools = new Map<Priority, WorkerPool>()
  const poller = startPoller(deps, known, job => pools.get(job.priority)!.wake())
  for (const priority of priorities) {
    const mine = known.filter(job => job.priority === priority)
    const places = options.concurrency?.[priority] ?? defaultConcurrency[priority]
    if (mine.length > 0) pools.set(priority, startWorkerPool(context, mine, places))
  }
  const notify = (job: AnyJob, delayMs: number) =>
    delayMs > 0 ? poller.pollWithin(delayMs) : pools.get(job.priority)!.wake()
  const cron = startCrons(deps, options.crons ?? [])
  const wakeAll = () => {
    for (const crew of pools.values()) crew.wake()
  }
  const unsubscribe = onEnqueued(
    deps,
    ({ name, delayMs }) => {
      const job = byName.get(name)
      if (job) notify(job, delayMs)
    },
    wakeAll,
  )

  return {
    async stop(graceMs) {
      stopping = true
      for (const end of [unsubscribe, cron.stop, poller.stop]) end()
      const ended = Promise.all([...pools.values()].map(crew => crew.drain())).then(() => settler.drain())
      await Promise.race([ended, pause(graceMs)])
      leases.close()
    },
    wake: wakeAll,
    stats: () => [...counts.values()].map(count => ({ ...count })),
    depth: async () => sumByPriority(await getQueueDepths(deps.db), byName),
  }
}

function sumByPriority(depths: readonly QueueDepth[], jobs: ReadonlyMap<string, AnyJob>) {
  const none = { ready: 0, leased: 0, scheduled: 0, oldestReadyMs: 0 }
  const sums = { urgent: { ...none }, normal: { ...none }, bulk: { ...none } }
  for (const { name, ready, leased, scheduled, oldestReadyMs } of depths) {
    const sum = sums[jobs.get(name)?.priority ?? 'bulk']
    sum.ready += ready
    sum.leased += leased
    sum.scheduled += scheduled
    sum.oldestReadyMs = Math.max(sum.oldestReadyMs, oldestReadyMs)
  }
  return sums
}

function emptyStats({ name, priority }: AnyJob): JobStats {
  const outcomes = { done: 0, retried: 0, deferred: 0, dead: 0, discarded: 0, lost: 0 }
  return { name, priority, started: 0, running: 0, totalMs: 0, ...outcomes }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}

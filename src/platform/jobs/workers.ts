/**
 * The workers of one process. Each priority has a pool with slots of its own, so bulk jobs never take a slot from urgent
 * ones; background lanes have one too. A pool is woken by a commit in this process, over the bus by a commit in another
 * process, or by the poller, which runs at least once a second and misses nothing.
 */
import type { Deps } from '../deps.ts'
import { openCompletionWriter } from './completions.ts'
import { type Cron, startCrons } from './cron.ts'
import { type AnyJob, type Priority, priorities } from './job.ts'
import { openLaneLeases } from './lanes.ts'
import { onEnqueued } from './notify.ts'
import { startPoller } from './poller.ts'
import { clearSuspect, type Outcome, type WorkerContext } from './run.ts'
import { getQueueDepths, type QueueDepth } from './store/claim.ts'
import { suspectGate } from './suspects.ts'
import { startWorkerPool, type WorkerPool } from './worker-pool.ts'

/** A pool for each priority, and one for background lanes of any priority. */
type PoolName = Priority | 'background'

export interface WorkerOptions {
  /** Lanes of each pool that run concurrently. */
  concurrency?: Partial<Record<PoolName, number>>
  crons?: readonly Cron[]
  /** Called when a run ends, for histograms. */
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
  /** Stops claiming, waits up to the grace period for running jobs, and releases jobs that have not started. */
  stop(graceMs: number): Promise<void>
  /** Makes all pools look for ready lanes. */
  wake(): void
  /** Counters since the start of this process. */
  stats(): JobStats[]
  /** Queue depth over all processes. Reads the whole queue: for metrics, not for decisions. */
  depth(): Promise<Record<Priority, Omit<QueueDepth, 'name'>>>
}

/** Lanes of the background share their statements, so many at a time cost less than few. */
const defaultConcurrency: Record<PoolName, number> = { urgent: 128, normal: 64, bulk: 32, background: 96 }

export function startWorkers(deps: Deps, jobs: readonly AnyJob[], options: WorkerOptions = {}): Workers {
  const allJobs = [...jobs, ...(options.crons ?? []).map(cron => cron.job)]
  const byName = new Map(allJobs.map(job => [job.name, job]))
  if (byName.size < allJobs.length) throw new Error('two jobs have the same name')
  const counts = new Map(allJobs.map(job => [job.name, emptyStats(job)]))
  const leases = openLaneLeases(deps.db, deps.log, allJobs)
  const startedAt = performance.now()
  let stopping = false

  const completions = openCompletionWriter({
    db: deps.db,
    log: deps.log,
    leases,
    onWritten(lane, { step, delayMs }, remaining) {
      if (remaining === undefined) return leases.markLost(lane)
      if (step === 'keep') return
      leases.release(lane)
      if (remaining > 0) notify(lane.job, delayMs)
    },
  })

  const context: WorkerContext = {
    deps,
    leases,
    completions,
    gate: suspectGate(),
    uptimeMs: () => performance.now() - startedAt,
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

  const wakePools = (job: AnyJob) => {
    pools.get(job.priority)!.wake()
    if (job.background) pools.get('background')!.wake()
  }
  const poller = startPoller(deps, allJobs, wakePools)
  const pools = startPools(context, allJobs, { ...defaultConcurrency, ...options.concurrency })
  const notify = (job: AnyJob, delayMs: number) => (delayMs > 0 ? poller.pollWithin(delayMs) : wakePools(job))
  const cron = startCrons(deps, options.crons ?? [])
  const wakeAll = () => {
    for (const pool of pools.values()) pool.wake()
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
      await Promise.race([drain(context, pools), pause(graceMs)])
      leases.close()
    },
    wake: wakeAll,
    stats: () => [...counts.values()].map(count => ({ ...count })),
    depth: async () => sumByPriority(await getQueueDepths(deps.db), byName),
  }
}

async function drain(context: WorkerContext, pools: ReadonlyMap<PoolName, WorkerPool>): Promise<void> {
  await Promise.all([clearSuspect(context), ...[...pools.values()].map(pool => pool.drain())])
  await context.completions.drain()
}

function startPools(
  context: WorkerContext,
  jobs: readonly AnyJob[],
  concurrency: Record<PoolName, number>,
): Map<PoolName, WorkerPool> {
  const pools = new Map<PoolName, WorkerPool>()
  const start = (name: PoolName, own: readonly AnyJob[]) => {
    const options = { concurrency: concurrency[name], background: name === 'background' }
    if (own.length > 0) pools.set(name, startWorkerPool(context, own, options))
  }
  for (const priority of priorities)
    start(
      priority,
      jobs.filter(job => job.priority === priority),
    )
  start(
    'background',
    jobs.filter(job => job.background),
  )
  return pools
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

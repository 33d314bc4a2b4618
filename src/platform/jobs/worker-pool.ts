/** The workers of one priority, or of background lanes: when woken, they claim as many lanes as they have free slots, until none is ready. */
import type { Config } from '../config.ts'
import type { AnyJob } from './job.ts'
import { type LeasedLane, toLeasedLanes } from './lanes.ts'
import { runLane, type WorkerContext } from './run.ts'
import { claimLanes } from './store/claim.ts'

export interface WorkerPool {
  wake(): void
  /** Resolves when everything that runs has ended; to be called after stopping. */
  drain(): Promise<void>
}

export function startWorkerPool(
  context: WorkerContext,
  jobs: readonly AnyJob[],
  { concurrency, background }: { concurrency: number; background: boolean },
): WorkerPool {
  const byName = new Map(jobs.map(job => [job.name, job]))
  const lastTenants = new Map<string, string>()
  const running = new Set<Promise<void>>()
  const shares = createShares(context.deps.config)
  let mayHaveMore = true
  let claiming: Promise<void> | undefined

  async function claimAll(): Promise<void> {
    while (mayHaveMore && running.size < concurrency && !context.isStopping()) {
      const free = concurrency - running.size
      mayHaveMore = false
      const lanes = await context.leases.claim(() => claim(free))
      for (const lane of lanes) admit(lane)
      for (const name of byName.keys())
        lastTenants.set(name, findLastServed(lanes, name, lastTenants.get(name) ?? ''))
      if (lanes.length === free) mayHaveMore = true
    }
  }

  async function claim(limit: number): Promise<LeasedLane[]> {
    const requests = jobs.map(({ name, leaseMs }) => ({
      name,
      background,
      leaseMs,
      afterTenant: lastTenants.get(name) ?? '',
      readySinceMs: context.readySinceMs(name),
      maxPerTenant: byName.get(name)!.maxPerTenant?.(context.deps.config),
    }))
    return toLeasedLanes(await claimLanes(context.deps.db, requests, limit, shares.full()), byName)
  }

  /** Runs a lane, or releases it if the tenant has reached its limit: a claim may take a few lanes too many. */
  function admit(lane: LeasedLane): void {
    if (shares.take(lane)) run(lane)
    else context.completions.report(Object.assign(lane, { step: 'release' }))
  }

  function run(lane: LeasedLane): void {
    const run = runLane(context, lane)
      .catch(error => context.deps.log.error({ err: error, job: lane.job.name }, 'running a job failed'))
      .finally(() => {
        running.delete(run)
        if (shares.end(lane)) mayHaveMore = true
        if (mayHaveMore) start()
      })
    running.add(run)
  }

  function start(): void {
    if (context.isStopping()) return
    claiming ??= nextTick() // slots that become free in the same tick are filled by one claim
      .then(claimAll)
      .catch(error => context.deps.log.warn({ err: error }, 'claiming jobs failed'))
      .finally(() => {
        claiming = undefined
        if (mayHaveMore && running.size < concurrency) start()
      })
  }

  const wake = () => {
    mayHaveMore = true
    start()
  }
  wake()
  return {
    wake,
    async drain() {
      await claiming
      await Promise.all(running)
    },
  }
}

/** Counts the running lanes of jobs that are limited per tenant, by name and tenant. */
function createShares(config: Config) {
  const counts = new Map<string, { count: number; max: number }>()
  const toKey = ({ job, tenantId }: LeasedLane) => `${job.name} ${tenantId}`
  return {
    /** Returns false if the tenant has reached its limit. */
    take(lane: LeasedLane): boolean {
      const max = lane.job.maxPerTenant?.(config)
      if (max === undefined) return true
      const count = counts.get(toKey(lane))?.count ?? 0
      if (count < max) counts.set(toKey(lane), { count: count + 1, max })
      return count < max
    },
    /** Returns whether the job is limited, so that lanes of its tenant may have been left. */
    end(lane: LeasedLane): boolean {
      const share = counts.get(toKey(lane))
      if (!share) return false
      share.count--
      if (share.count === 0) counts.delete(toKey(lane))
      return true
    },
    full: () => [...counts].flatMap(([key, { count, max }]) => (count >= max ? [key] : [])),
  }
}

/** Returns the tenant after which the next claim starts: the last one this claim reached, going round from `start`. */
function findLastServed(lanes: readonly LeasedLane[], name: string, start: string): string {
  const tenants = lanes.filter(lane => lane.job.name === name).map(lane => lane.tenantId)
  const wrapped = tenants.filter(tenant => tenant <= start)
  return (wrapped.length > 0 ? wrapped : tenants).sort().at(-1) ?? start
}

function nextTick(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** Those who work on one priority: when woken, they claim as many lanes as they have free places, until none is left. */
import type { AnyJob } from './job.ts'
import { type LeasedLane, toLeasedLanes } from './leases.ts'
import { runLane, type WorkerContext } from './run.ts'
import { type ClaimedRow, claimLanes } from './store/claim.ts'

export interface WorkerPool {
  wake(): void
  /** After stopping: once all that runs has ended. */
  drain(): Promise<void>
}

export function startWorkerPool(
  context: WorkerContext,
  jobs: readonly AnyJob[],
  concurrency: number,
): WorkerPool {
  const byName = new Map(jobs.map(job => [job.name, job]))
  const after = new Map<string, string>()
  const running = new Set<Promise<void>>()
  let mayHaveMore = true
  let claiming: Promise<void> | undefined

  async function claim(): Promise<void> {
    while (mayHaveMore && running.size < concurrency && !context.isStopping()) {
      const free = concurrency - running.size
      const sentAt = performance.now()
      mayHaveMore = false
      const wanted = jobs.map(({ name, leaseMs }) => ({
        name,
        leaseMs,
        afterTenant: after.get(name) ?? '',
        readySinceMs: context.readySinceMs(name),
      }))
      const rows = await claimLanes(context.deps.db, wanted, free)
      const lanes = toLeasedLanes(rows, byName)
      context.leases.add(lanes, sentAt)
      for (const held of lanes) run(held)
      for (const name of byName.keys()) after.set(name, findLastServed(rows, name, after.get(name) ?? ''))
      if (lanes.length === free) mayHaveMore = true
    }
  }

  function run(held: LeasedLane): void {
    const one = runLane(context, held)
      .catch(error => context.deps.log.error({ err: error, job: held.job.name }, 'could not run a job'))
      .finally(() => {
        running.delete(one)
        if (mayHaveMore) start()
      })
    running.add(one)
  }

  function start(): void {
    if (context.isStopping()) return
    claiming ??= nextTick() // places that become free in the same turn are filled together
      .then(claim)
      .catch(error => context.deps.log.warn({ err: error }, 'could not claim jobs'))
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

/** Where the next round among the tenants begins: after the last that this one reached, going round from `start`. */
function findLastServed(rows: readonly ClaimedRow[], name: string, start: string): string {
  const tenants = rows.filter(row => row.name === name).map(row => row.tenant_id)
  const wrapped = tenants.filter(tenant => tenant <= start)
  return (wrapped.length > 0 ? wrapped : tenants).sort().at(-1) ?? start
}

function nextTick(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** Those who work on one priority: when woken, they claim as many lanes as they have free places, until none is left. */
import type { AnyJob } from './job.ts'
import { type Held, toHeld } from './leases.ts'
import { runLane, type Surroundings } from './run.ts'
import { type ClaimedRow, claimLanes } from './store/claim.ts'

export interface Crew {
  wake(): void
  /** After stopping: once all that runs has ended. */
  ended(): Promise<void>
}

export function startCrew(around: Surroundings, jobs: readonly AnyJob[], places: number): Crew {
  const byName = new Map(jobs.map(job => [job.name, job]))
  const after = new Map<string, string>()
  const running = new Set<Promise<void>>()
  let hungry = true
  let claiming: Promise<void> | undefined

  async function claim(): Promise<void> {
    while (hungry && running.size < places && !around.stopping()) {
      const free = places - running.size
      const sentAt = performance.now()
      hungry = false
      const wanted = jobs.map(({ name, leaseMs }) => ({
        name,
        leaseMs,
        after: after.get(name) ?? '',
        sinceMs: around.sinceMs(name),
      }))
      const rows = await claimLanes(around.deps.db, wanted, free)
      const lanes = toHeld(rows, byName)
      around.leases.hold(lanes, sentAt)
      for (const held of lanes) run(held)
      for (const name of byName.keys()) after.set(name, lastServed(rows, name, after.get(name) ?? ''))
      if (lanes.length === free) hungry = true
    }
  }

  function run(held: Held): void {
    const one = runLane(around, held)
      .catch(error => around.deps.log.error({ err: error, job: held.job.name }, 'could not run a job'))
      .finally(() => {
        running.delete(one)
        if (hungry) start()
      })
    running.add(one)
  }

  function start(): void {
    if (around.stopping()) return
    claiming ??= nextTurn() // places that become free in the same turn are filled together
      .then(claim)
      .catch(error => around.deps.log.warn({ err: error }, 'could not claim jobs'))
      .finally(() => {
        claiming = undefined
        if (hungry && running.size < places) start()
      })
  }

  const wake = () => {
    hungry = true
    start()
  }
  wake()
  return {
    wake,
    async ended() {
      await claiming
      await Promise.all(running)
    },
  }
}

/** Where the next round among the tenants begins: after the last that this one reached, going round from `start`. */
function lastServed(rows: readonly ClaimedRow[], name: string, start: string): string {
  const tenants = rows.filter(row => row.name === name).map(row => row.tenant_id)
  const wrapped = tenants.filter(tenant => tenant <= start)
  return (wrapped.length > 0 ? wrapped : tenants).sort().at(-1) ?? start
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/**
 * The workers of one process. Each priority has a crew with places of its own, so a flood of bulk work never takes
 * the place of something urgent. A crew is woken by a commit in this process, by the bus for one in another, or by a
 * look around, at least once a second, that misses nothing.
 */
import type { Deps } from '../deps.ts'
import { type Crew, startCrew } from './crew.ts'
import { type Cron, startCrons } from './cron.ts'
import { type AnyJob, type Priority, priorities } from './job.ts'
import { openLeases } from './leases.ts'
import { startLooking } from './look.ts'
import type { Outcome, Surroundings } from './run.ts'
import { openSettler } from './settle.ts'
import { countJobs, type Depth } from './store/claim.ts'
import { onEnqueued } from './wake.ts'

export interface WorkerOptions {
  /** How many lanes of each priority may run at once. */
  places?: Partial<Record<Priority, number>>
  crons?: readonly Cron[]
  /** Told of each run as it ends, for histograms. */
  observe?: (job: AnyJob, outcome: Outcome, ms: number) => void
}

export interface Counts extends Record<Outcome, number> {
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
  stats(): Counts[]
  /** What all processes together have before them. Reads the whole queue: for a scrape, not for decisions. */
  depth(): Promise<Record<Priority, Omit<Depth, 'name'>>>
}

const defaultPlaces: Record<Priority, number> = { urgent: 128, normal: 64, bulk: 32 }

export function startWorkers(deps: Deps, jobs: readonly AnyJob[], options: WorkerOptions = {}): Workers {
  const known = [...jobs, ...(options.crons ?? []).map(cron => cron.job)]
  const byName = new Map(known.map(job => [job.name, job]))
  if (byName.size < known.length) throw new Error('two jobs have the same name')
  const counts = new Map(known.map(job => [job.name, emptyCounts(job)]))
  const leases = openLeases(deps.db, deps.log, known)
  let stopping = false

  const settler = openSettler({
    db: deps.db,
    log: deps.log,
    settled(held, written, remaining) {
      if (remaining === undefined) return held.gone ? undefined : leases.lose(held)
      if (written.step === 'hold') return
      leases.drop(held)
      if (remaining > 0) tell(held.job, written.delayMs)
    },
  })

  const around: Surroundings = {
    deps,
    leases,
    settler,
    sinceMs: name => looking.sinceMs(name),
    stopping: () => stopping,
    started(job) {
      const count = counts.get(job.name)!
      count.started++
      count.running++
    },
    ended(job, outcome, ms) {
      const count = counts.get(job.name)!
      count.running--
      count[outcome]++
      count.totalMs += ms
      options.observe?.(job, outcome, ms)
    },
  }

  const crews = new Map<Priority, Crew>()
  const looking = startLooking(deps, known, job => crews.get(job.priority)!.wake())
  for (const priority of priorities) {
    const mine = known.filter(job => job.priority === priority)
    const places = options.places?.[priority] ?? defaultPlaces[priority]
    if (mine.length > 0) crews.set(priority, startCrew(around, mine, places))
  }
  const tell = (job: AnyJob, delayMs: number) =>
    delayMs > 0 ? looking.soon(delayMs) : crews.get(job.priority)!.wake()
  const cron = startCrons(deps, options.crons ?? [])
  const wakeAll = () => {
    for (const crew of crews.values()) crew.wake()
  }
  const deafen = onEnqueued(
    deps,
    ({ name, delayMs }) => {
      const job = byName.get(name)
      if (job) tell(job, delayMs)
    },
    wakeAll,
  )

  return {
    async stop(graceMs) {
      stopping = true
      for (const end of [deafen, cron.stop, looking.stop]) end()
      const ended = Promise.all([...crews.values()].map(crew => crew.ended())).then(() => settler.drain())
      await Promise.race([ended, pause(graceMs)])
      leases.close()
    },
    wake: wakeAll,
    stats: () => [...counts.values()].map(count => ({ ...count })),
    depth: async () => byPriority(await countJobs(deps.db), byName),
  }
}

function byPriority(depths: readonly Depth[], jobs: ReadonlyMap<string, AnyJob>) {
  const none = { ready: 0, held: 0, later: 0, oldestReadyMs: 0 }
  const sums = { urgent: { ...none }, normal: { ...none }, bulk: { ...none } }
  for (const { name, ready, held, later, oldestReadyMs } of depths) {
    const sum = sums[jobs.get(name)?.priority ?? 'bulk']
    sum.ready += ready
    sum.held += held
    sum.later += later
    sum.oldestReadyMs = Math.max(sum.oldestReadyMs, oldestReadyMs)
  }
  return sums
}

function emptyCounts({ name, priority }: AnyJob): Counts {
  const outcomes = { done: 0, retried: 0, deferred: 0, dead: 0, discarded: 0, lost: 0 }
  return { name, priority, started: 0, running: 0, totalMs: 0, ...outcomes }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}

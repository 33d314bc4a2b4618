/**
 * Wakes runs whose time has come, the earliest first, and lets the clock start journeys. A sleeping run costs nothing:
 * what is looked at is the next time in an index, when it comes, when an earlier one is set, and once a second. Of a
 * process, one batch ends before the next begins; several processes have neighbouring batches in hand at once.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { workflowsChanged } from '../changes.ts'
import { clearTimes, lockDue, nextTimes } from '../store/runs.ts'
import { fireClock, keepClocks } from './clocks.ts'
import { grouped } from './grouped.ts'
import type { Run } from './run.ts'
import { timerSet } from './signals.ts'
import { moveTogether } from './together.ts'
import { inputOfTime, wakeMany } from './waking.ts'

const atOnce = 200
const lookAgainMs = 1_000
const keepClocksMs = 60_000
const inOtherHandsMs = 50

export function startTimers(deps: Deps): { stop(): Promise<void> } {
  let stopped = false
  let ring = () => {}
  let clocksKeptAt = Number.NEGATIVE_INFINITY

  async function loop(): Promise<void> {
    while (!stopped) {
      let restMs = lookAgainMs
      try {
        if (performance.now() - clocksKeptAt > keepClocksMs) {
          await keepClocks(deps)
          clocksKeptAt = performance.now()
        }
        restMs = await doWhatIsDue(deps)
      } catch (error) {
        deps.log.warn({ err: error }, 'could not wake workflows')
      }
      if (restMs > 0 && !stopped) await rest(restMs)
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      ring = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const onTimer = (at: string) => {
    if (Date.parse(at) - deps.clock.now().getTime() < lookAgainMs) ring()
  }
  const onChange = () => {
    clocksKeptAt = Number.NEGATIVE_INFINITY
    ring()
  }
  deps.db.signals.on(timerSet, onTimer)
  deps.db.signals.on(workflowsChanged, onChange)
  const running = loop()
  return {
    async stop() {
      stopped = true
      deps.db.signals.off(timerSet, onTimer)
      deps.db.signals.off(workflowsChanged, onChange)
      ring()
      await running
    },
  }
}

/** Gives how long there is nothing to do. */
async function doWhatIsDue(deps: Deps): Promise<number> {
  const { wakeAt, clockAt } = await nextTimes(deps.db)
  const now = deps.clock.now().getTime()
  const rests = [
    await restOf(wakeAt, now, () => wakeDue(deps)),
    await restOf(clockAt, now, () => fireClock(deps)),
  ]
  return Math.min(lookAgainMs, ...rests)
}

async function restOf(at: string | null, now: number, act: () => Promise<boolean>): Promise<number> {
  if (at === null) return lookAgainMs
  const wait = Date.parse(at) - now
  if (wait > 0) return wait
  return (await act()) ? 0 : inOtherHandsMs
}

/** False when another process has what is due in its hands this moment. */
async function wakeDue(deps: Deps): Promise<boolean> {
  const taken = await transact(deps.db, async tx => {
    const due = await lockDue(tx, atOnce)
    const { left, idle } = await moveDue(deps, tx, due)
    await clearTimes(tx, [...left, ...idle])
    await wakeMany(
      tx,
      left.map(run => ({ run, why: 'time' as const })),
    )
    return due.length
  })
  return taken > 0
}

interface Unmoved {
  /** Those that are left to the queue, in the order of their times. */
  left: Run[]
  /** Those that something else has woken before. */
  idle: Run[]
}

async function moveDue(deps: Deps, tx: Tx, due: readonly Run[]): Promise<Unmoved> {
  const journeys = due.filter(run => run.kind === 'journey')
  const moves = journeys.flatMap(run => {
    const input = inputOfTime(tx, run)
    return input ? [{ run, input }] : []
  })
  const wanted = new Set(moves.map(({ run }) => run))
  const left = new Set(due.filter(run => run.kind === 'chatbot'))
  for (const [tenantId, mine] of grouped(moves, ({ run }) => run.tenantId))
    for (const { run } of await moveTogether(deps, tx, tenantId, mine)) left.add(run)
  return { left: due.filter(run => left.has(run)), idle: journeys.filter(run => !wanted.has(run)) }
}

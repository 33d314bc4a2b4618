/**
 * Wakes runs whose time has come, the earliest first, and lets the clock start journeys. A sleeping run costs nothing:
 * what is looked at is the next time in an index, when it comes, when an earlier one is set, and once a second. Of a
 * process, one batch ends before the next begins; several processes have neighbouring batches in hand at once.
 */
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { workflowsChanged } from '../../signals.ts'
import { clearTimers, getNextTimes, lockDueRuns } from '../../store/runs.ts'
import { advanceBatch } from '../run/advance-batch.ts'
import { enqueueResumes, toTimerInput } from '../run/resume.ts'
import type { Run } from '../run/run.ts'
import { timerSet } from '../signals.ts'
import { fireDueSchedule, syncSchedules } from './schedules.ts'

const batchSize = 200
const pollIntervalMs = 1_000
const syncIntervalMs = 60_000
const lockedRetryMs = 50

export function startTimerLoop(deps: Deps): { stop(): Promise<void> } {
  let stopped = false
  let ring = () => {}
  let clocksKeptAt = Number.NEGATIVE_INFINITY

  async function loop(): Promise<void> {
    while (!stopped) {
      let restMs = pollIntervalMs
      try {
        if (performance.now() - clocksKeptAt > syncIntervalMs) {
          await syncSchedules(deps)
          clocksKeptAt = performance.now()
        }
        restMs = await processDue(deps)
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
    if (Date.parse(at) - deps.clock.now().getTime() < pollIntervalMs) ring()
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
async function processDue(deps: Deps): Promise<number> {
  const { wakeAt, clockAt } = await getNextTimes(deps.db)
  const now = deps.clock.now().getTime()
  const rests = [
    await processIfDue(wakeAt, now, () => resumeDue(deps)),
    await processIfDue(clockAt, now, () => fireDueSchedule(deps)),
  ]
  return Math.min(pollIntervalMs, ...rests)
}

async function processIfDue(at: string | null, now: number, act: () => Promise<boolean>): Promise<number> {
  if (at === null) return pollIntervalMs
  const wait = Date.parse(at) - now
  if (wait > 0) return wait
  return (await act()) ? 0 : lockedRetryMs
}

/** False when another process has what is due in its hands this moment. */
async function resumeDue(deps: Deps): Promise<boolean> {
  const taken = await transact(deps.db, async tx => {
    const due = await lockDueRuns(tx, batchSize)
    const { left, idle } = await advanceDue(deps, tx, due)
    await clearTimers(tx, [...left, ...idle])
    await enqueueResumes(
      tx,
      left.map(run => ({ run, why: 'time' as const })),
    )
    return due.length
  })
  return taken > 0
}

interface NotAdvanced {
  /** Those that are left to the queue, in the order of their times. */
  left: Run[]
  /** Those that something else has woken before. */
  idle: Run[]
}

async function advanceDue(deps: Deps, tx: Tx, due: readonly Run[]): Promise<NotAdvanced> {
  const journeys = due.filter(run => run.kind === 'journey')
  const moves = journeys.flatMap(run => {
    const input = toTimerInput(tx, run)
    return input ? [{ run, input }] : []
  })
  const wanted = new Set(moves.map(({ run }) => run))
  const left = new Set(due.filter(run => run.kind === 'chatbot'))
  for (const [tenantId, mine] of groupBy(moves, ({ run }) => run.tenantId))
    for (const { run } of await advanceBatch(deps, tx, tenantId, mine)) left.add(run)
  return { left: due.filter(run => left.has(run)), idle: journeys.filter(run => !wanted.has(run)) }
}

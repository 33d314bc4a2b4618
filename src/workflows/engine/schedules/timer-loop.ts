/**
 * Resumes runs whose timer is due, earliest first, and fires due schedules. The loop reads only the next deadline from
 * an index: when it is reached, when an earlier one is set, and once a second. A process handles one batch at a time;
 * several processes handle neighbouring batches concurrently.
 */
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { timerSet, workflowsChanged } from '../../events.ts'
import { clearTimers, getNextTimes, lockDueRuns } from '../../store/runs/runs.ts'
import { advanceBatch } from '../run/advance-batch.ts'
import { enqueueResumes } from '../run/resume.ts'
import { toTimerInput } from '../run/resume-input.ts'
import type { Run } from '../run/run.ts'
import { fireDueSchedule, syncSchedules } from './schedules.ts'

const batchSize = 200
const pollIntervalMs = 1_000
const syncIntervalMs = 60_000
/** Delay before retrying rows that another process has locked. */
const lockedRetryMs = 50

export function startTimerLoop(deps: Deps): { stop(): Promise<void> } {
  let stopped = false
  let wake = () => {}
  let syncedAt = Number.NEGATIVE_INFINITY

  async function loop(): Promise<void> {
    while (!stopped) {
      let waitMs = pollIntervalMs
      try {
        if (performance.now() - syncedAt > syncIntervalMs) {
          await syncSchedules(deps)
          syncedAt = performance.now()
        }
        waitMs = await processDue(deps)
      } catch (error) {
        deps.log.warn({ err: error }, 'workflow timer loop failed')
      }
      if (waitMs > 0 && !stopped) await sleep(waitMs)
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const onTimerSet = (at: string) => {
    if (Date.parse(at) - deps.clock.now().getTime() < pollIntervalMs) wake()
  }
  const onWorkflowsChanged = () => {
    syncedAt = Number.NEGATIVE_INFINITY
    wake()
  }
  deps.db.signals.on(timerSet, onTimerSet)
  deps.db.signals.on(workflowsChanged, onWorkflowsChanged)
  const running = loop()
  return {
    async stop() {
      stopped = true
      deps.db.signals.off(timerSet, onTimerSet)
      deps.db.signals.off(workflowsChanged, onWorkflowsChanged)
      wake()
      await running
    },
  }
}

/** Returns the milliseconds until the next deadline, 0 if more work is due. */
async function processDue(deps: Deps): Promise<number> {
  const { wakeAt, scheduleAt } = await getNextTimes(deps.db)
  const now = deps.clock.now().getTime()
  const waits = [
    await processIfDue(wakeAt, now, () => resumeDue(deps)),
    await processIfDue(scheduleAt, now, () => fireDueSchedule(deps)),
  ]
  return Math.min(pollIntervalMs, ...waits)
}

async function processIfDue(at: string | null, now: number, act: () => Promise<boolean>): Promise<number> {
  if (at === null) return pollIntervalMs
  const waitMs = Date.parse(at) - now
  if (waitMs > 0) return waitMs
  return (await act()) ? 0 : lockedRetryMs
}

/** Returns false if other processes have locked all due runs. */
async function resumeDue(deps: Deps): Promise<boolean> {
  const count = await transact(deps.db, async tx => {
    const due = await lockDueRuns(tx, batchSize)
    const { remaining, alreadyResumed } = await advanceDue(deps, tx, due)
    await clearTimers(tx, [...remaining, ...alreadyResumed])
    await enqueueResumes(
      tx,
      remaining.map(run => ({ run, reason: 'timer' as const })),
    )
    return due.length
  })
  return count > 0
}

interface NotAdvanced {
  /** Runs for the job queue, in the order of their deadlines. */
  remaining: Run[]
  /** Runs that something else resumed before their deadline. */
  alreadyResumed: Run[]
}

async function advanceDue(deps: Deps, tx: Tx, due: readonly Run[]): Promise<NotAdvanced> {
  const journeys = due.filter(run => run.kind === 'journey')
  const items = journeys.flatMap(run => {
    const input = toTimerInput(tx, run)
    return input ? [{ run, input }] : []
  })
  const withInput = new Set(items.map(({ run }) => run))
  const remaining = new Set(due.filter(run => run.kind === 'chatbot'))
  for (const [tenantId, group] of groupBy(items, ({ run }) => run.tenantId))
    for (const { run } of await advanceBatch(deps, tx, tenantId, group)) remaining.add(run)
  return {
    remaining: due.filter(run => remaining.has(run)),
    alreadyResumed: journeys.filter(run => !withInput.has(run)),
  }
}

/**
 * Enrollments that follow the newest event of a contact and key: `debounce` postpones the start of a run, `restart` replaces
 * a run in progress.
 */
import type { Tx } from '../../../platform/db/db.ts'
import { timerSet } from '../../events.ts'
import { type Duration, toMs } from '../../nodes/node-fields.ts'
import { lockRunInProgress, postponeStart } from '../../store/runs/runs.ts'
import { endRun, startRuns } from '../run/resume.ts'
import type { Run } from '../run/run.ts'
import { buildDebounce, type Enrollment, enroll } from './enroll.ts'

export interface EventTiming {
  debounce?: Duration
  restart?: boolean
}

/** Returns whether an earlier run decides how the enrollment is applied, so that it cannot be part of a batch. */
export function dependsOnEarlierRun({ active: { trigger, entryMode } }: Enrollment): boolean {
  const { debounce, restart } = trigger as EventTiming
  return entryMode === 'cooldown' || debounce !== undefined || restart === true
}

export async function enrollInOrder(tx: Tx, enrollments: readonly Enrollment[]): Promise<void> {
  for (const enrollment of enrollments) await enrollNewest(tx, enrollment)
}

async function enrollNewest(tx: Tx, enrollment: Enrollment): Promise<void> {
  const { active, entry } = enrollment
  const { debounce, restart } = active.trigger as EventTiming
  const key = { ...active, contactId: entry.contactId, entryKey: entry.event.key ?? '' }
  const current = debounce || restart ? await lockRunInProgress(tx, key) : undefined
  await enrollAfter(tx, enrollment, current)
}

/**
 * Postpones or ends the run in progress, and starts a new one. Returns the run that starts now or later, or undefined if the
 * entry mode does not allow another.
 */
export async function enrollAfter(
  tx: Tx,
  enrollment: Enrollment,
  current: Run | undefined,
): Promise<Run | undefined> {
  const { active, entry } = enrollment
  const { debounce, restart } = active.trigger as EventTiming
  if (current?.wait?.debounce && debounce) {
    const postponed = { ...current, event: entry.event, ...buildDebounce(tx, toMs(debounce)) }
    await postponeStart(tx, postponed)
    return postponed
  }
  if (current && restart) await endRun(tx, current, 'cancelled', 'restarted')
  if (!debounce) {
    const [run] = await startRuns(tx, [enrollment])
    return run
  }
  const [run] = await enroll(tx, [{ ...enrollment, debounceMs: toMs(debounce) }])
  if (run) tx.signal(timerSet, run.wakeAt)
  return run
}

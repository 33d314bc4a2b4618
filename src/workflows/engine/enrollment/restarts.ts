/**
 * Enrollments that follow the newest event of a contact and key: `debounce` postpones the start of a run, `restart` replaces
 * a run in progress.
 */
import type { Tx } from '../../../platform/db/db.ts'
import { timerSet } from '../../events.ts'
import { type Duration, toMs } from '../../nodes/node-fields.ts'
import { lockRunInProgress, postponeStart } from '../../store/runs/runs.ts'
import { endRun, startRuns } from '../run/resume.ts'
import { buildDebounce, type Enrollment, enroll } from './enroll.ts'

interface EventTiming {
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
  if (current?.wait?.debounce && debounce) {
    const postponed = { ...current, event: entry.event, ...buildDebounce(tx, toMs(debounce)) }
    return postponeStart(tx, postponed)
  }
  if (current && restart) await endRun(tx, current, 'cancelled', 'restarted')
  if (!debounce) {
    await startRuns(tx, [enrollment])
    return
  }
  const [run] = await enroll(tx, [{ ...enrollment, debounceMs: toMs(debounce) }])
  if (run) tx.signal(timerSet, run.wakeAt)
}

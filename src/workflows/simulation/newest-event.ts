/** Lets `debounce` and `restart` of the trigger act on a simulated run: it follows the newest event, as live. */

import type { Tx } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { type Enrollment, filterByConditions, maxCausationDepth } from '../engine/enrollment/enroll.ts'
import { type EventTiming, enrollAfter } from '../engine/enrollment/restarts.ts'
import { isInProgress, type Run } from '../engine/run/run.ts'
import { matchTrigger } from '../triggers/registry.ts'

/** Returns the run that follows the events, or undefined if they leave the current one alone. */
export async function followNewestEvent(
  tx: Tx,
  enrollment: Enrollment,
  run: Run,
  events: readonly LogEvent[],
): Promise<Run | undefined> {
  const { restart } = enrollment.active.trigger as EventTiming
  let current = run
  for (const event of events) {
    if (!isInProgress(current) || !(restart || current.wait?.debounce)) break
    const next = await findEnrollment(tx, enrollment, current, event)
    if (next) current = (await enrollAfter(tx, next, current)) ?? current
  }
  return current === run && isInProgress(run) ? undefined : current
}

/** Returns the enrollment that the event causes, if it has the key of the run. */
async function findEnrollment(
  tx: Tx,
  enrollment: Enrollment,
  { tenantId, entryKey }: Run,
  event: LogEvent,
): Promise<Enrollment | undefined> {
  const { causationDepth } = event
  const entry = matchTrigger('journey', enrollment.active.trigger, event)
  if (!entry || (entry.event.key ?? '') !== entryKey || causationDepth > maxCausationDepth) return undefined
  const [allowed] = await filterByConditions(tx, tenantId, [{ ...enrollment, entry, causationDepth }])
  return allowed
}

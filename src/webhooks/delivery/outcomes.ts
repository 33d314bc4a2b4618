/** What becomes of a delivery after an attempt. */
import { newIdAt } from '../../platform/ids.ts'
import type { Outcome } from '../attempt.ts'
import { delayAfter } from '../schedule.ts'
import type { Taken } from '../store/deliveries.ts'
import type { Interrupted, Settlement } from '../store/settling.ts'

const gone = 410
const busyMs = 1_000

/** The receiver wants no more. */
export const isGone = (outcome: Outcome): boolean => outcome.responseStatus === gone

export function settlementOf(taken: Taken, token: number, outcome: Outcome, now: Date): Settlement {
  const { tenantId, id, isBacklog } = taken
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
  if (outcome.unsent) return untouched(taken, token, later(outcome.interrupted ? 0 : busyMs))
  const { responseStatus, responseBody, latencyMs, errorText, signedWith } = outcome
  const attemptId = newIdAt('attempt', taken.takenAt)
  const attempt = { id: attemptId, responseStatus, responseBody, latencyMs, errorText, signedWith }
  const which = { tenantId, token, id, isBacklog, attempt }
  if (outcome.arrived) return { ...which, outcome: 'arrived', nextAt: null }
  if (outcome.interrupted) return { ...which, outcome: 'interrupted', nextAt: later(0) }
  const delay = delayAfter(taken.failures + 1, outcome.retryAfterMs)
  return { ...which, outcome: 'failed', nextAt: delay === undefined ? null : later(delay) }
}

/** Taken, and not tried. */
export function untouched({ tenantId, id, isBacklog }: Taken, token: number, nextAt: string): Settlement {
  return { tenantId, token, id, isBacklog, outcome: 'back', nextAt, attempt: null }
}

/** Its event is not in the log any more. */
export function dropped({ tenantId, id, isBacklog }: Taken, token: number): Settlement {
  return { tenantId, token, id, isBacklog, outcome: 'dropped', nextAt: null, attempt: null }
}

/** Cut off with its process. It is tried again at once, and its place in the schedule is the same. */
export function interruption(one: Interrupted, now: string, oldest: string): Settlement {
  const { takenAt, signedWith, ...which } = one
  const attempt = {
    id: newIdAt('attempt', takenAt),
    responseStatus: null,
    responseBody: null,
    latencyMs: null,
    errorText: 'interrupted',
    signedWith,
  }
  return { ...which, outcome: 'interrupted', nextAt: now, attempt: takenAt > oldest ? attempt : null }
}

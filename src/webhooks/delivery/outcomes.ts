/** What becomes of a delivery after an attempt. */
import type { CallResult } from '../call-endpoint.ts'
import { getRetryDelayMs } from '../retry-schedule.ts'
import { AttemptId } from '../schemas.ts'
import type { Completion, InterruptedDelivery } from '../store/completions.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'

const gone = 410
const busyRetryMs = 1_000

/** The receiver wants no more. */
export const isGone = (outcome: CallResult): boolean => outcome.responseStatus === gone

export function toCompletion(
  taken: ClaimedDelivery,
  token: number,
  outcome: CallResult,
  now: Date,
): Completion {
  const { tenantId, id, isBacklog } = taken
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
  if (outcome.notSent) return returned(taken, token, later(outcome.interrupted ? 0 : busyRetryMs))
  const { responseStatus, responseBody, latencyMs, errorText, signedWith } = outcome
  const attemptId = AttemptId.createAt(taken.claimedAt)
  const attempt = { id: attemptId, responseStatus, responseBody, latencyMs, errorText, signedWith }
  const which = { tenantId, token, id, isBacklog, attempt }
  if (outcome.succeeded) return { ...which, outcome: 'arrived', nextAt: null }
  if (outcome.interrupted) return { ...which, outcome: 'interrupted', nextAt: later(0) }
  const delay = getRetryDelayMs(taken.failures + 1, outcome.retryAfterMs)
  return { ...which, outcome: 'failed', nextAt: delay === undefined ? null : later(delay) }
}

/** Taken, and not tried. */
export function returned(
  { tenantId, id, isBacklog }: ClaimedDelivery,
  token: number,
  nextAt: string,
): Completion {
  return { tenantId, token, id, isBacklog, outcome: 'back', nextAt, attempt: null }
}

/** Its event is not in the log any more. */
export function dropped({ tenantId, id, isBacklog }: ClaimedDelivery, token: number): Completion {
  return { tenantId, token, id, isBacklog, outcome: 'dropped', nextAt: null, attempt: null }
}

/** Cut off with its process. It is tried again at once, and its place in the schedule is the same. */
export function interrupted(one: InterruptedDelivery, now: string, oldest: string): Completion {
  const { claimedAt: takenAt, signedWith, ...which } = one
  const attempt = {
    id: AttemptId.createAt(takenAt),
    responseStatus: null,
    responseBody: null,
    latencyMs: null,
    errorText: 'interrupted',
    signedWith,
  }
  return { ...which, outcome: 'interrupted', nextAt: now, attempt: takenAt > oldest ? attempt : null }
}

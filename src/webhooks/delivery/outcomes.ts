/** Builds the completion of a delivery from the result of its attempt. */

import { AttemptId } from '../schemas.ts'
import type { Completion, InterruptedDelivery } from '../store/completions.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'
import type { CallResult } from './call-endpoint.ts'
import { getRetryDelayMs } from './retry-schedule.ts'

const busyRetryMs = 1_000

/** True if the endpoint asks for no further deliveries. */
export const isGone = (result: CallResult): boolean => result.responseStatus === 410

export function toCompletion(
  delivery: ClaimedDelivery,
  token: number,
  result: CallResult,
  now: Date,
): Completion {
  const { tenantId, id, isBacklog } = delivery
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
  if (result.notSent) return returned(delivery, token, later(result.interrupted ? 0 : busyRetryMs))
  const { responseStatus, responseBody, latencyMs, errorText, signedWith } = result
  const attemptId = AttemptId.createAt(delivery.claimedAt)
  const attempt = { id: attemptId, responseStatus, responseBody, latencyMs, errorText, signedWith }
  const key = { tenantId, token, id, isBacklog, attempt }
  if (result.succeeded) return { ...key, outcome: 'succeeded', nextAt: null }
  if (result.interrupted) return { ...key, outcome: 'interrupted', nextAt: later(0) }
  const delay = getRetryDelayMs(delivery.failures + 1, result.retryAfterMs)
  return { ...key, outcome: 'failed', nextAt: delay === undefined ? null : later(delay) }
}

/** Completes a delivery without an attempt. */
export function returned(
  { tenantId, id, isBacklog }: ClaimedDelivery,
  token: number,
  nextAt: string,
): Completion {
  return { tenantId, token, id, isBacklog, outcome: 'returned', nextAt, attempt: null }
}

/** Completes a delivery whose event has expired. */
export function dropped({ tenantId, id, isBacklog }: ClaimedDelivery, token: number): Completion {
  return { tenantId, token, id, isBacklog, outcome: 'dropped', nextAt: null, attempt: null }
}

/** Completes an attempt whose process was killed. It is retried immediately and does not count as a failure. */
export function interrupted(delivery: InterruptedDelivery, now: string, oldest: string): Completion {
  const { claimedAt, signedWith, ...key } = delivery
  const attempt = {
    id: AttemptId.createAt(claimedAt),
    responseStatus: null,
    responseBody: null,
    latencyMs: null,
    errorText: 'interrupted',
    signedWith,
  }
  return { ...key, outcome: 'interrupted', nextAt: now, attempt: claimedAt > oldest ? attempt : null }
}

/** Classifies error codes of the sms provider, from responses and status webhooks. */

import { type Classification, permanent, uncertain } from '../graph.ts'
import type { Failure } from '../provider.ts'

const limited = (scope: 'pair' | 'number' | 'app', retryAfterMs?: number): Classification => ({
  kind: 'rate_limited',
  scope,
  code: scope === 'pair' ? 'pair_rate_limited' : 'rate_limited',
  ...(retryAfterMs ? { retryAfterMs } : {}),
})

const classifications: Record<number, Classification> = {
  14107: limited('pair', 30_000),
  20003: { kind: 'auth', code: 'auth_expired' },
  20005: permanent('account_locked'),
  20404: permanent('account_unknown'),
  20429: limited('app'),
  20503: { kind: 'retryable', code: 'provider_unavailable' },
  21211: permanent('recipient_invalid'),
  21212: permanent('sender_invalid'),
  21265: permanent('recipient_invalid'),
  21266: permanent('recipient_is_sender'),
  21408: permanent('recipient_not_eligible'),
  21602: permanent('content_unsupported'),
  21603: permanent('sender_invalid'),
  21604: permanent('recipient_invalid'),
  21606: permanent('sender_invalid'),
  21608: permanent('recipient_not_eligible'),
  21609: permanent('callback_invalid'),
  21610: permanent('opted_out'),
  21611: limited('number', 60_000),
  21612: permanent('recipient_unreachable'),
  21614: permanent('recipient_unreachable'),
  21617: permanent('text_too_long'),
  21620: permanent('media_upload_failed'),
  21623: permanent('content_unsupported'),
  21635: permanent('recipient_unreachable'),
  21659: permanent('sender_invalid'),
  30001: permanent('queue_overflow'),
  30002: permanent('payment_issue'),
  30003: permanent('recipient_unreachable'),
  30004: permanent('recipient_blocked'),
  30005: permanent('recipient_unreachable'),
  30006: permanent('recipient_unreachable'),
  30007: permanent('filtered'),
  30008: permanent('rejected'),
  30022: limited('number', 10_000),
  30034: permanent('account_incomplete'),
  63017: limited('app', 10_000),
}

/** After a 5xx the request may have been accepted. */
export function classifySmsError(code: number, status: number): Classification {
  const known = classifications[code]
  if (known) return known
  if (status >= 500) return uncertain
  return status === 429 ? limited('app') : permanent('rejected')
}

export function toFailure(code: number, status: number, message: unknown): Failure {
  const text = typeof message === 'string' && message !== '' ? message : 'the provider gave no reason'
  return { ...classifySmsError(code, status), message: text.slice(0, 500), providerCode: String(code) }
}

/** Classifies error codes of the chatapp provider. The HTTP status is not significant except for 5xx. */
import { type Classification, classifyUnknown, type ErrorClassifier, permanent, uncertain } from '../graph.ts'

const retryable = (code: string, retryAfterMs?: number): Classification => ({
  kind: 'retryable',
  code,
  ...(retryAfterMs ? { retryAfterMs } : {}),
})

const classifications: Record<number, Classification> = {
  0: { kind: 'auth', code: 'auth_expired' },
  190: { kind: 'auth', code: 'auth_expired' },
  3: permanent('permission_missing'),
  10: permanent('permission_missing'),
  4: { kind: 'rate_limited', scope: 'app', code: 'rate_limited' },
  80007: { kind: 'rate_limited', scope: 'app', code: 'rate_limited' },
  130429: { kind: 'rate_limited', scope: 'number', code: 'rate_limited' },
  131056: { kind: 'rate_limited', scope: 'pair', code: 'pair_rate_limited', retryAfterMs: 6_000 },
  131048: { kind: 'rate_limited', scope: 'number', code: 'spam_limited', retryAfterMs: 60_000 },
  131064: { kind: 'rate_limited', scope: 'number', code: 'spam_limited', retryAfterMs: 60_000 },
  131047: permanent('window_closed'),
  131026: permanent('recipient_unreachable'),
  131049: permanent('recipient_marketing_limit'),
  131050: permanent('opted_out'),
  130472: permanent('recipient_not_eligible'),
  130497: permanent('recipient_not_eligible'),
  130403: permanent('recipient_blocked'),
  131021: permanent('recipient_is_sender'),
  33: permanent('account_unknown'),
  131005: permanent('permission_missing'),
  131031: permanent('account_locked'),
  368: permanent('account_locked'),
  131037: permanent('account_incomplete'),
  131042: permanent('payment_issue'),
  131045: permanent('account_incomplete'),
  133010: permanent('account_incomplete'),
  131051: permanent('content_unsupported'),
  131052: permanent('media_download_failed'),
  131053: permanent('media_upload_failed'),
  131057: retryable('provider_maintenance', 30_000),
  132000: permanent('template_parameters'),
  132012: permanent('template_parameters'),
  132018: permanent('template_parameters'),
  132005: permanent('template_too_long'),
  132001: permanent('template_unknown'),
  132007: permanent('template_policy'),
  132015: permanent('template_paused'),
  132016: permanent('template_disabled'),
  132068: permanent('flow_blocked'),
  132069: retryable('flow_throttled', 60_000),
  1: uncertain,
  2: uncertain,
  131000: uncertain,
  131016: retryable('provider_unavailable'),
  133004: retryable('provider_unavailable'),
}

export const classifyChatappError: ErrorClassifier = ({ code, error_subcode: subcode }, status) => {
  // The object does not exist or is not accessible with this token.
  if (code === 100 && subcode === 33) return permanent('account_unknown')
  return classifications[code] ?? classifyUnknown(code, status)
}

import { type Classification, classifyUnknown, type ErrorClassifier, permanent, uncertain } from '../graph.ts'

const limited = (scope: 'pair' | 'number' | 'app'): Classification => ({
  kind: 'rate_limited',
  scope,
  code: 'rate_limited',
})

const classifications: Record<number, Classification> = {
  0: { kind: 'auth', code: 'auth_expired' },
  190: { kind: 'auth', code: 'auth_expired' },
  1: uncertain,
  2: uncertain,
  3: permanent('permission_missing'),
  4: limited('app'),
  17: limited('number'),
  32: limited('number'),
  613: limited('number'),
  10: permanent('permission_missing'),
  33: permanent('account_unknown'),
  230: permanent('recipient_not_eligible'),
  368: { kind: 'rate_limited', scope: 'number', code: 'spam_limited', retryAfterMs: 60_000 },
  551: permanent('recipient_unreachable'),
  9010: permanent('recipient_unreachable'),
}

/** By code and subcode; takes precedence over the code alone. */
const subcodeClassifications: Record<string, Classification> = {
  '10/2534022': permanent('window_closed'),
  '100/2534014': permanent('recipient_unreachable'),
  '100/33': permanent('account_unknown'),
  '100/2018001': permanent('recipient_unreachable'),
}

export const classifySocialappError: ErrorClassifier = ({ code, error_subcode: subcode }, status) => {
  return (
    subcodeClassifications[`${code}/${subcode}`] ?? classifications[code] ?? classifyUnknown(code, status)
  )
}

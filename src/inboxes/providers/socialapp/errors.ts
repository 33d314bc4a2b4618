/** What the social provider's codes mean. */
import type { ErrorTable } from '../graph.ts'

type Meaning = ReturnType<ErrorTable>

const permanent = (code: string): Meaning => ({ kind: 'permanent', code })
const limited = (scope: 'pair' | 'number' | 'app'): Meaning => ({
  kind: 'rate_limited',
  scope,
  code: 'rate_limited',
})
/** Something went wrong in the middle of it: it may be on its way. */
const unclear: Meaning = { kind: 'uncertain', code: 'provider_error' }

const meanings: Record<number, Meaning> = {
  0: { kind: 'auth', code: 'auth_expired' },
  190: { kind: 'auth', code: 'auth_expired' },
  1: unclear,
  2: unclear,
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

/** Where the code says little, the one under it says more. */
const closer: Record<string, Meaning> = {
  '10/2534022': permanent('window_closed'),
  '100/2534014': permanent('recipient_unreachable'),
  '100/33': permanent('account_unknown'),
  '100/2018001': permanent('recipient_unreachable'),
}

export const socialappMeaning: ErrorTable = ({ code, error_subcode: subcode }, status) => {
  const known = closer[`${code}/${subcode}`] ?? meanings[code]
  if (known) return known
  if (code >= 200 && code < 300) return permanent('permission_missing')
  return status >= 500 ? unclear : permanent('rejected')
}

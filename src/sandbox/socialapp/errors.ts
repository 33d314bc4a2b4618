/** The social provider's errors and the failure modes they stand for. All are reported in the response. */

import type { FailureMode } from '../failure-modes.ts'
import { GraphError } from '../graph/graph.ts'

const errorTexts: Record<number, string> = {
  2: 'An unexpected error has occurred. Please retry your request later.',
  4: 'Application request limit reached',
  10: 'This message is sent outside of allowed window.',
  100: 'No matching user found',
  190: 'Error validating access token: Session has expired.',
  230: 'User consent is required to access user profile',
  368: 'The action attempted has been deemed abusive or is otherwise disallowed',
  551: "This person isn't available right now.",
  613: 'Calls to this api have exceeded the rate limit.',
}

const subcodes: Record<number, number> = { 10: 2534022, 100: 2534014, 190: 463, 551: 1545041 }

export function socialError(code: number, message?: string, status?: number): GraphError {
  return new GraphError(code, message ?? errorTexts[code] ?? 'Error', {
    status,
    ...(message === undefined && subcodes[code] ? { subcode: subcodes[code] } : {}),
    ...(code === 2 ? { transient: true } : {}),
  })
}

export const failureCodes: Partial<Record<FailureMode, number>> = {
  invalidRecipient: 100,
  unroutable: 551,
  notPermitted: 230,
  optedOut: 551,
  notMobile: 551,
  undeliverable: 551,
  filtered: 551,
  windowClosed: 10,
  rateLimited: 613,
  pairLimited: 613,
  appLimited: 4,
  spamLimited: 368,
  queueFull: 2,
  tokenExpired: 190,
  serverError: 2,
  maintenance: 2,
  accountLocked: 368,
}

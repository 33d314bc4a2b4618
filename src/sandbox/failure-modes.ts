/**
 * What can go wrong with a send, in words of no provider. Magic recipients and faults name a symptom; each channel
 * has a table that turns it into its provider's own error, told at once or later by callback.
 */
export type FailureMode =
  | 'invalidRecipient'
  | 'unroutable'
  | 'notPermitted'
  | 'optedOut'
  | 'notMobile'
  | 'undeliverable'
  | 'filtered'
  | 'windowClosed'
  | 'rateLimited'
  | 'pairLimited'
  | 'appLimited'
  | 'spamLimited'
  | 'queueFull'
  | 'tokenExpired'
  | 'serverError'
  | 'maintenance'
  | 'accountLocked'
  | 'paymentIssue'

/** What happens to the answer of a call. The first two come before the provider took note of it. */
export type ResponseMode =
  | 'hang'
  | 'reset'
  | 'slow'
  | 'acceptThenHang'
  | 'acceptThenReset'
  | 'acceptThenError'

/** An error that a fault spells out itself. */
export interface CustomError {
  code: number
  status?: number
  message?: string
}

export interface Behaviour {
  failureMode?: FailureMode
  customError?: CustomError
  responseMode?: ResponseMode
  delayMs?: number
  /** statuses told before a failure that is told by callback */
  statusesBeforeFailure?: string[]
  /** statuses of a message that goes well */
  statuses?: string[]
  callbacks?: 'lost' | 'twice' | 'reversed' | 'late'
  customerReaction?: 'echoes' | 'stops' | 'hides'
}

/** Told at once, or by callback after the message was accepted. */
export type FailureReport = { at: 'once'; code: number } | { at: 'later'; code: number }

export const immediate = (code: number): FailureReport => ({ at: 'once', code })
export const byCallback = (code: number): FailureReport => ({ at: 'later', code })

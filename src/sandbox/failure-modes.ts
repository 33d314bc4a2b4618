/**
 * Provider-independent failure modes of a send. Magic numbers and faults select a failure mode; each channel maps it to
 * its provider's error, reported in the response or by callback.
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

/** Manipulates the response. `hang` and `reset` happen before the message is accepted. */
export const responseModes = [
  'hang',
  'reset',
  'slow',
  'acceptThenHang',
  'acceptThenReset',
  'acceptThenError',
] as const
export type ResponseMode = (typeof responseModes)[number]

/** An error given by a fault. */
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
  /** statuses reported before a failure callback */
  statusesBeforeFailure?: string[]
  /** statuses of a successful message */
  statuses?: string[]
  callbacks?: 'lost' | 'twice' | 'reversed' | 'late'
  customerReaction?: 'echoes' | 'stops' | 'hides'
}

/** Reported in the response, or by callback after the message was accepted. */
export interface FailureReport {
  by: 'response' | 'callback'
  code: number
}

export const byResponse = (code: number): FailureReport => ({ by: 'response', code })
export const byCallback = (code: number): FailureReport => ({ by: 'callback', code })

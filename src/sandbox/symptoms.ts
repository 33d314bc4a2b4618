/**
 * What can go wrong with a send, in words of no provider. Magic recipients and faults name a symptom; each channel
 * has a table that turns it into its provider's own error, told at once or later by callback.
 */
export type Symptom =
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
export type Answering = 'hang' | 'reset' | 'slow' | 'acceptThenHang' | 'acceptThenReset' | 'acceptThenError'

/** An error that a fault spells out itself. */
export interface Spelled {
  code: number
  status?: number
  message?: string
}

export interface Behaviour {
  symptom?: Symptom
  spelled?: Spelled
  answering?: Answering
  slowMs?: number
  /** statuses told before a failure that is told by callback */
  beforeFailure?: string[]
  /** statuses of a message that goes well */
  tells?: string[]
  callbacks?: 'lost' | 'twice' | 'reversed' | 'late'
  customer?: 'echoes' | 'stops' | 'hides'
}

/** Told at once, or by callback after the message was accepted. */
export type Told = { at: 'once'; code: number } | { at: 'later'; code: number }

export const once = (code: number): Told => ({ at: 'once', code })
export const later = (code: number): Told => ({ at: 'later', code })

/** What can be wrong with an inbox, what of it is shown, and what it means for sending. */
import type { Failure } from './provider.ts'
import { type Inbox, reasons } from './schemas.ts'

export type Trouble = (typeof reasons)[number] | 'account_locked' | 'account_unknown'
/** Each with the moment it began. */
export type Troubles = Partial<Record<Trouble, string>>

/** With these nothing can be sent until somebody or something puts it right: what is to be sent waits. */
export const stopping: readonly Trouble[] = [
  'auth_expired',
  'payment_issue',
  'account_locked',
  'account_unknown',
]

export function canSend({ troubles }: { troubles: Troubles }): boolean {
  return !stopping.some(trouble => troubles[trouble] !== undefined)
}

const troubleByCode: Record<string, Trouble> = {
  payment_issue: 'payment_issue',
  account_locked: 'account_locked',
  account_unknown: 'account_unknown',
  spam_limited: 'quality_low',
}

/** What a failed send says about its inbox, beyond the one message. */
export function troubleOf(failure: Failure): Trouble | undefined {
  return failure.kind === 'auth' ? 'auth_expired' : troubleByCode[failure.code]
}

export function statusOf(troubles: Troubles): Inbox['status'] {
  const shown = reasons.filter(reason => troubles[reason] !== undefined)
  if (troubles.account_locked || troubles.account_unknown) return { state: 'disconnected', reasons: shown }
  return { state: shown.length > 0 ? 'degraded' : 'active', reasons: shown }
}

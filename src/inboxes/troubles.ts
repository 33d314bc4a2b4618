/** What can be wrong with an inbox, what of it is shown, and what it means for sending. */
import type { Failure } from './provider.ts'
import { type Inbox, issueReasons } from './schemas.ts'

export type InboxIssue = (typeof issueReasons)[number] | 'account_locked' | 'account_unknown'
/** Each with the moment it began. */
export type InboxIssues = Partial<Record<InboxIssue, string>>

/** With these nothing can be sent until somebody or something puts it right: what is to be sent waits. */
export const blockingIssues: readonly InboxIssue[] = [
  'auth_expired',
  'payment_issue',
  'account_locked',
  'account_unknown',
]

export function canSend({ troubles }: { troubles: InboxIssues }): boolean {
  return !blockingIssues.some(trouble => troubles[trouble] !== undefined)
}

const issueByCode: Record<string, InboxIssue> = {
  payment_issue: 'payment_issue',
  account_locked: 'account_locked',
  account_unknown: 'account_unknown',
  spam_limited: 'quality_low',
}

/** What a failed send says about its inbox, beyond the one message. */
export function issueFor(failure: Failure): InboxIssue | undefined {
  return failure.kind === 'auth' ? 'auth_expired' : issueByCode[failure.code]
}

export function toStatus(troubles: InboxIssues): Inbox['status'] {
  const shown = issueReasons.filter(reason => troubles[reason] !== undefined)
  if (troubles.account_locked || troubles.account_unknown) return { state: 'disconnected', reasons: shown }
  return { state: shown.length > 0 ? 'degraded' : 'active', reasons: shown }
}

import { type Inbox, type InboxIssues, issueReasons } from './schemas.ts'
import type { InboxRow } from './store/inboxes.ts'

export function inboxToApi(row: InboxRow): Inbox {
  const { resourceId: _resource, rate: _rate, healthIssues, ...inbox } = row
  return { ...inbox, status: toStatus(healthIssues) }
}

export function toStatus(issues: InboxIssues): Inbox['status'] {
  const reasons = issueReasons.filter(reason => issues[reason] !== undefined)
  if (issues.account_locked || issues.account_unknown) return { state: 'disconnected', reasons }
  return { state: reasons.length > 0 ? 'degraded' : 'active', reasons }
}

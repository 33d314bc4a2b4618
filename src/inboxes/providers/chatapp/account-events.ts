/** Parses account and phone number webhooks that affect sending. */

import { asRecord, asText, type Json, parseTimestamp } from '../graph.ts'
import type { AccountEvent, ProviderEvent } from '../provider.ts'

type IssueUpdate = Pick<AccountEvent, 'issue' | 'isResolved'>

const accountEvents: Record<string, IssueUpdate> = {
  ACCOUNT_RESTRICTION: { issue: 'account_locked', isResolved: false },
  DISABLED_UPDATE: { issue: 'account_locked', isResolved: false },
  ACCOUNT_VIOLATION: { issue: 'quality_low', isResolved: false },
  ACCOUNT_DELETED: { issue: 'account_locked', isResolved: false },
  ACCOUNT_REINSTATED: { issue: 'account_locked', isResolved: true },
  VERIFIED_ACCOUNT: { issue: 'account_locked', isResolved: true },
}

const qualityEvents: Record<string, IssueUpdate> = {
  FLAGGED: { issue: 'quality_low', isResolved: false },
  DOWNGRADE: { issue: 'quality_low', isResolved: false },
  UNFLAGGED: { issue: 'quality_low', isResolved: true },
  UPGRADE: { issue: 'quality_low', isResolved: true },
}

function parseIssueUpdate(field: string, value: Json): IssueUpdate | undefined {
  const event = String(value.event)
  if (field === 'phone_number_quality_update') return qualityEvents[event]
  if (field !== 'account_update') return undefined
  const ban = asText(asRecord(value.ban_info)?.waba_ban_state)
  if (ban) return { issue: 'account_locked', isResolved: ban === 'REINSTATE' }
  return accountEvents[event]
}

export function parseAccountEvents(entry: Json, field: string, value: Json): ProviderEvent[] {
  const update = parseIssueUpdate(field, value)
  const resourceId = asText(entry.id)
  if (!update || !resourceId) return []
  const phoneNumber = asText(value.display_phone_number)
  const at = parseTimestamp(entry.time)
  return [
    {
      type: 'account',
      accountId: '',
      resourceId,
      ...(phoneNumber ? { phoneNumber } : {}),
      dedupeKey: `${field}/${resourceId}/${phoneNumber ?? ''}/${value.event}/${entry.time ?? at}`,
      at,
      ...update,
    },
  ]
}

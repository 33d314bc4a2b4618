/** What the chat provider tells about business accounts and numbers, where it bears on sending. */
import type { AccountEvent, ProviderEvent } from '../../provider.ts'
import { asRecord, asText, type Json, parseTimestamp } from '../graph.ts'

type IssueUpdate = Pick<AccountEvent, 'trouble' | 'over'>

const accountEvents: Record<string, IssueUpdate> = {
  ACCOUNT_RESTRICTION: { trouble: 'account_locked', over: false },
  DISABLED_UPDATE: { trouble: 'account_locked', over: false },
  ACCOUNT_VIOLATION: { trouble: 'quality_low', over: false },
  ACCOUNT_DELETED: { trouble: 'account_locked', over: false },
  ACCOUNT_REINSTATED: { trouble: 'account_locked', over: true },
  VERIFIED_ACCOUNT: { trouble: 'account_locked', over: true },
}

const qualityEvents: Record<string, IssueUpdate> = {
  FLAGGED: { trouble: 'quality_low', over: false },
  DOWNGRADE: { trouble: 'quality_low', over: false },
  UNFLAGGED: { trouble: 'quality_low', over: true },
  UPGRADE: { trouble: 'quality_low', over: true },
}

function parseIssueUpdate(field: string, value: Json): IssueUpdate | undefined {
  const event = String(value.event)
  if (field === 'phone_number_quality_update') return qualityEvents[event]
  if (field !== 'account_update') return undefined
  const ban = asText(asRecord(value.ban_info)?.waba_ban_state)
  if (ban) return { trouble: 'account_locked', over: ban === 'REINSTATE' }
  return accountEvents[event]
}

export function parseAccountEvents(entry: Json, field: string, value: Json): ProviderEvent[] {
  const news = parseIssueUpdate(field, value)
  const resourceId = asText(entry.id)
  if (!news || !resourceId) return []
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
      ...news,
    },
  ]
}

/** What the chat provider tells about business accounts and numbers, where it bears on sending. */
import type { AccountUpdate, Happening } from '../../provider.ts'
import { type Json, momentIn, recordIn, textIn } from '../graph.ts'

type News = Pick<AccountUpdate, 'trouble' | 'over'>

const accountEvents: Record<string, News> = {
  ACCOUNT_RESTRICTION: { trouble: 'account_locked', over: false },
  DISABLED_UPDATE: { trouble: 'account_locked', over: false },
  ACCOUNT_VIOLATION: { trouble: 'quality_low', over: false },
  ACCOUNT_DELETED: { trouble: 'account_locked', over: false },
  ACCOUNT_REINSTATED: { trouble: 'account_locked', over: true },
  VERIFIED_ACCOUNT: { trouble: 'account_locked', over: true },
}

const qualityEvents: Record<string, News> = {
  FLAGGED: { trouble: 'quality_low', over: false },
  DOWNGRADE: { trouble: 'quality_low', over: false },
  UNFLAGGED: { trouble: 'quality_low', over: true },
  UPGRADE: { trouble: 'quality_low', over: true },
}

function newsIn(field: string, value: Json): News | undefined {
  const event = String(value.event)
  if (field === 'phone_number_quality_update') return qualityEvents[event]
  if (field !== 'account_update') return undefined
  const ban = textIn(recordIn(value.ban_info)?.waba_ban_state)
  if (ban) return { trouble: 'account_locked', over: ban === 'REINSTATE' }
  return accountEvents[event]
}

export function readAccount(entry: Json, field: string, value: Json): Happening[] {
  const news = newsIn(field, value)
  const resourceId = textIn(entry.id)
  if (!news || !resourceId) return []
  const phoneNumber = textIn(value.display_phone_number)
  const at = momentIn(entry.time)
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

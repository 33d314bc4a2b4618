/** Names who wrote a message or note. */
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import type { Message } from '../state/thread-entries.ts'

export function getSenderName({ senderType, senderId }: Pick<Message, 'senderType' | 'senderId'>): string {
  if (senderType === 'user') return getUserName(senderId)
  return { bot: t.bot, journey: t.journey, campaign: t.campaign, service: t.service, customer: '' }[
    senderType
  ]
}

/** "You", the name of a colleague, or "Agent" for one who has left. */
export function getUserName(id: string): string {
  const { me, users } = getSignedIn()
  return id === me.id ? t.you : (users.get(id)?.name ?? t.agent)
}

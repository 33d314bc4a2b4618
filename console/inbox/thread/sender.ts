/** Names who wrote a message or note. */
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import type { Message } from '../state/thread-entries.ts'

export function getSenderName({ senderType, senderId }: Pick<Message, 'senderType' | 'senderId'>): string {
  if (senderType === 'user') return getUserName(senderId)
  if (senderType === 'service') return getServiceName(senderId)
  return { bot: t.bot, journey: t.journey, campaign: t.campaign, customer: '' }[senderType]
}

/** "You", the name of a colleague, or "Agent" for one who has left. */
export function getUserName(id: string): string {
  const { me, users } = getSignedIn()
  return id === me.id ? t.you : (users.get(id)?.name ?? t.agent)
}

/** The name of a service account, or "API" for one that is newer than the session. */
export function getServiceName(id: string): string {
  return getSignedIn().serviceAccounts.get(id)?.name ?? t.service
}

/** Names who wrote a note or changed a contact. */
export function getAuthorName(type: 'user' | 'service', id: string): string {
  return type === 'user' ? getUserName(id) : getServiceName(id)
}

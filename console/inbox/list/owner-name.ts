/** Names who a conversation is assigned to. */
import type { SignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import type { Conversation } from '../state/views.ts'

export function getOwnerName({ me, users, teams }: SignedIn, owner: Conversation['activeOwner']): string {
  if (!owner) return t.unassigned
  if (owner.type === 'bot') return t.bot
  if (owner.type === 'team') return teams.get(owner.id)?.name ?? t.team
  return owner.id === me.id ? t.me : (users.get(owner.id)?.name ?? t.agent)
}

/** Returns the name of the sender of the last message; nothing for the customer. */
export function getLastAuthor({ me, users }: SignedIn, conversation: Conversation): string | undefined {
  const { lastMessageSender, lastMessageSenderId } = conversation
  if (lastMessageSender === null || lastMessageSender === 'customer') return undefined
  const names: Record<string, string> = {
    user: users.get(lastMessageSenderId ?? '')?.name ?? t.agent,
    bot: t.bot,
    journey: t.journey,
    campaign: t.campaign,
    service: t.service,
  }
  return lastMessageSenderId === me.id ? t.you : names[lastMessageSender]
}

import type { Schemas } from '../api/client.ts'
import { getSignedIn } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'

/** Describes a notification in a sentence. Notifications have ids and no texts. */
export function describeNotification(
  { type, actorId, count }: Schemas['Notification'],
  name: string | undefined,
): string {
  const actor = actorId ? (getSignedIn().users.get(actorId)?.name ?? t.agent) : undefined
  const customer = name ?? t.aCustomer
  if (type === 'mention') return t.mentionedYou(actor ?? t.agent, customer)
  if (type === 'assignment') return t.assignedYou(actor, customer)
  return t.messagesFrom(count, customer)
}

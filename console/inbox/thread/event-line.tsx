/** An event of the conversation as a thin line between messages. Types that this build does not know are left out. */
import type { Schemas } from '../../api/client.ts'
import { getSignedIn } from '../../api/session.ts'
import { formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { getOwnerName } from '../list/owner-name.ts'
import { labels } from '../state/labels.ts'
import type { Conversation } from '../state/views.ts'
import { texts } from './event-texts.ts'
import { getServiceName, getUserName } from './sender.ts'
import styles from './thread.module.css'

type ConversationEvent = Schemas['ConversationEvent']

export function EventLine({ event }: { event: ConversationEvent }) {
  const text = describeEvent(event)
  if (!text) return null
  return (
    <p className={styles.event}>
      {text} · <time dateTime={event.at}>{formatTime(event.at)}</time>
    </p>
  )
}

function describeEvent({ type, actor, details = {} }: ConversationEvent): string | undefined {
  const by = getActorName(actor)
  const to = (details.to ?? null) as Conversation['activeOwner']
  const label = labels.get().get(String(details.labelId))?.name ?? String(details.name ?? t.label)
  const byType: Record<string, string> = {
    opened: texts().opened,
    reopened: texts().reopened(by),
    closed: texts().closed(by),
    assigned: describeAssignment(to, actor),
    unassigned: texts().unassigned(by),
    handed_over: texts().handedOver(getNameInText(to)),
    inbox_changed: texts().inboxChanged,
    contact_changed: texts().contactChanged(by),
    labelled: texts().labelled(label, by),
    unlabelled: texts().unlabelled(label, by),
    opted_out: texts().optedOut,
    opted_in: texts().optedIn,
    rated: (details.previous ? texts().ratingChanged : texts().rated)(String(details.rating)),
    rating_commented: texts().commented(String(details.comment)),
  }
  return byType[type]
}

function describeAssignment(to: Conversation['activeOwner'], actor: ConversationEvent['actor']): string {
  const { me } = getSignedIn()
  if (to?.type !== 'user' || actor?.type !== 'user' || to.id !== actor.id)
    return texts().assigned(getNameInText(to), getActorName(actor))
  return to.id === me.id ? texts().takenByYou : texts().taken(getUserName(to.id))
}

function getNameInText(owner: Conversation['activeOwner']): string {
  const signedIn = getSignedIn()
  const isMe = owner?.type === 'user' && owner.id === signedIn.me.id
  return isMe ? t.youInText : getOwnerName(signedIn, owner)
}

/** Undefined: the customer or the service. */
function getActorName(actor: ConversationEvent['actor']): string | undefined {
  if (!actor) return undefined
  if (actor.type === 'user') return actor.id === getSignedIn().me.id ? t.youInText : getUserName(actor.id)
  if (actor.type === 'service') return getServiceName(actor.id)
  return { bot: t.bot, journey: t.journey }[actor.type]
}

/** Notices for the user before writing: the customer or a colleague writes now, or a bot answers. */
import { hasScope } from '../../api/session.ts'
import { useParticipants } from '../../app/presence.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PencilIcon } from '../../ui/controls/icons.tsx'
import { assignToMe } from '../actions/conversation-actions.ts'
import type { Conversation } from '../state/views.ts'
import { useVisitorTyping } from '../state/visitor-typing.ts'
import { getUserName } from '../thread/sender.ts'
import styles from './composer.module.css'

export function VisitorTypingNotice({ conversationId }: { conversationId: string }) {
  return useVisitorTyping(conversationId) ? (
    <p className={styles.typing}>
      <PencilIcon />
      {t.customerWrites}
    </p>
  ) : null
}

export function TypingNotice({ conversationId }: { conversationId: string }) {
  const writers = useParticipants(conversationId).filter(({ typing }) => typing !== null)
  if (writers.length === 0) return null
  const names = writers.map(({ userId }) => getUserName(userId))
  const isNote = writers.every(({ typing }) => typing === 'note')
  return (
    <p className={styles.typing}>
      <PencilIcon />
      {isNote ? t.writingNote(names) : t.writing(names)}
    </p>
  )
}

/** The service assigns the conversation to the user who replies, and the bot stops. */
export function BotNotice({ conversation }: { conversation: Conversation }) {
  if (conversation.activeOwner?.type !== 'bot' || conversation.status !== 'open') return null
  return (
    <div className={styles.banner} role="status">
      <span>{t.botAnswers}</span>
      {hasScope('conversation:assign') && (
        <Button onClick={() => assignToMe(conversation)}>{t.takeOver}</Button>
      )}
    </div>
  )
}

/** The messages that will be sent later, above the composer, each with a button that cancels it. */
import { useState } from 'react'
import { useActions } from '../../actions/registry.ts'
import { hasScope } from '../../api/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ClockIcon } from '../../ui/icons.tsx'
import { Empty } from '../../ui/state-view.tsx'
import { cancelScheduled } from '../actions/message-actions.ts'
import { useScheduled } from '../state/scheduled.ts'
import type { Message } from '../state/thread-entries.ts'
import { ContentView } from '../thread/content.tsx'
import styles from './composer.module.css'

export function ScheduledList({ conversationId }: { conversationId: string }) {
  const messages = useScheduled(conversationId)
  const [isOpen, setOpen] = useState(false)
  useActions(
    messages.length > 0
      ? [
          {
            id: 'scheduled',
            label: t.scheduledMessages(messages.length),
            group: t.conversation,
            keys: 'shift+h',
            icon: ClockIcon,
            run: () => setOpen(true),
          },
        ]
      : [],
  )
  if (messages.length === 0 && !isOpen) return null
  return (
    <>
      {messages.length > 0 && (
        <button type="button" className={styles.scheduled} onClick={() => setOpen(true)}>
          <ClockIcon />
          {t.scheduledMessages(messages.length)}
        </button>
      )}
      <Dialog title={t.scheduledTitle} open={isOpen} onClose={() => setOpen(false)}>
        {messages.length === 0 && <Empty title={t.noScheduled} />}
        <ul className={styles.templates}>
          {messages.map(message => (
            <Scheduled key={message.id} message={message} />
          ))}
        </ul>
      </Dialog>
    </>
  )
}

function Scheduled({ message }: { message: Message }) {
  const { sendAt, content, deliveryError } = message
  return (
    <li className={styles.scheduledItem}>
      <div>
        <p className={styles.muted}>{sendAt && formatDateTime(new Date(sendAt))}</p>
        <p className={styles.scheduledText}>
          <ContentView content={content} />
        </p>
        {deliveryError && <p className={styles.over}>{deliveryError.message}</p>}
      </div>
      {hasScope('message:create') && (
        <Button onClick={() => void cancelScheduled(message)}>{t.cancelScheduled}</Button>
      )}
    </li>
  )
}

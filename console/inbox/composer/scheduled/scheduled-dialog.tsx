/** The messages that will be sent later, each with a button that cancels it. */
import { hasScope } from '../../../api/session.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Empty } from '../../../ui/layout/state-view.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { cancelScheduled } from '../../actions/message-actions.ts'
import type { Message } from '../../state/thread-entries.ts'
import { ContentView } from '../../thread/messages/content.tsx'
import styles from '../composer.module.css'

export interface ScheduledDialogProps {
  messages: readonly Message[]
  onClose: () => void
}

export function ScheduledDialog({ messages, onClose }: ScheduledDialogProps) {
  return (
    <Dialog title={t.scheduledTitle} open onClose={onClose}>
      {messages.length === 0 && <Empty title={t.noScheduled} />}
      <ul className={styles.templates}>
        {messages.map(message => (
          <Scheduled key={message.id} message={message} />
        ))}
      </ul>
    </Dialog>
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
        {deliveryError && (
          <p className={styles.over}>{t.deliveryReasons[deliveryError.code] ?? deliveryError.message}</p>
        )}
      </div>
      {hasScope('message:create') && (
        <Button onClick={() => void cancelScheduled(message)}>{t.cancelScheduled}</Button>
      )}
    </li>
  )
}

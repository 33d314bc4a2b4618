/** Asks once before a reply is sent although a colleague has replied since the user began to write it. */
import { formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SendIcon } from '../../ui/controls/icons.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { Message } from '../state/thread-entries.ts'
import { ContentView } from '../thread/messages/content.tsx'
import { getUserName } from '../thread/sender.ts'
import styles from './composer.module.css'

export interface CollisionProps {
  replies: readonly Message[]
  onSend: () => void
  onClose: () => void
}

export function CollisionDialog({ replies, onSend, onClose }: CollisionProps) {
  const names = [...new Set(replies.map(({ senderId }) => getUserName(senderId)))].join(', ')
  return (
    <Dialog title={t.repliedMeanwhile(names)} open onClose={onClose}>
      <ul className={styles.collisions}>
        {replies.map(({ id, senderId, createdAt, content }) => (
          <li key={id} className={styles.preview}>
            <p className={styles.muted}>
              {getUserName(senderId)} · {formatTime(createdAt)}
            </p>
            <ContentView content={content} />
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.keepWriting}</Button>
        <Button look="primary" icon={SendIcon} onClick={onSend}>
          {t.sendAnyway}
        </Button>
      </div>
    </Dialog>
  )
}

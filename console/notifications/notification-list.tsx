/** The list of notifications; each leads to its note, message or conversation. */
import { useStore } from '../app/store.ts'
import { formatFull, formatWhen } from '../i18n/format.ts'
import { t } from '../i18n/i18n.ts'
import { useConversation } from '../inbox/state/conversations.ts'
import { Button } from '../ui/controls/button.tsx'
import { AssignIcon, type Icon, MessageIcon, NoteIcon } from '../ui/controls/icons.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { describeNotification } from './describe-notification.ts'
import { texts } from './list-texts.ts'
import styles from './notifications.module.css'
import { loadNotifications, type Notification, notifications, readNotifications } from './notifications.ts'

export interface NotificationSheetProps {
  onJump: (notification: Notification) => void
  onClose: () => void
}

export function NotificationSheet({ onJump, onClose }: NotificationSheetProps) {
  return (
    <Dialog title={t.notificationList} open onClose={onClose} sheet>
      <NotificationList onJump={onJump} />
    </Dialog>
  )
}

function NotificationList({ onJump }: Pick<NotificationSheetProps, 'onJump'>) {
  const { items, unreadCount, nextPageToken, isLoaded, error } = useStore(notifications)
  if (!isLoaded)
    return error ? <Failure error={error} onRetry={() => void loadNotifications()} /> : <Loading rows={4} />
  if (items.length === 0) return <Empty title={texts().noNotifications} />
  return (
    <>
      {unreadCount > 0 && (
        <div>
          <Button onClick={() => void readNotifications()}>{texts().markAllRead}</Button>
        </div>
      )}
      <ul className={styles.list} aria-label={t.notificationList}>
        {items.map(item => (
          <Item key={item.id} notification={item} onJump={onJump} />
        ))}
      </ul>
      {error && <Failure error={error} onRetry={() => void loadNotifications(nextPageToken)} />}
      {nextPageToken && !error && (
        <Button onClick={() => void loadNotifications(nextPageToken)}>{texts().olderNotifications}</Button>
      )}
    </>
  )
}

const icons: Record<Notification['type'], Icon> = {
  mention: NoteIcon,
  assignment: AssignIcon,
  message: MessageIcon,
}

interface ItemProps {
  notification: Notification
  onJump: (notification: Notification) => void
}

function Item({ notification, onJump }: ItemProps) {
  const { type, conversationId, readAt, updatedAt } = notification
  const conversation = useConversation(conversationId)
  const Glyph = icons[type]
  const preview = type === 'message' ? conversation?.lastMessagePreview : undefined
  return (
    <li>
      <button
        type="button"
        className={styles.item}
        data-unread={readAt === null}
        onClick={() => onJump(notification)}
      >
        <Glyph className={styles.glyph} />
        <span className={styles.text}>
          {describeNotification(notification, conversation?.name)}
          {preview && <span className={styles.preview}>{preview}</span>}
        </span>
        <time className={styles.time} dateTime={updatedAt} title={formatFull(updatedAt)}>
          {formatWhen(updatedAt)}
        </time>
        {readAt === null && <span className={styles.dot} role="img" aria-label={t.filterFlags.unread.true} />}
      </button>
    </li>
  )
}

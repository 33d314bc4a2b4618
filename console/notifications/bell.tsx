/** The bell of the navigation with the number of unread notifications, and their list. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useActions } from '../actions/registry.ts'
import { keysOf } from '../actions/shortcuts.ts'
import { useStore } from '../app/store.ts'
import { t } from '../i18n/i18n.ts'
import { Count } from '../ui/controls/badge.tsx'
import { BellIcon } from '../ui/controls/icons.tsx'
import { Tooltip } from '../ui/hints/tooltip.tsx'
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import { startAlerts } from './alerts.ts'
import type { NotificationSheetProps } from './notification-list.tsx'
import { type Notification, notifications, readNotifications } from './notifications.ts'

const NotificationSheet = lazyPart<NotificationSheetProps>(
  async () => (await import('../inbox/later.ts')).NotificationSheet,
)

export function Bell({ className, badge }: { className: string | undefined; badge: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const { unreadCount } = useStore(notifications)
  const navigate = useNavigate()
  const jump = (notification: Notification) => {
    setOpen(false)
    if (notification.readAt === null) void readNotifications([notification.id])
    const { conversationId, sourceId } = notification
    const hash = sourceId ?? ''
    void navigate({ to: '/inbox/$conversationId', params: { conversationId }, search: true, hash })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: started once
  useEffect(() => startAlerts(jump), [])
  const show = () => setOpen(true)
  useActions([
    {
      id: 'notifications',
      label: t.showNotifications,
      group: t.navigation,
      icon: BellIcon,
      run: show,
    },
  ])
  return (
    <>
      <Tooltip label={t.notificationList} keys={keysOf('notifications')}>
        <button
          type="button"
          className={className}
          aria-label={unreadCount > 0 ? t.notificationsUnread(unreadCount) : t.notificationList}
          onClick={show}
        >
          <BellIcon />
          {unreadCount > 0 && (
            <span className={badge}>
              <Count value={unreadCount} label={t.unreadNotifications(unreadCount)} strong max={99} />
            </span>
          )}
        </button>
      </Tooltip>
      {isOpen && <NotificationSheet onJump={jump} onClose={() => setOpen(false)} />}
    </>
  )
}

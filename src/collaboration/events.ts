import { event } from '../platform/events/event.ts'
import type { Notification } from './notifications/schemas.ts'

/** For realtime clients of one user: a notification is new, or an unread one counts another message. */
export const notificationCreated = event<{ notification: Notification }>({ type: 'notification' })
/** For realtime clients of one user: these notifications were read. */
export const notificationsRead = event<{ ids: string[] }>({ type: 'notifications_read' })

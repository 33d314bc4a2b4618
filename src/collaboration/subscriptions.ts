import {
  contactErased,
  conversationRead,
  conversationUpdated,
  messageCreated,
  noteCreated,
} from '../conversations/events.ts'
import { isEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { notifyUsers, readNotifications } from './notifications/notifications.ts'
import { deleteNotificationsOf } from './store/notifications.ts'

/** Notifies users, marks notifications as read, and deletes those about the conversations of erased contacts. */
export const notifications = subscription({
  name: 'collaboration.notifications',
  types: [
    noteCreated.type,
    conversationUpdated.type,
    messageCreated.type,
    conversationRead.type,
    contactErased.type,
  ],
  from: 'end',
  apply: async (tx, events) => {
    const { tenantId } = events[0]!
    const notifying = [noteCreated.type, conversationUpdated.type, messageCreated.type]
    await notifyUsers(
      tx,
      tenantId,
      events.filter(({ type }) => notifying.includes(type)),
    )
    for (const event of events) {
      if (isEvent(conversationRead, event) && event.data.lastMessageId !== null)
        await readNotifications(
          tx,
          { tenantId, id: event.data.userId },
          { messagesOf: event.data.conversationId },
        )
      if (isEvent(contactErased, event)) await deleteNotificationsOf(tx, tenantId, event.data.conversationIds)
    }
  },
})

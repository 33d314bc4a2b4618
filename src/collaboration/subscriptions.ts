import {
  contactErased,
  conversationRead,
  conversationUpdated,
  messageCreated,
  noteCreated,
} from '../conversations/events.ts'
import { isEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { mayNotify, notifyUsers, readNotifications } from './notifications/notifications.ts'
import { deleteNotificationsOf } from './store/notifications.ts'

const notifying: ReadonlySet<string> = new Set([
  noteCreated.type,
  conversationUpdated.type,
  messageCreated.type,
])

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
  hasNoEffect: (_, events) => events.every(({ type }) => notifying.has(type)) && !mayNotify(events),
  apply: async (tx, events) => {
    const { tenantId } = events[0]!
    await notifyUsers(
      tx,
      tenantId,
      events.filter(({ type }) => notifying.has(type)),
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

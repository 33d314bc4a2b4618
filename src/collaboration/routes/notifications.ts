import Type from 'typebox'
import { listVisibleConversations } from '../../conversations/conversations.ts'
import { everyone } from '../../identity/rights/roles.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { nextPageToken, tokenPage, withNextPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { readNotifications, saveNotificationPreferences } from '../notifications/notifications.ts'
import { Notification, NotificationPreferences, ReadRequest } from '../notifications/schemas.ts'
import {
  listMuted,
  listNotifications,
  listUnreadConversations,
  notificationToApi,
  toPreferences,
} from '../store/notifications.ts'

const route = section('Notifications', { extension: true })
const read = { scopes: ['user:read_self'], roles: everyone, userOnly: true }
const update = { scopes: ['user:update_self'], roles: everyone, userOnly: true }
const maxCounted = 1_000
const toRecipient = ({ tenantId, id: userId }: Caller) => ({ tenantId, userId })

export const notificationRoutes = [
  route('GET /notifications', {
    operationId: 'listNotifications',
    summary: 'List your notifications, the latest first',
    description:
      'Those of conversations that you can no longer see are left out, so a page may have fewer than its size. Kept for 60 days.',
    access: read,
    query: object({ unread: Type.Optional(Type.Boolean({ description: 'true: only unread ones' })) }),
    page: tokenPage,
    success: {
      status: 200,
      body: object({
        notifications: Type.Array(Notification),
        unreadCount: Type.Integer({ description: `at most ${maxCounted}` }),
        nextPageToken,
      }),
    },
    handle: async ({ db, caller, query, page }) => {
      const recipient = toRecipient(caller)
      const [found, unread] = await Promise.all([
        listNotifications(db, recipient, { unread: query.unread ?? false, ...page }),
        listUnreadConversations(db, recipient, maxCounted),
      ])
      const { rows, next } = page.toPage(found, row => [row.updatedAt, row.id])
      const ids = [...new Set([...unread, ...rows.map(row => row.conversationId)])]
      const visible = await listVisibleConversations(db, caller, ids)
      const notifications = rows.filter(row => visible.has(row.conversationId)).map(notificationToApi)
      const unreadCount = unread.filter(id => visible.has(id)).length
      return { notifications, unreadCount, ...withNextPage(next) }
    },
  }),
  route('POST /notifications/read', {
    operationId: 'readNotifications',
    summary: 'Mark notifications as read',
    description: 'Reading a conversation marks those of its messages as read too.',
    access: update,
    body: ReadRequest,
    bodyOptional: true,
    example: {},
    success: { status: 204 },
    handle: ({ write, caller, body }) => write(tx => readNotifications(tx, caller, body)),
  }),
  route('GET /users/me/notification-preferences', {
    operationId: 'getNotificationPreferences',
    summary: 'Get which notifications you want',
    description: 'All of them at first.',
    access: read,
    success: { status: 200, body: NotificationPreferences },
    handle: async ({ db, caller }) => toPreferences(await listMuted(db, toRecipient(caller))),
  }),
  route('PUT /users/me/notification-preferences', {
    operationId: 'replaceNotificationPreferences',
    summary: 'Set which notifications you want',
    description: 'Applies to later notifications; those that exist stay.',
    access: update,
    body: NotificationPreferences,
    example: { mention: true, assignment: true, message: false },
    success: { status: 200, body: NotificationPreferences },
    handle: ({ write, caller, body }) => write(tx => saveNotificationPreferences(tx, caller, body)),
  }),
]

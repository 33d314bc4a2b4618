import Type, { type Static } from 'typebox'
import { AnyId, literals, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'

export const NotificationId = idType('ntf')
export const notificationTypes = ['mention', 'assignment', 'message'] as const
export type NotificationType = (typeof notificationTypes)[number]

export const Notification = named(
  'Notification',
  object({
    id: AnyId,
    type: literals(notificationTypes, {
      description:
        'you were mentioned in a note, a conversation was assigned to you, or a customer wrote in a conversation that you own',
    }),
    conversationId: AnyId,
    sourceId: nullable(
      Type.String({ ...AnyId, description: 'the note, or the latest message; null for an assignment' }),
    ),
    actorId: nullable(
      Type.String({ ...AnyId, description: 'who caused it; null: a customer or an automation' }),
    ),
    count: Type.Integer({ description: 'messages that an unread notification stands for' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    readAt: nullable(Timestamp),
  }),
)
export type Notification = Static<typeof Notification>

export const NotificationPreferences = named(
  'NotificationPreferences',
  object({ mention: Type.Boolean(), assignment: Type.Boolean(), message: Type.Boolean() }),
)
export type NotificationPreferences = Static<typeof NotificationPreferences>

export const ReadRequest = object({
  ids: Type.Optional(Type.Array(AnyId, { maxItems: 200, description: 'these only; without it, all' })),
})

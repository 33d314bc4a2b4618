/**
 * Notifications of users: mentions in notes, assignments, and messages of customers in conversations that they own. Made
 * from events, in the transaction that advances the consumer, so that each event notifies once.
 */
import { listAssigners } from '../../conversations/timeline/timeline.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import { emit, emitMany, type LogEvent, pendingEvent } from '../../platform/events/event.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notificationCreated, notificationsRead } from '../events.ts'
import { enqueuePushes } from '../push/send-push.ts'
import {
  filterMuted,
  insertNotifications,
  markNotificationsRead,
  type NewNotification,
  type NotificationRow,
  notificationToApi,
  replaceMuted,
} from '../store/notifications.ts'
import { NotificationId, type NotificationPreferences, notificationTypes } from './schemas.ts'

interface ConversationData {
  id: string
  activeOwner: { type: string; id: string } | null
}

type Draft = Omit<NewNotification, 'id'>

/** Whether the events, of the types that `notifyUsers` takes, concern a user. */
export function mayNotify(events: readonly LogEvent[]): boolean {
  return events.some(event => toNotifications(event).length > 0)
}

/** Inserts the notifications of a batch of events of one workspace. */
export async function notifyUsers(tx: Tx, tenantId: string, events: readonly LogEvent[]): Promise<void> {
  const drafts = events.flatMap(toNotifications)
  if (drafts.length === 0) return
  const assigned = drafts.filter(({ type }) => type === 'assignment').map(draft => draft.conversationId)
  const assigners = assigned.length > 0 ? await listAssigners(tx, tenantId, assigned) : new Map()
  const caused = drafts
    .map(draft =>
      draft.type === 'assignment'
        ? { ...draft, actorId: assigners.get(`${draft.conversationId} ${draft.userId}`) ?? null }
        : draft,
    )
    .filter(({ actorId, userId }) => actorId !== userId)
  const wanted = await filterMuted(tx, tenantId, caused)
  const rows = await insertNotifications(
    tx,
    tenantId,
    wanted.map(draft => ({ ...draft, id: NotificationId.createAt(tx.now) })),
  )
  await enqueuePushes(tx, tenantId, rows)
  await emitMany(
    tx,
    rows.map(row => toEvent(tenantId, row)),
  )
}

function toEvent(tenantId: string, row: NotificationRow) {
  return pendingEvent(notificationCreated, {
    tenantId,
    data: { notification: notificationToApi(row) },
    audience: { userIds: [row.userId], private: true },
  })
}

function toNotifications({ type, data }: LogEvent): Draft[] {
  if (type === 'note.created') return toMentions(data as never)
  if (type === 'conversation.updated') return toAssignments(data as never)
  return toMessages(data as never)
}

function toMentions({
  note,
}: {
  note: { id: string; conversationId: string; authorId: string; mentions: string[] }
}): Draft[] {
  const { id: sourceId, conversationId, authorId: actorId } = note
  return note.mentions.map(userId => ({ type: 'mention', userId, conversationId, sourceId, actorId }))
}

function toAssignments({
  conversation: { id: conversationId, activeOwner },
  changes,
}: {
  conversation: ConversationData
  changes: string[]
}): Draft[] {
  if (activeOwner?.type !== 'user' || !changes.includes('activeOwner')) return []
  return [{ type: 'assignment', userId: activeOwner.id, conversationId, sourceId: null, actorId: null }]
}

function toMessages({
  message,
  conversation: { id: conversationId, activeOwner },
}: {
  message: { id: string; senderType: string }
  conversation: ConversationData
}): Draft[] {
  if (message.senderType !== 'customer' || activeOwner?.type !== 'user') return []
  const userId = activeOwner.id
  return [{ type: 'message', userId, conversationId, sourceId: message.id, actorId: null }]
}

/** Marks notifications of the user as read; those of messages also when the conversation is read. */
export async function readNotifications(
  tx: Tx,
  { tenantId, id: userId }: Pick<Caller, 'tenantId' | 'id'>,
  selection: { ids?: readonly string[]; messagesOf?: string },
): Promise<void> {
  const ids = await markNotificationsRead(tx, { tenantId, userId }, selection)
  if (ids.length === 0) return
  await emit(tx, notificationsRead, {
    tenantId,
    data: { ids },
    audience: { userIds: [userId], private: true },
  })
}

/** The user's other clients read the preferences again. */
export async function saveNotificationPreferences(
  tx: Tx,
  { tenantId, id: userId }: Caller,
  wanted: NotificationPreferences,
): Promise<NotificationPreferences> {
  const muted = notificationTypes.filter(type => !wanted[type])
  if (await replaceMuted(tx, { tenantId, userId }, muted)) {
    const change = { kind: 'notification_preferences', id: userId } as const
    await emitChanged(tx, tenantId, change, { userIds: [userId], private: true })
  }
  return wanted
}

/**
 * Read cursors and unread counters. A cursor advances when the user reads or replies (see insert-messages.ts), and goes back
 * only when the user marks messages as unread. A receipt that the customer has seen is never taken back. The counters of a
 * user are computed under the lock of their row, which is taken before any cursor of the user: the highest version always
 * has the newest counts.
 */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { emit, emitMany, pendingEvent } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Viewer } from './access.ts'
import { viewConversations } from './conversation-views.ts'
import { getConversation } from './conversations.ts'
import { conversationRead } from './events.ts'
import type { Conversation } from './schemas.ts'
import { findMessage } from './store/messages/messages.ts'
import {
  advanceReadCursor,
  countUnread,
  findLastCustomerMessage,
  listReadStates,
  lockUnreadCounter,
  retreatReadCursor,
  type UnreadCounter,
  updateUnreadCounter,
} from './store/read-state.ts'

export async function markRead(
  tx: Tx,
  caller: Caller,
  id: string,
  lastMessageId: string,
): Promise<Conversation> {
  const conversation = await getConversation(tx, caller, id)
  // The id may be that of a conversation that was merged into this one.
  const conversationId = conversation.id
  const message = await findMessage(tx, caller.tenantId, lastMessageId)
  if (message?.conversationId !== conversationId) {
    invalid(violation('lastMessageId', 'unknown_message', 'is not a message of this conversation'))
  }
  const counter = await lockUnreadCounter(tx, caller.tenantId, caller.id)
  const { position } = message
  const seenPosition = toSeenPosition(conversation, position)
  const advanced = await advanceReadCursor(tx, caller, conversationId, { position, seenPosition })
  if (advanced) await emitRead(tx, caller, counter, { conversationId, lastMessageId })
  return (await viewConversations(tx, caller, [conversation]))[0]!
}

/** Returns how far the customer sees that the conversation was read; null on channels that do not show it. */
export const toSeenPosition = ({ channel }: { channel: string }, position: number): number | null =>
  channel === 'webchat' ? position : null

/** Marks a message and all later ones as unread; without a message, the last one of the customer. */
export async function markUnread(
  tx: Tx,
  caller: Caller,
  id: string,
  fromId: string | undefined,
): Promise<Conversation> {
  const conversation = await getConversation(tx, caller, id)
  const conversationId = conversation.id
  const from =
    fromId === undefined
      ? await findLastCustomerMessage(tx, caller.tenantId, conversationId)
      : await findMessage(tx, caller.tenantId, fromId)
  if (fromId !== undefined && from?.conversationId !== conversationId)
    invalid(violation('from', 'unknown_message', 'is not a message of this conversation'))
  const counter = await lockUnreadCounter(tx, caller.tenantId, caller.id)
  if (from && (await retreatReadCursor(tx, caller, conversationId, from.position))) {
    const [state] = await listReadStates(tx, caller, [conversationId])
    await emitRead(tx, caller, counter, { conversationId, lastMessageId: state!.lastReadMessageId })
  }
  return (await viewConversations(tx, caller, [conversation]))[0]!
}

async function emitRead(
  tx: Tx,
  caller: Caller,
  counter: UnreadCounter,
  read: { conversationId: string; lastMessageId: string | null },
): Promise<void> {
  const { version } = await recountUnread(tx, caller, counter)
  await emit(tx, conversationRead, {
    tenantId: caller.tenantId,
    data: { userId: caller.id, ...read, version },
    audience: { teamIds: [], userIds: [caller.id] },
  })
}

/** Emits for conversations in which the cursors of a user were moved, with one count for all of them. */
export async function emitManyRead(
  tx: Tx,
  viewer: Viewer,
  counter: UnreadCounter,
  conversationIds: readonly string[],
): Promise<void> {
  if (conversationIds.length === 0) return
  const { tenantId, id: userId } = viewer
  const { version } = await recountUnread(tx, viewer, counter)
  const states = await listReadStates(tx, viewer, conversationIds)
  await emitMany(
    tx,
    states.map(({ conversationId, lastReadMessageId }) =>
      pendingEvent(conversationRead, {
        tenantId,
        data: { userId, conversationId, lastMessageId: lastReadMessageId, version },
        audience: { teamIds: [], userIds: [userId] },
      }),
    ),
  )
}

export function getUnread(deps: Deps, caller: Caller): Promise<UnreadCounter> {
  return transact(deps.db, async tx =>
    recountUnread(tx, caller, await lockUnreadCounter(tx, caller.tenantId, caller.id)),
  )
}

async function recountUnread(tx: Tx, caller: Viewer, locked: UnreadCounter): Promise<UnreadCounter> {
  const now = await countUnread(tx, caller)
  if (now.count === locked.count && now.conversations === locked.conversations) return locked
  return (
    (await updateUnreadCounter(tx, caller.tenantId, caller.id, now)) ??
    fail({ status: 404, code: 'auth_user_not_found', title: 'User not found' })
  )
}

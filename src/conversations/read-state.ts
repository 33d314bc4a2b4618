/**
 * Read cursors and unread counters. A cursor only advances; a reply advances the sender's (store/insert-messages.ts). The
 * counters of a user are computed under the lock of their row, which is taken before any cursor of the user: the highest
 * version always has the newest counts.
 */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { emit } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import { getConversation } from './conversations.ts'
import { conversationRead } from './events.ts'
import type { Conversation } from './schemas.ts'
import { conversationToApi } from './store/conversations.ts'
import { findMessage } from './store/messages.ts'
import {
  advanceReadCursor,
  countUnread,
  lockUnreadCounter,
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
  const advanced = await advanceReadCursor(tx, caller.tenantId, caller.id, conversationId, message.position)
  if (advanced) {
    const { version } = await recountUnread(tx, caller, counter)
    const data = { userId: caller.id, conversationId, lastMessageId, version }
    await emit(tx, conversationRead, {
      tenantId: caller.tenantId,
      data,
      audience: { teamIds: [], userIds: [caller.id] },
    })
  }
  return conversationToApi(conversation)
}

export function getUnread(deps: Deps, caller: Caller): Promise<UnreadCounter> {
  return transact(deps.db, async tx =>
    recountUnread(tx, caller, await lockUnreadCounter(tx, caller.tenantId, caller.id)),
  )
}

async function recountUnread(tx: Tx, caller: Caller, locked: UnreadCounter): Promise<UnreadCounter> {
  const now = await countUnread(tx, caller)
  if (now.count === locked.count && now.conversations === locked.conversations) return locked
  return (
    (await updateUnreadCounter(tx, caller.tenantId, caller.id, now)) ??
    fail({ status: 404, code: 'auth_user_not_found', title: 'User not found' })
  )
}

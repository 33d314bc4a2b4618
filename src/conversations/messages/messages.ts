/** Reads messages with their reactions and their timeline, for callers who may see the conversation. */
import type { Queryable } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, withNextPage } from '../../platform/http/page.ts'
import { getConversation } from '../conversations.ts'
import { MessageNotFound } from '../errors.ts'
import type { Message } from '../schemas.ts'
import { conversationToApi, findVisibleConversation } from '../store/conversations.ts'
import { listMessages } from '../store/message-pages.ts'
import { findMessage, listTimeline, type MessageView, messageToApi } from '../store/messages.ts'
import { listReactions } from '../store/reactions.ts'
import type { AcceptedMessage } from './message-row.ts'
import type { ReactionRow } from './reactions.ts'

export {
  findLastUserSender,
  findMessage,
  listConversationIds,
  listOpeningMessages,
  outranks,
} from '../store/messages.ts'

function withReactions(row: MessageView, reactions: ReactionRow[] | null): Message {
  const message = messageToApi(row)
  return reactions && reactions.length > 0 ? { ...message, reactions } : message
}

export async function listConversationMessages(
  on: Queryable,
  caller: Caller,
  conversationId: string,
  page: Page,
): Promise<{ messages: Message[]; nextPageToken: string | null }> {
  const read = (id: string) => listMessages(on, caller, { ...page, conversationId: id })
  let messages = await read(conversationId)
  // Empty: the conversation has no messages, was merged into another, is not visible, or does not exist.
  if (messages.length === 0) {
    const { id } = await getConversation(on, caller, conversationId)
    if (id !== conversationId) messages = await read(id)
  }
  const { rows, next } = page.toPage(messages, row => [row.position])
  return {
    messages: rows.map(row => withReactions(row, row.reactions)),
    ...withNextPage(next),
  }
}

export async function getMessage(on: Queryable, caller: Caller, id: string): Promise<AcceptedMessage> {
  const row = (await findMessage(on, caller.tenantId, id)) ?? fail(MessageNotFound)
  const [conversation, reactions, entries] = await Promise.all([
    findVisibleConversation(on, caller, row.conversationId),
    listReactions(on, caller.tenantId, id),
    listTimeline(on, caller.tenantId, id),
  ])
  if (!conversation) fail(MessageNotFound)
  const timeline = entries.map(({ at, type, details }) => ({ at, type, ...(details ? { details } : {}) }))
  return {
    message: { ...withReactions(row, reactions), timeline },
    conversation: conversationToApi(conversation),
  }
}

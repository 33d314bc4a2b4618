/** Reads messages with their reactions and their timeline, for callers who may see the conversation. */
import type { Queryable } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, withNextPage } from '../../platform/http/page.ts'
import { getConversation } from '../conversations.ts'
import { MessageNotFound } from '../errors.ts'
import { scheduledToApi } from '../outbound/schedule-message.ts'
import type { Message } from '../schemas.ts'
import { conversationToApi } from '../store/conversations/conversation-rows.ts'
import { findVisibleConversation } from '../store/conversations/conversations.ts'
import { listMessages } from '../store/messages/message-pages.ts'
import {
  findMessage,
  listTimeline,
  type MessageRow,
  type MessageView,
  messageToApi,
} from '../store/messages/messages.ts'
import { listReactions, type ReactionRow } from '../store/messages/reactions.ts'
import { findScheduled } from '../store/messages/scheduled-messages.ts'
import type { WindowQuery } from '../timeline/schemas.ts'
import type { AcceptedMessage } from './message-row.ts'

export {
  findLastUserSender,
  findMessage,
  listConversationIds,
  listOpeningMessages,
  outranks,
} from '../store/messages/messages.ts'

export function withReactions(row: MessageView, reactions: ReactionRow[] | null): Message {
  const message = messageToApi(row)
  return reactions && reactions.length > 0 ? { ...message, reactions } : message
}

export async function listConversationMessages(
  on: Queryable,
  caller: Caller,
  conversationId: string,
  page: Page,
  query: WindowQuery = {},
): Promise<{ messages: Message[]; nextPageToken: string | null }> {
  const { limit, after } = page
  const read = (id: string) => listMessages(on, caller, { ...query, limit, after, conversationId: id })
  let messages = await read(conversationId)
  // Empty: the conversation has no messages, was merged into another, is not visible, or does not exist.
  if (messages.length === 0) {
    const { id } = await getConversation(on, caller, conversationId)
    if (id !== conversationId) messages = await read(id)
    if (messages.length === 0 && query.around) await checkAnchor(on, caller, id, query.around)
  }
  const { rows, next } = page.toPage(messages, row => [row.position])
  return {
    messages: rows.map(row => withReactions(row, row.reactions)),
    ...withNextPage(next),
  }
}

/** The newest message has none after it; an unknown one is an error of the caller. */
async function checkAnchor(on: Queryable, { tenantId }: Caller, conversationId: string, around: string) {
  if ((await findMessage(on, tenantId, around))?.conversationId !== conversationId)
    invalid(violation('around', 'unknown_message', 'is not a message of this conversation'))
}

async function getScheduled(on: Queryable, caller: Caller, id: string): Promise<AcceptedMessage> {
  const row = await findScheduled(on, caller.tenantId, id)
  if (!row) {
    // It may have become due between the two reads.
    const accepted = (await findMessage(on, caller.tenantId, id)) ?? fail(MessageNotFound)
    return getStored(on, caller, accepted)
  }
  const conversation = await findVisibleConversation(on, caller, row.conversationId)
  if (!conversation) fail(MessageNotFound)
  return { message: scheduledToApi(row), conversation: conversationToApi(conversation) }
}

export async function getMessage(on: Queryable, caller: Caller, id: string): Promise<AcceptedMessage> {
  const row = await findMessage(on, caller.tenantId, id)
  if (!row) return getScheduled(on, caller, id)
  return getStored(on, caller, row)
}

async function getStored(on: Queryable, caller: Caller, row: MessageRow): Promise<AcceptedMessage> {
  const { id } = row
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

/** Reading messages, and reacting to them, within what the caller may see. */
import { findAccount, providers } from '../inboxes/accounts.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Page } from '../platform/http/page.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { Discard, job } from '../platform/jobs/job.ts'
import { getConversation } from './conversations.ts'
import { MessageNotFound, ReactionNotFound } from './errors.ts'
import type { AcceptedMessage } from './outbound/accept-message.ts'
import { isOneEmoji, putReaction, type ReactionRow } from './reactions.ts'
import type { Message } from './schemas.ts'
import { conversationToApi, findConversation, findVisibleConversation } from './store/conversations.ts'
import { listMessages } from './store/message-pages.ts'
import { findMessage, listTimeline, type MessageView, messageToApi } from './store/messages.ts'
import { listReactions } from './store/reactions.ts'

export { findLastUserSender, findMessage, outranks } from './store/messages.ts'

function withReactions(row: MessageView, reactions: ReactionRow[] | null): Message {
  const message = messageToApi(row)
  return reactions && reactions.length > 0 ? { ...message, reactions } : message
}

export async function listConversationMessages(
  on: Queryable,
  caller: Caller,
  conversationId: string,
  page: Page,
): Promise<{ messages: Message[]; nextPageToken?: string }> {
  const read = (id: string) => listMessages(on, caller, { ...page, conversationId: id })
  let messages = await read(conversationId)
  // Nothing: one without messages, one that became part of another, one that is not to be seen, or none.
  if (messages.length === 0) {
    const { id } = await getConversation(on, caller, conversationId)
    if (id !== conversationId) messages = await read(id)
  }
  const { rows, next } = page.toPage(messages, row => [row.position])
  return {
    messages: rows.map(row => withReactions(row, row.reactions)),
    ...(next ? { nextPageToken: next } : {}),
  }
}

export async function getMessage(on: Queryable, caller: Caller, id: string): Promise<AcceptedMessage> {
  const row = (await findMessage(on, caller.tenantId, id)) ?? fail(MessageNotFound)
  const [conversation, reactions, lines] = await Promise.all([
    findVisibleConversation(on, caller, row.conversationId),
    listReactions(on, caller.tenantId, id),
    listTimeline(on, caller.tenantId, id),
  ])
  if (!conversation) fail(MessageNotFound)
  const timeline = lines.map(({ at, type, details }) => ({ at, type, ...(details ? { details } : {}) }))
  return {
    message: { ...withReactions(row, reactions), timeline },
    conversation: conversationToApi(conversation),
  }
}

export async function reactToMessage(
  tx: Tx,
  caller: Caller,
  id: string,
  { emoji, removed }: { emoji: string; removed?: boolean },
): Promise<{ reaction: ReactionRow }> {
  if (!isOneEmoji(emoji)) invalid(violation('emoji', 'invalid_format', 'must be exactly one emoji'))
  const { message } = await getMessage(tx, caller, id)
  const sender = { type: caller.kind === 'service' ? 'service' : 'user', id: caller.id }
  const reaction = await putReaction(tx, caller.tenantId, message.id, sender, removed ? undefined : emoji)
  if (!reaction) fail(ReactionNotFound)
  const payload = { messageId: message.id, emoji: removed ? null : emoji }
  await enqueue(tx, sendReaction, { tenantId: caller.tenantId, orderingKey: message.conversationId, payload })
  return { reaction }
}

/** To the customer's phone; a reaction is a courtesy, so a refusal is not tried for long. */
export const sendReaction = job<{ messageId: string; emoji: string | null }>({
  name: 'conversations.send_reaction',
  priority: 'urgent',
  retry: { maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 30_000 },
  handle: async (deps: Deps, { messageId, emoji }, work) => {
    const message = await findMessage(deps.db, work.tenantId, messageId)
    const conversation = message && (await findConversation(deps.db, work.tenantId, message.conversationId))
    const account = message && (await findAccount(deps, work.tenantId, message.inboxId))
    if (!conversation || !account || !message.channelMessageId)
      throw new Discard('there is nothing to react to')
    const reacting = {
      to: conversation.externalId,
      channelMessageId: message.channelMessageId,
      ...(emoji ? { emoji } : {}),
    }
    const result = await providers[account.channel].react(
      { ...account, holdsLease: work.holdsLease },
      reacting,
    )
    if (!result.ok && result.failure.kind === 'permanent') throw new Discard(result.failure.message)
    if (!result.ok) throw new Error(result.failure.message)
  },
})

/** Reactions: one for each sender and message; a new emoji replaces the old one. */
import { findContactByIdentity } from '../../contacts/identities/identities.ts'
import { findAccount, providers } from '../../inboxes/accounts/accounts.ts'
import { supportedReactions } from '../../inboxes/capabilities/content.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { Discard, job, RetryLater } from '../../platform/jobs/job.ts'
import { MessageNotFound, ReactionNotFound, ReactionsUnsupported } from '../errors.ts'
import { ReactionId } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { findConversation, findVisibleConversation } from '../store/conversations/conversations.ts'
import { findMessage, messageToApi, touchMessage } from '../store/messages/messages.ts'
import {
  deleteReaction,
  findLatestOwnEmoji,
  listReactions,
  type ReactionRow,
  upsertReaction,
} from '../store/messages/reactions.ts'
import { emitMessageUpdated, lockMessagesWithConversations } from './delivery-status.ts'

interface ReactionChange {
  /** Null: the customer of the conversation. */
  sender: { type: string; id: string } | null
  /** Undefined to remove any reaction of the sender. */
  emoji: string | undefined
  removed: boolean
}

/** Sets the sender's reaction, or removes it. Returns the reaction, or the one that was removed. */
async function putReaction(
  tx: Tx,
  tenantId: string,
  messageId: string,
  { sender, emoji, removed }: ReactionChange,
): Promise<ReactionRow | undefined> {
  const { rows, conversations } = await lockMessagesWithConversations(tx, [{ tenantId, messageId }])
  const message = rows.get(messageId)
  if (!message) return undefined
  const conversation = conversations.get(message.conversationId)!
  const { type: senderType, id: senderId } = sender ?? {
    type: 'customer',
    id: await findReactingContact(tx, tenantId, conversation),
  }
  const reaction = { messageId, senderType, senderId, emoji }
  const changed =
    removed || !emoji
      ? await deleteReaction(tx, tenantId, reaction)
      : await upsertReaction(tx, tenantId, { ...reaction, emoji, id: ReactionId.create(), createdAt: tx.now })
  if (!changed) return undefined
  await touchMessage(tx, tenantId, messageId)
  const reactions = await listReactions(tx, tenantId, messageId)
  const updated = { ...messageToApi({ ...message, updatedAt: tx.now }), reactions }
  await emitMessageUpdated(tx, updated, conversation, ['reactions'])
  return changed
}

export async function reactToMessage(
  tx: Tx,
  caller: Caller,
  id: string,
  { emoji, removed = false }: { emoji: string; removed?: boolean },
): Promise<{ reaction: ReactionRow }> {
  if (!isOneEmoji(emoji)) invalid(violation('emoji', 'invalid_format', 'must be exactly one emoji'))
  const message = await findMessage(tx, caller.tenantId, id)
  const conversation = message && (await findVisibleConversation(tx, caller, message.conversationId))
  if (!conversation) fail(MessageNotFound)
  checkChannel(conversation.channel, emoji, removed)
  const sender = { type: caller.kind === 'service' ? 'service' : 'user', id: caller.id }
  const reaction = await putReaction(tx, caller.tenantId, id, { sender, emoji, removed })
  if (!reaction) fail(ReactionNotFound)
  const { tenantId } = caller
  await enqueue(tx, sendReaction, { tenantId, orderingKey: conversation.id, payload: { messageId: id } })
  return { reaction }
}

function checkChannel(channel: Channel, emoji: string, removed: boolean): void {
  const supported = supportedReactions[channel]
  if (supported === 'any') return
  if (supported.length === 0) fail(ReactionsUnsupported, `${channel} does not support reactions`)
  if (!removed && !supported.includes(emoji))
    invalid(violation('emoji', 'content_unsupported', `must be ${supported[0]} on ${channel}`))
}

/** The contact that owns the customer's address now, also before its first message; otherwise the one that had it. */
async function findReactingContact(
  tx: Tx,
  tenantId: string,
  { addressOwnerId, contactId, channel, externalId }: ConversationRow,
): Promise<string> {
  if (addressOwnerId !== null) return addressOwnerId
  return (await findContactByIdentity(tx, tenantId, { channel, externalId })) ?? contactId
}

/** Applies a reaction of the customer; without an emoji it is removed. */
export async function applyCustomerReaction(
  tx: Tx,
  tenantId: string,
  messageId: string,
  emoji: string | undefined,
): Promise<void> {
  await putReaction(tx, tenantId, messageId, { sender: null, emoji, removed: emoji === undefined })
}

const retryPendingMs = 1_000

/**
 * Sends the reaction that our side has on the message now: the latest one, or none. A provider shows the customer one
 * reaction of the business. Retried briefly: a lost reaction does little harm.
 */
export const sendReaction = job<{ messageId: string }>({
  name: 'conversations.send_reaction',
  priority: 'urgent',
  retry: { maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 30_000 },
  handle: async (deps: Deps, { messageId }, work) => {
    const { tenantId } = work
    const message = await findMessage(deps.db, tenantId, messageId)
    if (message?.status === 'pending') throw new RetryLater(retryPendingMs, 'the message is not sent yet')
    const conversation = message && (await findConversation(deps.db, tenantId, message.conversationId))
    const account = message && (await findAccount(deps, tenantId, message.inboxId))
    if (!conversation || !account || !message.channelMessageId)
      throw new Discard('the message was not sent, or it or its inbox no longer exists')
    const emoji = await findLatestOwnEmoji(deps.db, tenantId, messageId)
    const reaction = {
      to: conversation.externalId,
      channelMessageId: message.channelMessageId,
      ...(emoji ? { emoji } : {}),
    }
    const result = await providers[account.channel].react(
      { ...account, holdsLease: work.holdsLease },
      reaction,
    )
    if (!result.ok && result.failure.kind === 'permanent') throw new Discard(result.failure.message)
    if (!result.ok) throw new Error(result.failure.message)
  },
})

/** One grapheme that is drawn as a picture. */
function isOneEmoji(text: string): boolean {
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)]
  return (
    graphemes.length === 1 &&
    /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3/u.test(text)
  )
}

/** Reactions: one for each sender and message; a new emoji replaces the old one. */
import type { Static } from 'typebox'
import { findAccount, providers } from '../inboxes/accounts.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { Discard, job } from '../platform/jobs/job.ts'
import { emitMessageUpdated, lockMessagesWithConversations } from './delivery-status.ts'
import { MessageNotFound, ReactionNotFound } from './errors.ts'
import { type Reaction, ReactionId } from './schemas.ts'
import { findConversation, findVisibleConversation } from './store/conversations.ts'
import { findMessage } from './store/messages.ts'
import { deleteReaction, upsertReaction } from './store/reactions.ts'

export type ReactionRow = Static<typeof Reaction>

/** Sets the sender's reaction, or removes it without an emoji. Returns the reaction, or the one that was removed. */
export async function putReaction(
  tx: Tx,
  tenantId: string,
  messageId: string,
  sender: { type: string; id: string },
  emoji: string | undefined,
): Promise<ReactionRow | undefined> {
  const { rows, conversations } = await lockMessagesWithConversations(tx, [{ tenantId, messageId }])
  const message = rows.get(messageId)
  if (!message) return undefined
  const row = {
    id: ReactionId.create(),
    messageId,
    senderType: sender.type,
    senderId: sender.id,
    emoji: emoji ?? '',
    createdAt: tx.now,
  }
  const changed = emoji
    ? await upsertReaction(tx, tenantId, row)
    : await deleteReaction(tx, tenantId, messageId, sender.id)
  if (changed) await emitMessageUpdated(tx, message, conversations.get(message.conversationId)!)
  return changed
}

export async function reactToMessage(
  tx: Tx,
  caller: Caller,
  id: string,
  { emoji, removed }: { emoji: string; removed?: boolean },
): Promise<{ reaction: ReactionRow }> {
  if (!isOneEmoji(emoji)) invalid(violation('emoji', 'invalid_format', 'must be exactly one emoji'))
  const message = await findMessage(tx, caller.tenantId, id)
  if (!message || !(await findVisibleConversation(tx, caller, message.conversationId))) fail(MessageNotFound)
  const sender = { type: caller.kind === 'service' ? 'service' : 'user', id: caller.id }
  const reaction = await putReaction(tx, caller.tenantId, message.id, sender, removed ? undefined : emoji)
  if (!reaction) fail(ReactionNotFound)
  const payload = { messageId: message.id, emoji: removed ? null : emoji }
  await enqueue(tx, sendReaction, { tenantId: caller.tenantId, orderingKey: message.conversationId, payload })
  return { reaction }
}

/** Sends a reaction to the customer. Retried briefly: a lost reaction does little harm. */
export const sendReaction = job<{ messageId: string; emoji: string | null }>({
  name: 'conversations.send_reaction',
  priority: 'urgent',
  retry: { maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 30_000 },
  handle: async (deps: Deps, { messageId, emoji }, work) => {
    const message = await findMessage(deps.db, work.tenantId, messageId)
    const conversation = message && (await findConversation(deps.db, work.tenantId, message.conversationId))
    const account = message && (await findAccount(deps, work.tenantId, message.inboxId))
    if (!conversation || !account || !message.channelMessageId)
      throw new Discard('the message or its inbox no longer exists')
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

/** Reactions: one per sender and message; a new emoji replaces the old one. */

import type { Static } from 'typebox'
import type { Tx } from '../platform/db/db.ts'
import { emitMessageUpdated, lockMessagesWithConversations } from './delivery-status.ts'
import { type Reaction, ReactionId } from './schemas.ts'
import { deleteReaction, upsertReaction } from './store/reactions.ts'

export type ReactionRow = Static<typeof Reaction>

/** Without an emoji it is taken back; gives the reaction as it is now, or the one that was removed. */
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

/** Exactly one emoji: one grapheme that is drawn as a picture. */
export function isOneEmoji(text: string): boolean {
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)]
  return (
    graphemes.length === 1 &&
    /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3/u.test(text)
  )
}

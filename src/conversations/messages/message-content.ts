/** Replaces the content of stored messages: edits and withdrawals of their sender, and texts of templates. */
import { buildPreview, type Content } from '../../inboxes/content.ts'
import type { InboundEdit } from '../../inboxes/providers/provider.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emit } from '../../platform/events/event.ts'
import { messageContentReplaced } from '../events.ts'
import { discardInboundMedia } from '../media/attachments.ts'
import { lockConversation } from '../store/conversations/conversations.ts'
import {
  findMessage,
  listMessageParts,
  lockMessages,
  type MessageRow,
  messageToApi,
  updateContent,
} from '../store/messages/messages.ts'
import { addTimelineEntry, emitMessageUpdated } from './delivery-status.ts'

/**
 * Stores what `replace` returns for the message, and updates the preview if it is the latest. Returns the message as it
 * was; undefined when it does not exist or `replace` returns nothing.
 */
export async function replaceContent(
  tx: Tx,
  tenantId: string,
  messageId: string,
  replace: (content: Content) => Content | undefined,
): Promise<MessageRow | undefined> {
  const found = await findMessage(tx, tenantId, messageId)
  const conversation = found && (await lockConversation(tx, tenantId, found.conversationId))
  if (!conversation) return undefined
  const [message] = await lockMessages(tx, [{ tenantId, messageId }])
  const content = message && replace(message.content)
  if (!content) return undefined
  const preview = buildPreview(content)
  await updateContent(tx, tenantId, messageId, content, preview)
  const isLatest = message.position === conversation.messageCount
  const replaced = messageToApi({ ...message, content, updatedAt: tx.now })
  await emit(tx, messageContentReplaced, { tenantId, data: { message: replaced } })
  await emitMessageUpdated(
    tx,
    replaced,
    isLatest ? { ...conversation, lastMessagePreview: preview } : conversation,
    ['content'],
  )
  return message
}

/** Applies an edit or a withdrawal. The files of a withdrawn message of a customer are deleted with it. */
export async function applyEdit(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  { channelMessageId, content }: InboundEdit,
): Promise<void> {
  const parts = await listMessageParts(tx, tenantId, inboxId, channelMessageId)
  for (const { id } of content.type === 'deleted' ? parts : parts.slice(0, 1)) {
    const before = await replaceContent(tx, tenantId, id, stored =>
      isNewer(stored, content) ? content : undefined,
    )
    if (!before) continue
    await addTimelineEntry(tx, tenantId, id, content.type === 'deleted' ? 'deleted' : 'edited', null)
    if (content.type === 'deleted' && before.direction === 'in')
      await discardInboundMedia(tx, tenantId, before)
  }
}

/** Edits may be reported out of order; a withdrawal is final. */
function isNewer(stored: Content, content: InboundEdit['content']): boolean {
  if (stored.type === 'deleted') return false
  const editedAt = stored.type === 'text' ? stored.text.editedAt : undefined
  return content.type === 'deleted' || editedAt === undefined || content.text.editedAt! >= editedAt
}

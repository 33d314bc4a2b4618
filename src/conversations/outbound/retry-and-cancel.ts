/**
 * Sends failed messages again, and cancels messages that were not handed to the provider. Both decide under the lock of
 * the message: delivery marks the start of a send on the same row, so a message is either cancelled or sent.
 */
import { buildPreview, type Content } from '../../inboxes/content.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import {
  MessageNotCancellable,
  MessageNotFound,
  MessageNotRetryable,
  MessageNotScheduled,
} from '../errors.ts'
import { addTimelineEntry, emitMessageUpdated } from '../messages/delivery-status.ts'
import type { AcceptedMessage } from '../messages/message-row.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { lockVisibleConversation } from '../store/conversations/conversations.ts'
import { resetDelivery } from '../store/messages/deliveries.ts'
import {
  findMessage,
  lockMessages,
  type MessageRow,
  messageToApi,
  updateContent,
  updateStatuses,
} from '../store/messages/messages.ts'
import { deliverMessage } from './deliver-message.ts'
import { checkSendAt, lockVisibleScheduled, reschedule, unschedule } from './schedule-message.ts'

interface LockedMessage {
  message: MessageRow
  conversation: ConversationRow
}

async function lockVisibleMessage(tx: Tx, caller: Caller, id: string): Promise<LockedMessage> {
  const { tenantId } = caller
  const found = (await findMessage(tx, tenantId, id)) ?? fail(MessageNotFound)
  const conversation = await lockVisibleConversation(tx, caller, found.conversationId)
  const [message] = conversation ? await lockMessages(tx, [{ tenantId, messageId: id }]) : []
  return message && conversation ? { message, conversation } : fail(MessageNotFound)
}

/**
 * Queues the message again, after those of its conversation that are queued already. Its first send failed permanently, so
 * nothing sends it twice; a late report that the provider delivered it after all ends the retry.
 */
export async function retryMessage(tx: Tx, caller: Caller, id: string): Promise<AcceptedMessage> {
  const { tenantId } = caller
  const { message, conversation } = await lockVisibleMessage(tx, caller, id)
  if (message.direction === 'in' || message.status !== 'failed')
    fail(MessageNotRetryable, 'only messages that failed can be sent again')
  if (message.content.type === 'deleted') fail(MessageNotRetryable, 'the message was cancelled')
  if (message.senderType !== 'user' && message.senderType !== 'service')
    fail(MessageNotRetryable, 'the automation that sent it has already reacted to the failure')
  await resetDelivery(tx, tenantId, id)
  const details = message.channelMessageId ? { channelMessageId: message.channelMessageId } : null
  await addTimelineEntry(tx, tenantId, id, 'retried', details)
  await enqueue(tx, deliverMessage, {
    tenantId,
    orderingKey: message.conversationId,
    payload: { messageId: id, inboxId: message.inboxId },
  })
  const retried = messageToApi({
    ...message,
    status: 'pending',
    error: null,
    channelMessageId: null,
    updatedAt: tx.now,
  })
  await emitMessageUpdated(tx, retried, conversation, ['deliveryStatus', 'deliveryError'])
  return { message: retried, conversation: conversationToApi(conversation) }
}

/** Cancels a scheduled message, or one that was accepted and not handed to the provider. */
export async function cancelMessage(tx: Tx, caller: Caller, id: string): Promise<void> {
  const scheduled = await lockVisibleScheduled(tx, caller, id)
  if (scheduled) return unschedule(tx, scheduled)
  const { tenantId } = caller
  const { message, conversation } = await lockVisibleMessage(tx, caller, id)
  if (message.direction === 'in' || message.status !== 'pending' || message.sendStartedAt !== null)
    fail(MessageNotCancellable, 'only messages that were not handed to the provider can be cancelled')
  const content: Content = { type: 'deleted', deleted: { at: tx.now } }
  const error = {
    code: 'cancelled',
    message: 'the message was cancelled before it was sent',
    retryable: false,
  }
  const cancelled: MessageRow = { ...message, content, status: 'failed', error, updatedAt: tx.now }
  const preview = buildPreview(content)
  await updateStatuses(tx, [cancelled])
  await updateContent(tx, tenantId, id, content, preview)
  await addTimelineEntry(tx, tenantId, id, 'cancelled', { userId: caller.id })
  const isLatest = message.position === conversation.messageCount
  await emitMessageUpdated(
    tx,
    messageToApi(cancelled),
    isLatest ? { ...conversation, lastMessagePreview: preview } : conversation,
    ['content', 'deliveryStatus', 'deliveryError'],
  )
}

export async function changeSendAt(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Caller,
  id: string,
  sendAt: string,
): Promise<AcceptedMessage> {
  const scheduled = await lockVisibleScheduled(tx, caller, id)
  if (scheduled) return reschedule(tx, scheduled, checkSendAt(deps, sendAt))
  await lockVisibleMessage(tx, caller, id)
  return fail(MessageNotScheduled, 'the message was sent already, or is being sent')
}

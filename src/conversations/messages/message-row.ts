/** Builds the row of a new message, inbound or outbound, with the `message.created` event that goes into the same statement. */

import { buildPreview, type Content } from '../../inboxes/content.ts'
import { EventId } from '../../platform/events/event.ts'
import { toAudience } from '../access.ts'
import {
  type Conversation,
  type DeliveryStatus,
  type Message,
  MessageId,
  type SenderType,
  type StoredContext,
} from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { type NewMessage, toAssignmentKey } from '../store/messages/insert-messages.ts'

export interface AcceptedMessage {
  message: Message
  conversation: Conversation
}

export interface MessageInput {
  /** The id of a message that was scheduled; otherwise a new one. */
  id?: string
  direction: 'in' | 'out'
  status: DeliveryStatus
  sender: { type: SenderType; id: string }
  content: Content
  context: StoredContext[]
  channelMessageId?: string
  clientMessageId?: string
  fingerprint?: string
  /** The message may go into a session that is closed, which stays closed. */
  intoClosed?: boolean
}

const isPerson = (type: SenderType) => type !== 'journey' && type !== 'bot' && type !== 'campaign'

/** The effect of a customer's message on the conversation (store/messages/insert-messages.ts). */
export function wakeAndWait(row: ConversationRow, now: string) {
  const waitingSince = row.waitingSince ?? now
  return { snoozed: false, snoozedUntil: null, waitingSince, lastCustomerAt: now }
}

export function buildMessage(
  { now, tenantId }: { now: string; tenantId: string },
  row: ConversationRow,
  input: MessageInput,
): { row: NewMessage; accepted: AcceptedMessage } {
  const { direction, status, sender, content, context, channelMessageId, clientMessageId } = input
  const id = input.id ?? MessageId.create()
  const preview = buildPreview(content)
  const message: Message = {
    id,
    createdAt: now,
    updatedAt: now,
    tenantId,
    conversationId: row.id,
    senderType: sender.type,
    senderId: sender.id,
    contactId: row.contactId,
    content,
    deliveryStatus: status,
    ...(channelMessageId ? { channelMessageId } : {}),
    ...(clientMessageId ? { clientMessageId } : {}),
    ...(context.length > 0 ? { context } : {}),
  }
  const conversation = conversationToApi({
    ...row,
    ...(direction === 'in' ? wakeAndWait(row, now) : isPerson(sender.type) ? { waitingSince: null } : {}),
    lastMessageAt: now,
    lastMessagePreview: preview,
    lastMessageSender: sender.type,
  })
  const audience = toAudience(row)
  return {
    row: {
      id,
      tenantId,
      conversationId: row.id,
      sessionId: row.sessionId,
      contactId: row.contactId,
      direction,
      senderType: sender.type,
      senderId: sender.id,
      content: JSON.stringify(content),
      context: context.length > 0 ? JSON.stringify(context) : null,
      status,
      channelMessageId: channelMessageId ?? null,
      clientMessageId: clientMessageId ?? null,
      clientFingerprint: input.fingerprint ?? null,
      preview,
      event: JSON.stringify({ message, conversation }),
      audience: audience ? JSON.stringify(audience) : null,
      eventId: EventId.create(),
      assignmentKey: toAssignmentKey(row),
      intoClosed: input.intoClosed ?? false,
    },
    accepted: { message, conversation },
  }
}

/** Internal events: not delivered to webhooks or realtime clients. */
import type { Message } from '../conversations/schemas.ts'
import { event } from '../platform/events/event.ts'

/** Emitted for the first reply of each recipient. */
export const campaignReplied = event<{
  campaignId: string
  contactId: string
  conversationId: string
  messageId: string
  message: Message
}>({ type: 'campaign.replied' })

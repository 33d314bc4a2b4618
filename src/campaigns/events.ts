/** For the domains beside and above: nobody outside the installation hears of these. */
import { event } from '../platform/events/event.ts'

/** The first answer of a recipient: the contact, and the message they wrote. */
export const campaignReplied = event<{
  campaignId: string
  contactId: string
  conversationId: string
  messageId: string
}>({ type: 'campaign.replied' })

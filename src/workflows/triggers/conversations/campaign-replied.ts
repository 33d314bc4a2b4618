import Type from 'typebox'
import type { Message } from '../../../conversations/schemas.ts'
import { AnyId } from '../../../platform/http/schemas.ts'
import { getText } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'

/** Data of the event `campaign.replied`; campaigns are a sibling domain, so its type cannot be imported. */
interface Reply {
  campaignId: string
  contactId: string
  conversationId?: string | null
  messageId: string
  /** Missing in events of earlier versions. */
  message?: Message
}

export const campaignReplied = defineTrigger({
  type: 'campaign_replied',
  summary: 'A recipient replied to a campaign',
  docs: `Starts when a recipient replies to a message of the campaign \`campaignId\`, or of any campaign if it is omitted. The run
reads the reply as \`message\`.`,
  config: { campaignId: Type.Optional(AnyId) },
  references: ({ campaignId }) =>
    campaignId === undefined ? [] : [{ kind: 'campaign', id: campaignId, path: 'campaignId' }],
  events: ['campaign.replied'],
  match: (config, event) => {
    const { campaignId, contactId, conversationId, messageId, message } = event.data as Reply
    if (config.campaignId !== undefined && config.campaignId !== campaignId) return undefined
    return {
      contactId,
      conversationId: conversationId ?? null,
      event: {
        name: event.type,
        key: null,
        data: { campaignId, messageId, text: message ? getText(message.content) : null },
      },
      message,
    }
  },
})

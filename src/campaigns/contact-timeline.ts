/** What campaigns contribute to the timeline of a contact: the messages that were sent to it. */
import Type from 'typebox'
import { AnyId } from '../platform/http/schemas.ts'
import { type TimelinePart, timelineEntry } from '../platform/timeline-parts.ts'
import { RecipientStatus } from './schemas.ts'
import { listCampaignEntries } from './store/contact-timeline.ts'

export const campaignTimeline: TimelinePart[] = [
  {
    name: 'messages of campaigns',
    scope: 'campaign:read',
    schemas: [
      timelineEntry('campaign_message', {
        campaignId: AnyId,
        campaignName: Type.String(),
        conversationId: AnyId,
        messageId: AnyId,
        status: RecipientStatus,
      }),
    ],
    list: async (on, caller, contactId, page) =>
      (await listCampaignEntries(on, caller, contactId, page)).map(entry => ({
        type: 'campaign_message',
        id: entry.messageId,
        ...entry,
      })),
  },
]

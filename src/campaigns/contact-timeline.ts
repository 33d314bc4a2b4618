/** Contributes the messages of campaigns to a contact and its timeline. */
import Type from 'typebox'
import { findContact } from '../contacts/contacts.ts'
import { type TimelinePart, timelineEntry } from '../platform/contributions/timeline-parts.ts'
import type { Queryable } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type Page, toCursorList } from '../platform/http/page.ts'
import { AnyId, named, object, Timestamp } from '../platform/http/schemas.ts'
import { RecipientStatus } from './schemas.ts'
import { listCampaignEntries } from './store/contact-timeline.ts'

const members = {
  campaignId: AnyId,
  campaignName: Type.String(),
  conversationId: AnyId,
  messageId: AnyId,
  status: RecipientStatus,
}

export const ReceivedCampaign = named('ReceivedCampaign', object({ at: Timestamp, ...members }))

export async function listReceivedCampaigns(on: Queryable, caller: Caller, id: string, page: Page) {
  const contactId = await findContact(on, caller, id)
  const after = page.after && ([String(page.after[0]), String(page.after[1])] as const)
  const found = await listCampaignEntries(on, caller, contactId, { limit: page.limit + 1, after })
  const { rows, next } = page.toPage(found, ({ at, messageId }) => [at, messageId])
  return toCursorList(rows, next)
}

export const campaignTimeline: TimelinePart[] = [
  {
    name: 'messages of campaigns',
    scope: 'campaign:read',
    schemas: [timelineEntry('campaign_message', members)],
    list: async (on, caller, contactId, page) =>
      (await listCampaignEntries(on, caller, contactId, page)).map(entry => ({
        type: 'campaign_message',
        id: entry.messageId,
        ...entry,
      })),
  },
]

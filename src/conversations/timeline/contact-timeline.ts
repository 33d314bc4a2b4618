/** Contributes to the timeline of a contact when its conversations were opened and closed, and opt-outs in them. */
import { ChannelName } from '../../contacts/schemas.ts'
import { optOutMembers } from '../../contacts/timeline/timeline-parts.ts'
import {
  type TimelineEntry,
  type TimelinePart,
  timelineEntry,
} from '../../platform/contributions/timeline-parts.ts'
import { AnyId, nullable } from '../../platform/http/schemas.ts'
import { type ContactEventRow, listContactEvents } from '../store/timeline/contact-timeline.ts'
import { Actor } from './schemas.ts'
import { toActor } from './timeline.ts'

const conversationMembers = {
  conversationId: AnyId,
  channel: ChannelName,
  actor: { ...nullable(Actor), description: 'null: the customer or the service' },
}

const types: Record<string, string> = {
  opened: 'conversation_opened',
  reopened: 'conversation_reopened',
  closed: 'conversation_closed',
}

function toEntry({ type, actor, ...rest }: ContactEventRow): TimelineEntry {
  const conversationType = types[type]
  if (conversationType === undefined) return { type, ...rest }
  return { type: conversationType, ...rest, actor: toActor(actor) }
}

export const conversationTimeline: TimelinePart[] = [
  {
    name: 'conversations',
    scope: 'conversation:read',
    schemas: [
      ...Object.values(types).map(type => timelineEntry(type, conversationMembers)),
      timelineEntry('opted_in', optOutMembers),
    ],
    list: async (on, caller, contactId, page) =>
      (await listContactEvents(on, caller, contactId, page)).map(toEntry),
  },
]

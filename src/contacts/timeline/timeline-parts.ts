/** Contributes the history of the contact itself to its timeline. */
import Type from 'typebox'
import {
  type TimelineEntry,
  type TimelinePart,
  timelineEntry,
} from '../../platform/contributions/timeline-parts.ts'
import { AnyId, nullable } from '../../platform/http/schemas.ts'
import { ContactNote } from '../notes/schemas.ts'
import { ChannelName } from '../schemas.ts'
import { listNotes } from '../store/notes.ts'
import { listContactEntries } from '../store/timeline.ts'

type ContactEntry = Awaited<ReturnType<typeof listContactEntries>>[number]

function toEntry({ type, id, at, name, channel }: ContactEntry): TimelineEntry {
  if (type === 'merged') return { type, id, at, contactId: id, name }
  if (type === 'opted_out') return { type, id, at, channel, conversationId: null }
  return { type, id, at }
}

export const optOutMembers = {
  channel: ChannelName,
  conversationId: {
    ...nullable(AnyId),
    description: 'where an earlier opt-out or opt-in was recorded; null: an opt-out that is in effect',
  },
}

export const contactTimeline: TimelinePart[] = [
  {
    name: 'changes of the contact',
    schemas: [
      timelineEntry('created', {}),
      timelineEntry('archived', {}),
      timelineEntry('merged', {
        contactId: Type.String({ ...AnyId, description: 'the contact that was merged into this one' }),
        name: nullable(Type.String()),
      }),
      timelineEntry('opted_out', optOutMembers),
    ],
    list: async (on, { tenantId }, contactId, page) =>
      (await listContactEntries(on, tenantId, contactId, page)).map(toEntry),
  },
  {
    name: 'notes',
    scope: 'conversation:read',
    schemas: [timelineEntry('note', { note: ContactNote })],
    list: async (on, { tenantId }, contactId, page) =>
      (await listNotes(on, tenantId, contactId, page)).map(note => ({
        type: 'note',
        id: note.id,
        at: note.createdAt,
        note,
      })),
  },
]

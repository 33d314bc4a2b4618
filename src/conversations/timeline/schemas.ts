import Type, { type Static } from 'typebox'
import { AnyId, literals, named, nullable, object, Timestamp, variants } from '../../platform/http/schemas.ts'
import { Note } from '../notes/schemas.ts'
import { Message } from '../schemas.ts'

/** Where a page of messages or of the timeline begins, and in which direction it goes. */
export const windowQuery = {
  around: Type.Optional(
    Type.String({
      ...AnyId,
      description:
        'extension: the id of an entry. The first page has the entries before and after it; with `direction`, only those after it in that direction',
    }),
  ),
  direction: Type.Optional(
    literals(['older', 'newer'], {
      description: 'extension: `older` (default) returns the newest entries first, `newer` the oldest first',
    }),
  ),
}

export interface WindowQuery {
  around?: string
  direction?: 'older' | 'newer'
}

export const Actor = object({
  type: literals(['user', 'service', 'bot', 'journey']),
  id: AnyId,
})

export const ConversationEvent = named(
  'ConversationEvent',
  object({
    id: AnyId,
    type: Type.String({
      description:
        'opened, reopened, closed, assigned, unassigned, handed_over (from a bot), inbox_changed, contact_changed, labelled, unlabelled, opted_out, opted_in, rated, rating_commented; ignore types that you do not know',
    }),
    actor: {
      ...nullable(Actor),
      description: 'null: the customer or the service',
    },
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    at: Timestamp,
  }),
)
export type ConversationEvent = Static<typeof ConversationEvent>

const entry = { id: AnyId, at: Timestamp }

export const TimelineItem = named(
  'TimelineItem',
  variants('type', [
    object({ type: Type.Literal('message'), ...entry, message: Message }),
    object({ type: Type.Literal('note'), ...entry, note: Note }),
    object({ type: Type.Literal('event'), ...entry, event: ConversationEvent }),
  ]),
)
export type TimelineItem = Static<typeof TimelineItem>

import Type, { type Static } from 'typebox'
import { AnyId, literals, named, object, Timestamp } from '../../platform/http/schemas.ts'
import { senderTypes } from '../schemas.ts'

export const searchedTypes = ['message', 'note'] as const
export type SearchedType = (typeof searchedTypes)[number]

export const MessageSearchQuery = object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'words or beginnings of words, all of which must occur; in scripts without spaces any part of the text; a term such as `ana@example.com` matches where its words follow one another',
  }),
  type: Type.Optional(
    literals(searchedTypes, { description: 'what to search: messages (default) or notes' }),
  ),
  inboxId: Type.Optional(AnyId),
  senderType: Type.Optional(literals(senderTypes, { description: 'of notes: user or service' })),
  after: Type.Optional(Type.String({ ...Timestamp, description: 'only messages from this time on' })),
  before: Type.Optional(Type.String({ ...Timestamp, description: 'only messages before this time' })),
})
export type MessageSearchQuery = Static<typeof MessageSearchQuery>

export const MessageSearchResult = named(
  'MessageSearchResult',
  object({
    type: literals(searchedTypes),
    id: { ...AnyId, description: 'for `around` in the messages or the timeline of the conversation' },
    conversationId: AnyId,
    conversationName: Type.String(),
    inboxId: AnyId,
    senderType: literals(senderTypes),
    senderId: Type.String(),
    createdAt: Timestamp,
    text: Type.String({ description: 'the part of the text with the first match, plain text' }),
    highlights: Type.Array(object({ start: Type.Integer(), end: Type.Integer() }), {
      description:
        'the matches in `text`, in UTF-16 units, in order and without overlaps; `end` is exclusive',
    }),
  }),
)
export type MessageSearchResult = Static<typeof MessageSearchResult>

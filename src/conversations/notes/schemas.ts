import Type, { type Static } from 'typebox'
import { AnyId, literals, named, object, Timestamp, visibleText } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { DraftRevision } from '../drafts/schemas.ts'

export const NoteId = idType('note')

const maxTextLength = 10_000
const Text = visibleText(maxTextLength)
const Mentions = Type.Array(AnyId, {
  maxItems: 20,
  description: 'ids of users who can see the conversation',
})
const MediaIds = Type.Array(AnyId, { maxItems: 10, description: 'uploaded files' })

export const Note = named(
  'Note',
  object({
    id: AnyId,
    conversationId: AnyId,
    contactId: Type.String({ ...AnyId, description: 'the contact of the conversation when it was written' }),
    authorType: literals(['user', 'service']),
    authorId: AnyId,
    text: Type.String(),
    mentions: Type.Array(AnyId),
    mediaIds: Type.Array(AnyId),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Note = Static<typeof Note>

export const NewNote = object({
  text: Text,
  mentions: Type.Optional(Mentions),
  mediaIds: Type.Optional(MediaIds),
  draftRevision: Type.Optional(DraftRevision),
})
export type NewNote = Static<typeof NewNote>

export const NotePatch = object({
  text: Type.Optional(Text),
  mentions: Type.Optional(Mentions),
  mediaIds: Type.Optional(MediaIds),
})
export type NotePatch = Static<typeof NotePatch>

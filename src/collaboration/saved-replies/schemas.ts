import Type, { type Static } from 'typebox'
import { AnyId, named, object, Timestamp } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { newSharingFields, sharingFields } from '../sharing.ts'

export const SavedReplyId = idType('srp')

const Shortcut = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\s\\u0000-\\u001f]+$',
  patternMessage: 'must not have spaces',
  description: 'without spaces; unique among your own or among the shared ones',
})
const Text = Type.String({
  maxLength: 4_096,
  description:
    'may have placeholders such as `{{contact.firstName | default: "there"}}`: `contact` (name, firstName, email, phone, customFields), `user` (name, firstName, email), `workspace.name`, `conversation.channel`',
})
const MediaIds = Type.Array(AnyId, {
  maxItems: 10,
  uniqueItems: true,
  description: 'uploaded files; each is sent as a message',
})

export const SavedReply = named(
  'SavedReply',
  object({
    id: AnyId,
    shortcut: Type.String(),
    text: Type.String(),
    mediaIds: Type.Array(AnyId),
    ...sharingFields,
    revision: Type.Integer(),
    createdBy: AnyId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type SavedReply = Static<typeof SavedReply>

export const NewSavedReply = object({
  shortcut: Shortcut,
  text: Type.Optional(Text),
  mediaIds: Type.Optional(MediaIds),
  ...newSharingFields,
})
export type NewSavedReply = Static<typeof NewSavedReply>

export const SavedReplyPatch = object({
  shortcut: Type.Optional(Shortcut),
  text: Type.Optional(Text),
  mediaIds: Type.Optional(MediaIds),
  ...newSharingFields,
})
export type SavedReplyPatch = Static<typeof SavedReplyPatch>

export const RenderedReply = object({
  text: Type.String(),
  mediaIds: Type.Array(AnyId),
  missing: Type.Array(Type.String(), {
    description: 'placeholders without a value and without a default; they are empty in the text',
  }),
})

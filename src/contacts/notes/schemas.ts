import Type, { type Static } from 'typebox'
import { AnyId, literals, named, object, Timestamp, visibleText } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'

export const ContactNoteId = idType('cnote')

export const ContactNote = named(
  'ContactNote',
  object({
    id: AnyId,
    contactId: AnyId,
    authorType: literals(['user', 'service']),
    authorId: AnyId,
    text: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type ContactNote = Static<typeof ContactNote>

export const ContactNoteText = object({
  text: visibleText(10_000),
})

import Type, { type Static } from 'typebox'
import { ConversationFilter, ConversationSort } from '../../conversations/lists/schemas.ts'
import { AnyId, Name, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { newSharingFields, sharingFields } from '../sharing.ts'

export const ViewId = idType('view')

const Position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'orders views that a user has not arranged; smaller ones come first',
})

export const View = named(
  'View',
  object({
    id: AnyId,
    name: Type.String(),
    filter: ConversationFilter,
    sort: nullable(ConversationSort),
    position: Type.Integer(),
    ...sharingFields,
    revision: Type.Integer(),
    createdBy: AnyId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type View = Static<typeof View>

export const NewView = object({
  name: Name,
  filter: ConversationFilter,
  sort: Type.Optional(nullable(ConversationSort)),
  position: Type.Optional(Position),
  ...newSharingFields,
})
export type NewView = Static<typeof NewView>

export const ViewPatch = object({
  name: Type.Optional(Name),
  filter: Type.Optional(ConversationFilter),
  sort: Type.Optional(nullable(ConversationSort)),
  position: Type.Optional(Position),
  ...newSharingFields,
})
export type ViewPatch = Static<typeof ViewPatch>

export const maxViewsInOrder = 300

export const ViewOrder = object({
  viewIds: Type.Array(AnyId, { maxItems: maxViewsInOrder, uniqueItems: true }),
})

import Type, { type Static } from 'typebox'
import { ConversationFilter, ConversationSort } from '../../conversations/lists/schemas.ts'
import { AnyId, literals, Name, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'
import { idType } from '../../platform/ids.ts'
import { ContactFilter } from '../../segments/filter/filter.ts'
import { ContactSort } from '../../segments/schemas.ts'
import { newSharingFields, sharingFields } from '../sharing.ts'

export const ViewId = idType('view')

const Position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'orders views that a user has not arranged; smaller ones come first',
})

export const viewKinds = ['conversations', 'contacts'] as const
export type ViewKind = (typeof viewKinds)[number]

const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'what a client shows, in its own names',
})

const common = {
  position: Type.Integer(),
  columns: Columns,
  ...sharingFields,
  revision: Type.Integer(),
  createdBy: AnyId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const View = named(
  'View',
  object({
    id: AnyId,
    kind: Type.Literal('conversations'),
    name: Type.String(),
    filter: ConversationFilter,
    sort: nullable(ConversationSort),
    ...common,
  }),
)
export type View = Static<typeof View>

export const ContactView = named(
  'ContactView',
  object({
    id: AnyId,
    kind: Type.Literal('contacts'),
    name: Type.String(),
    filter: ContactFilter,
    sort: nullable(ContactSort),
    ...common,
  }),
)
export type ContactView = Static<typeof ContactView>

export const AnyView = Type.Union([View, ContactView])
export type AnyView = View | ContactView

const Filter = { ...Type.Union([ConversationFilter, ContactFilter]), description: 'that of the kind' }
const Sort = { ...Type.Union([ConversationSort, ContactSort]), description: 'that of the kind' }

export const NewView = object({
  kind: Type.Optional(
    literals(viewKinds, { description: 'what the view lists, conversations by default; it does not change' }),
  ),
  name: Name,
  filter: Filter,
  sort: Type.Optional(nullable(Sort)),
  position: Type.Optional(Position),
  columns: Type.Optional(Columns),
  ...newSharingFields,
})
export type NewView = Static<typeof NewView>

export const ViewPatch = object({
  name: Type.Optional(Name),
  filter: Type.Optional(Filter),
  sort: Type.Optional(nullable(Sort)),
  position: Type.Optional(Position),
  columns: Type.Optional(Columns),
  ...newSharingFields,
})
export type ViewPatch = Static<typeof ViewPatch>

export const maxViewsInOrder = 300

export const ViewOrder = object({
  viewIds: Type.Array(AnyId, { maxItems: maxViewsInOrder, uniqueItems: true }),
})

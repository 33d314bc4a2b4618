import Type, { type Static } from 'typebox'
import { ContactSummary } from '../contacts/schemas.ts'
import { cursorList } from '../platform/http/page.ts'
import { AnyId, literals, Name, named, nullable, object, Timestamp } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'
import { ContactFilter } from './filter/filter.ts'

export const SegmentId = idType('seg')

export const sortFields = ['createdAt', 'updatedAt', 'name', 'lastInteractionAt'] as const

export const ContactSort = named(
  'ContactSort',
  object({ field: literals(sortFields), direction: Type.Optional(literals(['asc', 'desc'])) }),
)

export const SearchRequest = object({
  filter: ContactFilter,
  sort: Type.Optional(ContactSort),
  include: Type.Optional(
    Type.Array(literals(['customFields', 'lastInteractionAt']), {
      maxItems: 2,
      description: 'extension: members that the contacts have in addition',
    }),
  ),
})
export type SearchRequest = Static<typeof SearchRequest>

export const SearchPage = cursorList(ContactSummary)

export const TotalSize = object({ totalSize: Type.Integer() })

const Description = Type.String({ maxLength: 2_000 })

export const Segment = named(
  'Segment',
  object({
    id: AnyId,
    name: Type.String(),
    description: nullable(Type.String()),
    createdBy: AnyId,
    updatedBy: {
      ...nullable(AnyId),
      description: 'Extension: the user or service account that last changed the segment; null: unknown',
    },
    filter: ContactFilter,
    revision: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Segment = Static<typeof Segment>

export const NewSegment = object({
  name: Name,
  filter: ContactFilter,
  description: Type.Optional(nullable(Description)),
})
export type NewSegment = Static<typeof NewSegment>

export const SegmentPatch = object({
  name: Type.Optional(Name),
  description: Type.Optional(nullable(Description)),
  filter: Type.Optional(ContactFilter),
})
export type SegmentPatch = Static<typeof SegmentPatch>

export const SegmentExplanation = named(
  'SegmentExplanation',
  object({
    segmentId: AnyId,
    contactId: AnyId,
    matches: Type.Boolean(),
    conditions: Type.Array(
      object({
        condition: Type.Record(Type.String(), Type.Unknown()),
        holds: Type.Boolean(),
        implied: Type.Boolean({ description: 'not part of the filter, but implied by it' }),
      }),
    ),
  }),
)

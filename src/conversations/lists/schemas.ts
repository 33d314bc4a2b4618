/** The filter of conversation lists, searches, counts and bulk actions. Saved views store it. */
import Type, { type Static, type TSchema } from 'typebox'
import { channels } from '../../platform/config.ts'
import { cursorList } from '../../platform/http/page.ts'
import { AnyId, literals, named, object, Timestamp } from '../../platform/http/schemas.ts'
import { Conversation, priorities } from '../schemas.ts'

const maxLabels = 20

const describe = <S extends TSchema>(schema: S, description: string) =>
  Type.Optional({ ...schema, description } as S)
const extension = <S extends TSchema>(schema: S, description?: string) =>
  describe(schema, description ? `extension: ${description}` : 'extension')

/** All members that are given must match. Unknown ids match nothing. */
export const filterMembers = {
  interacted: describe(Type.Boolean(), 'true: with at least one message of the customer; false: without any'),
  search: describe(Type.String({ minLength: 1, maxLength: 200 }), 'part of the name or external id'),
  status: Type.Optional(Type.Array(literals(['open', 'closed']))),
  ownerType: Type.Optional(Type.Array(literals(['user', 'team', 'bot', 'none']))),
  ownerId: extension(AnyId, 'a user, team or chatbot; `me`; `none` for conversations without an owner'),
  teamId: extension(
    AnyId,
    'the team of the conversation; `me` for any of your teams; `none` for conversations without a team',
  ),
  contactId: extension(AnyId),
  inboxId: extension(AnyId, 'the inbox of the latest session'),
  channel: extension(Type.Array(literals(channels)), 'any of them'),
  labelIds: extension(Type.Array(AnyId, { maxItems: maxLabels }), 'any of them'),
  priority: extension(Type.Array(literals([...priorities, 'none'])), 'any of them'),
  unread: extension(
    Type.Boolean(),
    'true: open, with messages that you have not read, and owned by you, one of your teams or nobody, as the unread counters count them; false: all others',
  ),
  mentioned: extension(Type.Boolean(), 'true: a note mentions you; false: none does'),
  snoozed: extension(Type.Boolean()),
  waiting: extension(Type.Boolean(), 'true: the customer waits for the reply of a person'),
  createdAfter: extension(Timestamp, 'inclusive'),
  createdBefore: extension(Timestamp, 'exclusive'),
  updatedAfter: extension(
    Timestamp,
    'inclusive; a message, a new status, owner, team or contact updates a conversation',
  ),
  updatedBefore: extension(Timestamp, 'exclusive'),
}

export const ConversationFilter = named('ConversationFilter', object(filterMembers))
export type ConversationFilter = Static<typeof ConversationFilter>

export const conversationSorts = ['lastMessageAt', 'createdAt', 'updatedAt', 'name', 'waitingSince'] as const
export type SortField = (typeof conversationSorts)[number]
export const sortDescription =
  '`waitingSince` is an extension: it lists conversations in which the customer waits, and no others'

export const ConversationSort = named(
  'ConversationSort',
  object({
    field: literals(conversationSorts, { description: sortDescription }),
    direction: Type.Optional(
      literals(['asc', 'desc'], {
        description: 'default: desc; for `waitingSince` asc, the longest wait first',
      }),
    ),
  }),
)
export type ConversationSort = Static<typeof ConversationSort>

export interface Sort {
  field: SortField
  direction: 'asc' | 'desc'
}

export function toSort({ field, direction }: Partial<ConversationSort>): Sort {
  const natural = field === 'waitingSince' ? 'asc' : 'desc'
  return { field: field ?? 'lastMessageAt', direction: direction ?? natural }
}

export const SearchRequest = object({
  filter: ConversationFilter,
  sort: Type.Optional(ConversationSort),
})
export const SearchPage = cursorList(Conversation)

/** Counting stops here, so that a count costs the same in a workspace of any size. */
export const maxCount = 10_000
export const maxCounts = 20

export const CountsRequest = object({
  filters: Type.Array(ConversationFilter, { minItems: 1, maxItems: maxCounts }),
})
export const Count = object({
  count: Type.Integer(),
  approximate: Type.Boolean({ description: `true: there are more than ${maxCount}` }),
})
export const Counts = object({
  counts: Type.Array(Count, { description: 'in the order of the filters' }),
})

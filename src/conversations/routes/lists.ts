import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { nextPageToken, toCursorList, tokenPage, withNextPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, literals, object } from '../../platform/http/schemas.ts'
import { countMatches, listPage } from '../lists/lists.ts'
import {
  Counts,
  CountsRequest,
  conversationSorts,
  filterMembers,
  SearchPage,
  SearchRequest,
  sortDescription,
  toSort,
} from '../lists/schemas.ts'
import { Conversation } from '../schemas.ts'

const route = section('Messaging')
const access = { scopes: ['conversation:list'], roles: everyone } as const

export const listRoutes = [
  route('GET /conversations', {
    operationId: 'listConversations',
    summary: 'List conversations',
    description:
      'Lists conversations that you can see, by default those with the latest messages first. All filters must match.',
    access,
    query: object({
      ...filterMembers,
      conversationIds: Type.Optional(Type.Array(AnyId, { maxItems: 200 })),
      sort: Type.Optional(literals(conversationSorts, { description: sortDescription })),
      orderDirection: Type.Optional(literals(['asc', 'desc'])),
    }),
    page: tokenPage,
    success: { status: 200, body: object({ conversations: Type.Array(Conversation), nextPageToken }) },
    handle: async ({ db, caller, query, page }) => {
      const { sort: field, orderDirection: direction, conversationIds: ids, ...filter } = query
      const sort = toSort({ ...(field ? { field } : {}), ...(direction ? { direction } : {}) })
      const found = await listPage(db, caller, { filter, sort, ...(ids ? { ids } : {}) }, page)
      return { conversations: found.conversations, ...withNextPage(found.next) }
    },
  }),
  route('POST /conversations/search', {
    operationId: 'searchConversations',
    summary: 'Search conversations by a filter',
    description:
      'Lists like `GET /conversations`, with the filter as an object, as saved views and bulk actions have it. All members of the filter must match.',
    access,
    extension: true,
    body: SearchRequest,
    page: { style: 'cursor', in: 'body' },
    example: {
      filter: { status: ['open'], ownerId: 'none', priority: ['high', 'urgent'] },
      sort: { field: 'waitingSince' },
      limit: 20,
    },
    success: { status: 200, body: SearchPage },
    handle: async ({ db, caller, body, page }) => {
      const { filter, sort } = body
      const found = await listPage(db, caller, { filter, sort: toSort(sort ?? {}) }, page)
      return toCursorList(found.conversations, found.next)
    },
  }),
  route('POST /conversations/counts', {
    operationId: 'countConversations',
    summary: 'Count the conversations of several filters',
    description:
      'For the counts of views: one request counts up to 20 filters. Counts above 10,000 are 10,000 with `approximate: true`.',
    access,
    extension: true,
    body: CountsRequest,
    example: { filters: [{ status: ['open'], ownerId: 'me' }, { unread: true }] },
    success: { status: 200, body: Counts },
    handle: ({ db, caller, body }) => countMatches(db, caller, body.filters),
  }),
]

import { everyone } from '../../../identity/rights/roles.ts'
import { cursorList, cursorPage, toCursorList } from '../../../platform/http/page.ts'
import { section } from '../../../platform/http/route.ts'
import { MessageSearchQuery, MessageSearchResult } from '../../search/schemas.ts'
import { searchMessages } from '../../search/search-messages.ts'

const route = section('Messaging', { extension: true })

export const messageSearchRoutes = [
  route('GET /messages/search', {
    operationId: 'searchMessages',
    summary: 'Search the texts of messages or notes',
    description:
      'Newest first, in the conversations that you can see. A new message is found within moments, when the background has indexed it. Highlights are ranges of plain text, never HTML.',
    access: { scopes: ['conversation:read'], roles: everyone },
    query: MessageSearchQuery,
    page: cursorPage,
    success: { status: 200, body: cursorList(MessageSearchResult) },
    handle: async ({ db, caller, query, page }) => {
      const { results, next } = await searchMessages(db, caller, query, page)
      return toCursorList(results, next)
    },
  }),
]

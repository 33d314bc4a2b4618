import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { nextPageToken, tokenPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { ConversationNotFound } from '../errors.ts'
import { TimelineItem, windowQuery } from '../timeline/schemas.ts'
import { getTimeline } from '../timeline/timeline.ts'

const route = section('Messaging', { extension: true })

export const timelineRoutes = [
  route('GET /conversations/{id}/timeline', {
    operationId: 'getConversationTimeline',
    summary: 'List messages, notes and events of a conversation',
    description:
      'Newest first. `around` begins at an entry, such as a search result or a link; `direction` pages from there. A page token continues in the direction of its query; after `around` alone it continues with older entries.',
    access: { scopes: ['conversation:read'], roles: everyone },
    query: object(windowQuery),
    page: tokenPage,
    success: { status: 200, body: object({ items: Type.Array(TimelineItem), nextPageToken }) },
    errors: [ConversationNotFound],
    handle: ({ db, caller, params, page, query }) => getTimeline(db, caller, params.id, page, query),
  }),
]

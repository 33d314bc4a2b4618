import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { getUnread } from '../read-state.ts'

const route = section('Users')

export const UnreadSummary = object({
  count: Type.Integer(),
  conversations: Type.Integer(),
  version: Type.Integer(),
})

const access = { scopes: ['user:read_self'], roles: everyone, userOnly: true } as const

export const unreadRoutes = [
  route('GET /users/me/unread-count', {
    operationId: 'getUnreadCount',
    summary: 'Count my unread messages',
    description: 'Counts the unread messages in the open conversations that you can see.',
    access,
    success: { status: 200, body: object({ count: Type.Integer() }) },
    handle: async context => ({ count: (await getUnread(context, context.caller)).count }),
  }),
  route('GET /users/me/unread-summary', {
    operationId: 'getUnreadSummary',
    summary: 'Get my unread counters, with a version that only increases',
    description: 'Discard realtime updates whose `version` is lower.',
    access,
    success: {
      status: 200,
      body: UnreadSummary,
    },
    handle: context => getUnread(context, context.caller),
  }),
]

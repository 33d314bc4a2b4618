import Type from 'typebox'
import { route } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { getUnread } from '../read-state.ts'

const access = { scopes: ['user:read_self'], roles: ['owner', 'admin', 'agent'], userOnly: true } as const

export const unreadRoutes = [
  route({
    method: 'GET',
    path: '/users/me/unread-count',
    tag: 'Users',
    summary: 'Count my unread messages',
    access,
    success: { status: 200, body: object({ count: Type.Integer() }) },
    handle: async context => ({ count: (await getUnread(context, context.caller)).count }),
  }),
  route({
    method: 'GET',
    path: '/users/me/unread-summary',
    tag: 'Users',
    summary: 'Get my unread counters, with a version that only increases',
    access,
    success: {
      status: 200,
      body: object({ count: Type.Integer(), conversations: Type.Integer(), version: Type.Integer() }),
    },
    handle: context => getUnread(context, context.caller),
  }),
]

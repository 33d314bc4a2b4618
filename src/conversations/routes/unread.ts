import Type from 'typebox'
import { everyone } from '../../identity/roles.ts'
import { object } from '../../platform/http/schemas.ts'
import { section } from '../../platform/section.ts'
import { getUnread } from '../read-state.ts'

const route = section('Users')

const access = { scopes: ['user:read_self'], roles: everyone, userOnly: true } as const

export const unreadRoutes = [
  route('GET /users/me/unread-count', {
    summary: 'Count my unread messages',
    access,
    success: { status: 200, body: object({ count: Type.Integer() }) },
    handle: async context => ({ count: (await getUnread(context, context.caller)).count }),
  }),
  route('GET /users/me/unread-summary', {
    summary: 'Get my unread counters, with a version that only increases',
    access,
    success: {
      status: 200,
      body: object({ count: Type.Integer(), conversations: Type.Integer(), version: Type.Integer() }),
    },
    handle: context => getUnread(context, context.caller),
  }),
]

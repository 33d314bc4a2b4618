import Type from 'typebox'
import { managers } from '../../identity/rights/roles.ts'
import { getInboxHealth } from '../../inboxes/check-inbox.ts'
import { InboxNotFound } from '../../inboxes/errors.ts'
import { Inbox } from '../../inboxes/schemas.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, named, nullable, object, Timestamp } from '../../platform/http/schemas.ts'
import { summarizeFailures } from '../store/messages/message-failures.ts'

const dayMs = 86_400_000
const maxCount = 10_000

const InboxHealth = named(
  'InboxHealth',
  object({
    status: Inbox.properties.status,
    issues: Type.Array(object({ issue: Type.String(), since: Timestamp })),
    checkedAt: nullable(Type.String({ ...Timestamp, description: 'last check of the provider' })),
    lastCallbackAt: nullable(
      Type.String({ ...Timestamp, description: 'last event of the provider, accurate to a minute' }),
    ),
    isRegistered: Type.Boolean({ description: 'the current callback URL is registered with the provider' }),
    ratePerSecond: nullable(Type.Number({ description: 'messages per second; null: unlimited' })),
    failures: object({
      count: Type.Integer({ description: `messages that failed within 24 hours; at most ${maxCount}` }),
      latest: Type.Array(
        object({ at: Timestamp, messageId: AnyId, code: Type.String(), message: Type.String() }),
        { description: 'the newest ten of them, newest first' },
      ),
    }),
  }),
)

const route = section('Inboxes', { extension: true })

export const inboxHealthRoutes = [
  route('GET /inboxes/{id}/health', {
    operationId: 'getInboxHealth',
    summary: 'Get the health of an inbox',
    description: 'Open issues, the last callback and check, and the messages that failed within 24 hours.',
    access: { scopes: ['inbox:read'], roles: managers },
    success: { status: 200, body: InboxHealth },
    errors: [InboxNotFound],
    handle: async context => {
      const { db, caller, params, clock } = context
      const health = await getInboxHealth(context, caller.tenantId, params.id)
      const since = new Date(clock.now().getTime() - dayMs).toISOString()
      const failures = await summarizeFailures(db, caller.tenantId, params.id, { since, maxCount })
      return { ...health, failures }
    },
  }),
]

import Type from 'typebox'
import { managers } from '../../identity/rights/roles.ts'
import { nextPageToken, withNextPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object, Timestamp } from '../../platform/http/schemas.ts'
import { findRecentAttempts } from '../attempts.ts'
import { AttemptNotFound, EndpointNotFound, EventNotKept, WebhookNotEnabled } from '../errors.ts'
import { requestReplay, resendAttempt } from '../replay.ts'
import { AttemptEventType, AttemptStatus, WebhookAttempt, WebhookEventType } from '../schemas.ts'

const route = section('Webhooks')

export const webhookAttemptRoutes = [
  route('GET /webhooks/attempts', {
    operationId: 'listWebhookAttempts',
    summary: 'List delivery attempts',
    description: 'Lists the attempts of the last seven days, newest first.',
    access: { scopes: ['webhook:read'], roles: managers },
    query: object({
      eventType: Type.Optional(AttemptEventType),
      status: Type.Optional(AttemptStatus),
      endpointId: Type.Optional(Type.String({ ...AnyId, description: 'extension' })),
    }),
    page: { style: 'token', sizeName: 'limit' },
    success: { status: 200, body: object({ attempts: Type.Array(WebhookAttempt), nextPageToken }) },
    handle: async ({ db, clock, caller, query, page }) => {
      const found = await findRecentAttempts(db, clock, caller.tenantId, { ...query, ...page })
      const { rows, next } = page.toPage(found, attempt => [attempt.id])
      return { attempts: rows, ...withNextPage(next) }
    },
  }),
  route('POST /webhooks/attempts/{id}/resend', {
    operationId: 'resendWebhookAttempt',
    summary: 'Resend the event of an attempt',
    description:
      'Keeps the `webhook-id`. A delivery that is waiting for its next attempt is tried immediately.',
    extension: true,
    access: { scopes: ['webhook:update'], roles: managers },
    success: { status: 202, body: object({ eventId: Type.String() }) },
    errors: [AttemptNotFound, WebhookNotEnabled, EventNotKept],
    handle: ({ write, bus, caller, params }) => write(tx => resendAttempt(tx, { bus }, caller, params.id)),
  }),
  route('POST /webhooks/replay', {
    operationId: 'replayEvents',
    summary: 'Replay events since a time',
    description:
      'Delivers all events since that time again, up to seven days back, with their original `webhook-id`, whether they had been delivered or not. `endpointId` defaults to the first endpoint, `eventTypes` to the types of the endpoint.',
    extension: true,
    access: { scopes: ['webhook:update'], roles: managers },
    body: object({
      since: Timestamp,
      endpointId: Type.Optional(AnyId),
      eventTypes: Type.Optional(Type.Array(WebhookEventType, { minItems: 1, uniqueItems: true })),
    }),
    example: { since: '2026-01-31T08:00:00Z', eventTypes: ['message.created'] },
    success: {
      status: 202,
      body: object({
        endpointId: Type.String(),
        since: Timestamp,
        eventTypes: Type.Array(WebhookEventType),
        fromSequence: Type.Integer({ description: 'Sequence of the first replayed event' }),
        toSequence: Type.Integer({
          description: 'Sequence of the last replayed event; lower than `fromSequence` if there are none',
        }),
      }),
    },
    errors: [WebhookNotEnabled, EndpointNotFound],
    handle: ({ write, db, caller, body }) => write(tx => requestReplay(tx, db, caller, body)),
  }),
]

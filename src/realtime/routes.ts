import Type from 'typebox'
import { everyone } from '../identity/rights/roles.ts'
import { section } from '../platform/http/route.ts'
import { literals, named, object, Timestamp } from '../platform/http/schemas.ts'
import { EventsNotKept, listEvents } from './events.ts'
import { publicTypes } from './frames.ts'
import { createTicket } from './tickets.ts'

const route = section('Realtime', { extension: true })

const maxEvents = 200
const defaultEvents = 50
const PublicEventType = literals(publicTypes)

const PublicEvent = named(
  'PublicEvent',
  object({
    id: Type.String({ description: 'the same as the `webhook-id` of its delivery' }),
    sequence: Type.Integer({ description: 'counts the public events of the workspace without gaps' }),
    type: PublicEventType,
    timestamp: Timestamp,
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'the same as in webhooks' }),
  }),
)

export const realtimeRoutes = [
  route('GET /events', {
    operationId: 'listEvents',
    summary: 'List events since a sequence number',
    description:
      'For clients that poll. Returns the events after `since` that the caller may receive, oldest first; without `since`, from the oldest kept event on. Continue with `nextSince`, also after a page without events. Events are kept for seven days; a `since` before them is a 410.',
    access: {
      scopes: ['user:read_self'],
      roles: everyone,
      conditionalScopes: [
        { when: 'the event is about a contact', scope: 'contact:read' },
        { when: 'the event is about a conversation or message', scope: 'conversation:read' },
        { when: 'the event is about an inbox', scope: 'inbox:read' },
        { when: 'the event is about a journey or chatbot', scope: 'journey:read' },
      ],
    },
    query: object({
      since: Type.Optional(Type.Integer({ minimum: 0, description: '`nextSince` of the previous response' })),
      eventTypes: Type.Optional(Type.Array(PublicEventType)),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, description: `default ${defaultEvents}, at most ${maxEvents}` }),
      ),
    }),
    success: {
      status: 200,
      body: object({
        events: Type.Array(PublicEvent),
        nextSince: Type.Integer({ description: 'the number up to which events were read' }),
        latest: Type.Integer({ description: 'the number of the newest event' }),
        hasMore: Type.Boolean(),
      }),
    },
    errors: [EventsNotKept],
    handle: ({ db, caller, query }) =>
      listEvents(db, caller, { ...query, limit: Math.min(query.limit ?? defaultEvents, maxEvents) }),
  }),
  route('POST /realtime/tickets', {
    operationId: 'createRealtimeTicket',
    summary: 'Create a ticket for one WebSocket connection',
    description:
      'For pages of other sites: connect to `/v1/realtime?ticket=…` within 60 seconds. Pages of this service connect with their session cookie, other clients with their token in the Authorization header.',
    access: { scopes: ['user:read_self'], roles: everyone },
    success: { status: 201, body: object({ ticket: Type.String(), expiresAt: Timestamp }) },
    secretFields: ['ticket'],
    handle: context => {
      const { tenantId } = context.caller
      return context.write(tx => createTicket(context, tx, tenantId, context.request.token!))
    },
  }),
]

import Type from 'typebox'
import { managers } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { nullable, object } from '../../platform/http/schemas.ts'
import {
  changeEndpoint,
  createEndpoint,
  getEndpoint,
  listEndpoints,
  maxEndpoints,
  removeEndpoint,
} from '../endpoints.ts'
import { EndpointLimitReached, EndpointNotFound } from '../errors.ts'
import { EndpointUrl, Verification, WebhookEndpoint, WebhookEventType } from '../schemas.ts'
import { verifyEndpoint } from '../verify.ts'

const route = section('Webhooks', { extension: true })

const members = {
  enabled: Type.Optional(Type.Boolean()),
  eventTypes: Type.Optional(Type.Array(WebhookEventType, { uniqueItems: true })),
  description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
}

export const webhookEndpointRoutes = [
  route('GET /webhooks/endpoints', {
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'The first endpoint is first, the others follow by age.',
    access: { scopes: ['webhook:read'], roles: managers },
    success: { status: 200, body: object({ endpoints: Type.Array(WebhookEndpoint) }) },
    handle: async ({ db, caller }) => ({ endpoints: await listEndpoints(db, caller.tenantId) }),
  }),
  route('POST /webhooks/endpoints', {
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: `Receives its event types from its creation on, unless \`enabled\` is false. A workspace has at most ${maxEndpoints} endpoints; they share its signing keys. Without a first endpoint, the new one is the first and is shown at \`GET /webhooks\`.`,
    access: { scopes: ['webhook:update'], roles: managers },
    body: object({ url: EndpointUrl, ...members }),
    example: {
      url: 'https://example.com/hooks/billing',
      eventTypes: ['contact.created'],
      description: 'Billing',
    },
    success: { status: 201, body: WebhookEndpoint },
    errors: [EndpointLimitReached],
    handle: ({ write, caller, body, bus, outbound }) =>
      write(tx => createEndpoint(tx, { caller, bus, outbound }, body)),
  }),
  route('GET /webhooks/endpoints/{id}', {
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    description: '`health` shows whether its deliveries succeed.',
    access: { scopes: ['webhook:read'], roles: managers },
    success: { status: 200, body: WebhookEndpoint },
    errors: [EndpointNotFound],
    handle: ({ db, caller, params }) => getEndpoint(db, caller.tenantId, params.id),
  }),
  route('PATCH /webhooks/endpoints/{id}', {
    operationId: 'updateWebhookEndpoint',
    summary: 'Update a webhook endpoint',
    description:
      'All members are optional. A new URL resets `verified`. A new URL and `enabled: true` resume paused deliveries immediately.',
    access: { scopes: ['webhook:update'], roles: managers },
    body: object({ url: Type.Optional(EndpointUrl), ...members }),
    example: { enabled: false },
    success: { status: 200, body: WebhookEndpoint },
    errors: [EndpointNotFound],
    handle: ({ write, caller, params, body, bus, outbound }) =>
      write(tx => changeEndpoint(tx, { caller, bus, outbound }, params.id, body)),
  }),
  route('DELETE /webhooks/endpoints/{id}', {
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Stops delivery and deletes pending deliveries. Attempts are kept.',
    access: { scopes: ['webhook:delete'], roles: managers },
    success: { status: 204 },
    errors: [EndpointNotFound],
    handle: ({ write, caller, params, bus, outbound }) =>
      write(tx => removeEndpoint(tx, { caller, bus, outbound }, params.id)),
  }),
  route('POST /webhooks/endpoints/{id}/verify', {
    operationId: 'verifyWebhookEndpoint',
    summary: 'Send a signed test event to an endpoint',
    description:
      'A 2xx response sets `verified` and resumes paused deliveries immediately; deliveries do not depend on `verified`.',
    access: { scopes: ['webhook:update'], roles: managers },
    success: { status: 200, body: Verification },
    errors: [EndpointNotFound],
    handle: context => verifyEndpoint(context, context.caller, context.params.id),
  }),
]

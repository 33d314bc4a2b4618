/** Webhooks, events, realtime and the sandbox: the name of each operation, what its route does not say, and an example of its body. */
import type { OperationDocs } from '../platform/http/openapi/openapi.ts'

export const webhooksOperations: OperationDocs = {
  'GET /webhooks': { operationId: 'getWebhookSettings' },
  'PATCH /webhooks': {
    operationId: 'updateWebhookSettings',
    example: {
      url: 'https://example.com/hooks/parley',
      enabled: true,
      eventTypes: ['message.created', 'message.updated'],
    },
  },
  'DELETE /webhooks': { operationId: 'deleteWebhookSettings' },
  'POST /webhooks/verify': {
    operationId: 'verifyWebhook',
    example: { url: 'https://example.com/hooks/parley' },
  },
  'GET /webhooks/signing-keys': { operationId: 'listSigningKeys' },
  'POST /webhooks/signing-keys/rotate': { operationId: 'rotateSigningKey' },
  'POST /webhooks/signing-keys/{id}/revoke': { operationId: 'revokeSigningKey' },
  'GET /webhooks/endpoints': {
    operationId: 'listWebhookEndpoints',
    description: 'The first endpoint is first, the others follow by age.',
  },
  'POST /webhooks/endpoints': {
    operationId: 'createWebhookEndpoint',
    example: {
      url: 'https://example.com/hooks/billing',
      eventTypes: ['contact.created'],
      description: 'Billing',
    },
  },
  'GET /webhooks/endpoints/{id}': {
    operationId: 'getWebhookEndpoint',
    description: '`health` shows whether its deliveries succeed.',
  },
  'PATCH /webhooks/endpoints/{id}': { operationId: 'updateWebhookEndpoint', example: { enabled: false } },
  'DELETE /webhooks/endpoints/{id}': { operationId: 'deleteWebhookEndpoint' },
  'POST /webhooks/endpoints/{id}/verify': { operationId: 'verifyWebhookEndpoint' },
  'GET /webhooks/attempts': { operationId: 'listWebhookAttempts' },
  'POST /webhooks/attempts/{id}/resend': { operationId: 'resendWebhookAttempt' },
  'POST /webhooks/replay': {
    operationId: 'replayEvents',
    example: { since: '2026-01-31T08:00:00Z', eventTypes: ['message.created'] },
  },
  'GET /events': { operationId: 'listEvents' },
  'POST /realtime/tickets': { operationId: 'createRealtimeTicket' },
  'POST /sandbox/inbound': {
    operationId: 'simulateInbound',
    description: 'The message arrives through the signed callback of the provider.',
    example: {
      inboxId: 'ibx_01k4xq7d9hfk3b0m6a7yz2c5rf',
      from: '+14155550132',
      content: { type: 'text', text: { body: 'Hi, is anybody there?' } },
    },
  },
  'GET /sandbox/sent': {
    operationId: 'listSandboxMessages',
    description: '`to` restricts the list to one customer.',
  },
  'POST /sandbox/clock': {
    operationId: 'advanceSandboxClock',
    description: 'Closes messaging windows and expires rate limits at the providers. It never goes back.',
    example: { advanceSeconds: 3600 },
  },
  'PUT /sandbox/faults': {
    operationId: 'setSandboxFaults',
    description: 'Replaces all faults.',
    example: { callbacks: { duplicate: { probability: 0.1 } } },
  },
  'DELETE /sandbox/faults': {
    operationId: 'clearSandboxFaults',
    description: 'The providers answer normally again.',
  },
}

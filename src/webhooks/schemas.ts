import Type from 'typebox'
import { literals, named, nullable, object, Timestamp } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'

/** Delivered unless an endpoint chooses its types. */
export const defaultEventTypes = [
  'contact.created',
  'contact.updated',
  'contact.archived',
  'conversation.started',
  'conversation.updated',
  'conversation.closed',
  'message.created',
  'message.updated',
] as const

export const eventTypes = [
  ...defaultEventTypes,
  'conversation.rated',
  'inbox.updated',
  'journey.updated',
  'chatbot.updated',
] as const

export type EventType = (typeof eventTypes)[number]

/** Type of the test event; only `POST /webhooks/verify` sends it. */
export const testType = 'webhook.test'

export const WebhookEventType = literals(eventTypes)

/** Why delivery disabled the endpoint. */
export const disableReasons = ['gone', 'failing'] as const
export type DisableReason = (typeof disableReasons)[number]

export const WebhookSettingsId = idType('whs')
export const WebhookKeyId = idType('whk')
export const DeliveryId = idType('whd')
export const AttemptId = idType('wha')

export const EndpointUrl = Type.String({
  minLength: 1,
  maxLength: 8192,
  examples: ['https://example.com/hooks/parley'],
})

export const Verification = named(
  'WebhookVerification',
  object({
    delivered: Type.Boolean(),
    statusCode: nullable(Type.Integer({ description: 'null without a response' })),
    error: nullable(Type.String()),
  }),
)

const endpointMembers = {
  enabled: Type.Boolean(),
  verified: Type.Boolean(),
  url: nullable(Type.String()),
  eventTypes: Type.Array(WebhookEventType),
  health: named(
    'WebhookHealth',
    object({
      failingSince: nullable(
        Type.String({ format: 'date-time', description: 'First failure since the last success' }),
      ),
      consecutiveFailures: Type.Integer({ minimum: 0 }),
      nextAttemptAt: nullable(
        Type.String({
          format: 'date-time',
          description: 'When the next waiting delivery is attempted; null if none is waiting',
        }),
      ),
      disabledReason: nullable(
        literals(disableReasons, {
          description:
            '`gone` after a 410 response, `failing` after five days without a success; null if enabled or disabled by a user',
        }),
      ),
    }),
  ),
}

export const WebhookSettings = named(
  'WebhookSettings',
  object({
    id: nullable(Type.String()),
    ...endpointMembers,
    availableEventTypes: Type.Array(WebhookEventType),
    createdAt: nullable(Timestamp),
    updatedAt: nullable(Timestamp),
  }),
)

export const WebhookEndpoint = named(
  'WebhookEndpoint',
  object({
    id: Type.String(),
    isFirst: Type.Boolean({ description: 'the endpoint that `GET /webhooks` shows' }),
    description: nullable(Type.String()),
    ...endpointMembers,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

export const AttemptStatus = literals(['succeeded', 'failed'])
export const AttemptEventType = literals([...eventTypes, testType])

export const WebhookAttempt = named(
  'WebhookAttempt',
  object({
    id: Type.String(),
    eventId: Type.String(),
    eventType: AttemptEventType,
    status: AttemptStatus,
    endpointId: nullable(Type.String({ description: 'extension' })),
    deliveryId: Type.String(),
    attemptNumber: Type.Integer({ minimum: 1 }),
    attemptedAt: Timestamp,
    responseStatus: nullable(Type.Integer()),
    responseBody: nullable(Type.String({ description: 'The first 16 KiB of the response' })),
    latencyMs: nullable(Type.Integer()),
    errorText: nullable(
      Type.String({
        description: '`interrupted` if the delivering process stopped before or during the call',
      }),
    ),
    signedWithVersions: Type.Array(Type.Integer()),
  }),
)

export const WebhookSigningKey = named(
  'WebhookSigningKey',
  object({
    id: Type.String(),
    version: Type.Integer({ minimum: 1 }),
    status: literals(['active', 'expiring']),
    createdAt: Timestamp,
    expiresAt: nullable(Timestamp),
    last4: Type.String(),
    plaintextKey: Type.Optional(
      Type.String({
        description:
          'Returned once: by the first list that contains the key, or by the rotation that created it',
      }),
    ),
  }),
)

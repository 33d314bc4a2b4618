import Type from 'typebox'
import { literals, named, nullable, object, Timestamp } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'
import { eventTypes, testType, WebhookEventType } from './event-types.ts'

export const WebhookSettingsId = idType('whs')
export const WebhookKeyId = idType('whk')
export const DeliveryId = idType('whd')
export const AttemptId = idType('wha')

export const WebhookSettings = named(
  'WebhookSettings',
  object({
    id: nullable(Type.String()),
    enabled: Type.Boolean(),
    verified: Type.Boolean(),
    url: nullable(Type.String()),
    eventTypes: Type.Array(WebhookEventType),
    availableEventTypes: Type.Array(WebhookEventType),
    createdAt: nullable(Timestamp),
    updatedAt: nullable(Timestamp),
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
    deliveryId: Type.String(),
    attemptNumber: Type.Integer({ minimum: 1 }),
    attemptedAt: Timestamp,
    responseStatus: nullable(Type.Integer()),
    responseBody: nullable(Type.String({ description: 'The first 16 KiB of it' })),
    latencyMs: nullable(Type.Integer()),
    errorText: nullable(
      Type.String({ description: '`interrupted` when we were cut off in the middle of it' }),
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
        description: 'Shown once: in the first list that has it, or by the rotation that made it',
      }),
    ),
  }),
)

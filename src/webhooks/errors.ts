import { problemKind } from '../platform/errors.ts'

export const SigningKeyMissing = problemKind(
  409,
  'webhook_signing_key_missing',
  'No signing key exists; list the signing keys to create the first one',
)
export const SigningKeyNotFound = problemKind(
  404,
  'webhook_signing_key_not_found',
  'Signing key not found, or it has expired or was revoked',
)
export const SigningKeyActive = problemKind(
  409,
  'webhook_signing_key_active',
  'The active signing key cannot be revoked; rotate it first',
)
export const EndpointNotFound = problemKind(404, 'webhook_endpoint_not_found', 'Webhook endpoint not found')
export const EndpointLimitReached = problemKind(
  409,
  'webhook_endpoint_limit',
  'The workspace has as many webhook endpoints as allowed',
)
export const AttemptNotFound = problemKind(404, 'webhook_attempt_not_found', 'Attempt not found')
export const WebhookNotEnabled = problemKind(409, 'webhook_not_enabled', 'The webhook is not enabled')
export const EventNotKept = problemKind(
  409,
  'webhook_event_not_kept',
  'The event has expired or was a test event',
)

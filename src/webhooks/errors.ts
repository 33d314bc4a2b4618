import { problemKind } from '../platform/errors.ts'

export const SigningKeyMissing = problemKind(
  409,
  'webhook_signing_key_missing',
  'No signing key exists; list the signing keys to create the first one',
)
export const AttemptNotFound = problemKind(404, 'webhook_attempt_not_found', 'Attempt not found')
export const WebhookNotEnabled = problemKind(409, 'webhook_not_enabled', 'The webhook is not enabled')
export const EventNotKept = problemKind(
  409,
  'webhook_event_not_kept',
  'The event has expired or was a test event',
)

import { problemKind } from '../platform/errors.ts'

export const SigningKeyMissing = problemKind(
  409,
  'webhook_signing_key_missing',
  'There is no signing key to rotate yet',
)
export const AttemptNotFound = problemKind(404, 'webhook_attempt_not_found', 'There is no such attempt')
export const WebhookNotEnabled = problemKind(409, 'webhook_not_enabled', 'The webhook is not enabled')
export const EventNotKept = problemKind(
  409,
  'webhook_event_not_kept',
  'The event is not kept any more, or was only a test',
)

import { problemKind } from '../platform/errors.ts'

export const InboxNotFound = problemKind(404, 'inbox_not_found', 'Inbox not found')
export const InboxAlreadyConnected = problemKind(
  409,
  'inbox_already_connected',
  'One of the numbers or accounts is already connected',
)
export const InboxChannelMismatch = problemKind(
  400,
  'inbox_channel_mismatch',
  'The inbox belongs to another channel',
)
export const ResourceNotFound = problemKind(
  404,
  'inbox_resource_not_found',
  'Resource not found at the provider, or not granted to this workspace',
)
export const ProviderRefused = problemKind(
  409,
  'inbox_provider_refused',
  'The provider rejected the credentials',
)
export const ProviderUnavailable = problemKind(
  503,
  'inbox_provider_unavailable',
  'The provider is unavailable; try again later',
)
export const HandshakeRefused = problemKind(
  403,
  'callback_handshake_refused',
  'The verify token does not match',
)

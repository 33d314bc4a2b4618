import { problemKind } from '../platform/errors.ts'

export const InboxNotFound = problemKind(404, 'inbox_not_found', 'There is no such inbox')
export const InboxAlreadyConnected = problemKind(
  409,
  'inbox_already_connected',
  'One of the numbers or accounts is connected already',
)
export const InboxChannelMismatch = problemKind(
  400,
  'inbox_channel_mismatch',
  'The inbox is of another channel',
)
export const ResourceNotFound = problemKind(
  404,
  'inbox_resource_not_found',
  'The provider has no such resource, or it was not granted to this workspace',
)
export const ProviderRefused = problemKind(
  409,
  'inbox_provider_refused',
  'The provider does not accept the credentials',
)
export const ProviderUnavailable = problemKind(
  503,
  'inbox_provider_unavailable',
  'The provider cannot be asked right now',
)
export const HandshakeRefused = problemKind(
  403,
  'callback_handshake_refused',
  'This is not the token that the callback was registered with',
)

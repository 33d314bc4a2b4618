import { problemKind } from '../platform/errors.ts'

export const ConversationNotFound = problemKind(404, 'conversation_not_found', 'Conversation not found')
export const MessageNotFound = problemKind(404, 'message_not_found', 'Message not found')
export const RecipientNotFound = problemKind(404, 'recipient_not_found', 'Recipient not found')
export const ClientMessageIdReused = problemKind(
  422,
  'message_client_id_reused',
  'The clientMessageId was already used for a different message',
)
export const SendRefused = problemKind(409, 'message_send_refused', 'The message would not be delivered')
export const ReactionNotFound = problemKind(404, 'reaction_not_found', 'Reaction not found')
export const ReactionsUnsupported = problemKind(
  409,
  'reactions_unsupported',
  'The channel of this message has no reactions',
)
export const MediaNotFound = problemKind(404, 'media_not_found', 'Media not found')
export const MediaUrlInvalid = problemKind(403, 'media_url_invalid', 'This URL is invalid or has expired')
export const RangeNotSatisfiable = problemKind(416, 'media_range_not_satisfiable', 'Range not satisfiable')

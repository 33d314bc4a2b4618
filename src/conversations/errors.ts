import { problemKind } from '../platform/errors.ts'

export const ConversationNotFound = problemKind(
  404,
  'conversation_not_found',
  'There is no such conversation',
)
export const MessageNotFound = problemKind(404, 'message_not_found', 'There is no such message')
export const RecipientNotFound = problemKind(404, 'recipient_not_found', 'There is no such recipient')
export const ClientMessageIdReused = problemKind(
  422,
  'message_client_id_reused',
  'The clientMessageId was used with another message',
)
export const SendRefused = problemKind(409, 'message_send_refused', 'This message would not be delivered')
export const ReactionNotFound = problemKind(409, 'reaction_not_found', 'You have no reaction to take back')
export const MediaNotFound = problemKind(404, 'media_not_found', 'There is no such media')
export const MediaUrlInvalid = problemKind(
  403,
  'media_url_invalid',
  'This address is not valid, or not any more',
)
export const RangeNotSatisfiable = problemKind(
  416,
  'media_range_not_satisfiable',
  'The file has no such bytes',
)

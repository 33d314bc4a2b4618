import { problemKind } from '../platform/errors.ts'

export const ConversationNotFound = problemKind(404, 'conversation_not_found', 'Conversation not found')
export const ConversationClosed = problemKind(409, 'conversation_closed', 'The conversation is closed')
export const ConversationInboxDeleted = problemKind(
  409,
  'conversation_inbox_deleted',
  'The inbox of the conversation was disconnected',
)
export const LabelNotFound = problemKind(404, 'label_not_found', 'Label not found')
export const LabelNameTaken = problemKind(409, 'label_name_taken', 'A label with this name already exists')
export const LabelLimitReached = problemKind(409, 'label_limit_reached', 'There are too many labels')
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
export const PictureNotFound = problemKind(404, 'picture_not_found', 'Picture not found')
export const MediaUrlInvalid = problemKind(403, 'media_url_invalid', 'This URL is invalid or has expired')
export const RangeNotSatisfiable = problemKind(416, 'media_range_not_satisfiable', 'Range not satisfiable')
export const MessageNotRetryable = problemKind(
  409,
  'message_not_retryable',
  'The message cannot be sent again',
)
export const MessageNotCancellable = problemKind(
  409,
  'message_not_cancellable',
  'The message can no longer be cancelled',
)
export const MessageNotScheduled = problemKind(409, 'message_not_scheduled', 'The message is not scheduled')
export const DraftConflict = problemKind(409, 'draft_conflict', 'The draft has changed since you read it')
export const NoteNotFound = problemKind(404, 'note_not_found', 'Note not found')
export const NoteNotYours = problemKind(403, 'note_not_yours', 'Only the author can change this note')
export const BulkActionNotFound = problemKind(404, 'bulk_action_not_found', 'Bulk action not found')
export const BulkUndoExpired = problemKind(
  409,
  'bulk_undo_expired',
  'The time in which the action can be undone is over',
)

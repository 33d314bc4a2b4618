import { problemKind } from '../platform/errors.ts'

export const SavedReplyNotFound = problemKind(404, 'saved_reply_not_found', 'Saved reply not found')
export const SavedReplyShortcutTaken = problemKind(
  409,
  'saved_reply_shortcut_taken',
  'A saved reply with this shortcut already exists',
)
export const SavedReplyLimitReached = problemKind(
  409,
  'saved_reply_limit_reached',
  'There are too many saved replies',
)
export const ViewNotFound = problemKind(404, 'view_not_found', 'View not found')
export const ViewLimitReached = problemKind(409, 'view_limit_reached', 'There are too many views')
export const MacroNotFound = problemKind(404, 'macro_not_found', 'Macro not found')
export const MacroLimitReached = problemKind(409, 'macro_limit_reached', 'There are too many macros')
export const PushSubscriptionNotFound = problemKind(
  404,
  'push_subscription_not_found',
  'Push subscription not found',
)
export const PlaceholderMissing = problemKind(
  409,
  'placeholder_missing',
  'A placeholder has no value and no default',
)
export const SharingForbidden = problemKind(
  403,
  'sharing_forbidden',
  'Your role does not allow you to change what others share',
)

import { problemKind } from '../platform/errors.ts'

export const WebchatNotFound = problemKind(404, 'webchat_not_found', 'There is no web chat with this key')
export const OriginNotAllowed = problemKind(
  403,
  'origin_not_allowed',
  'The web chat does not allow pages of this origin',
)
export const IdentityInvalid = problemKind(401, 'identity_invalid', 'The signed identity is not valid')
export const IdentityDiffers = problemKind(
  409,
  'identity_differs',
  'The visitor is identified as another person; start a new session',
)
export const IdentityRequired = problemKind(
  403,
  'identity_required',
  'Visitors of this web chat must be identified by the site',
)
export const VisitorBlocked = problemKind(
  403,
  'visitor_blocked',
  'The team has blocked this visitor, who can read the conversation but no longer write',
)
export const VisitorVerified = problemKind(
  409,
  'visitor_verified',
  'The site signed who the visitor is; it cannot be changed here',
)
export const VisitorNotFound = problemKind(
  404,
  'visitor_not_found',
  'The customer of this conversation is not a visitor of a website',
)
export const NothingToRate = problemKind(
  409,
  'nothing_to_rate',
  'There is no survey that can be answered now',
)
export const PreChatRequired = problemKind(
  429,
  'pre_chat_required',
  'The web chat has an unusual number of new visitors; send name and e-mail address',
)

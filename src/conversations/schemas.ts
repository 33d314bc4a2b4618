import Type, { type Static, type TSchema } from 'typebox'
import { MessageContent, OutboundContent } from '../inboxes/content.ts'
import { channels } from '../platform/config.ts'
import { AnyId, literals, named, nullable, object, Timestamp, variants } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'
import { DraftRevision } from './drafts/schemas.ts'

export const ConversationId = idType('cnv')
export const SessionId = idType('ses')
export const MessageId = idType('msg')
export const ReactionId = idType('rct')
export const MediaId = idType('mda')

export const senderTypes = ['user', 'customer', 'bot', 'journey', 'campaign', 'service'] as const
export type SenderType = (typeof senderTypes)[number]
export const deliveryStatuses = ['pending', 'sent', 'failed', 'delivered', 'read', 'received'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const Reaction = named(
  'Reaction',
  object({
    id: AnyId,
    messageId: AnyId,
    senderType: Type.String(),
    senderId: Type.String(),
    emoji: Type.String(),
    createdAt: Timestamp,
  }),
)

const Resource = object({
  kind: Type.String({ minLength: 1, maxLength: 100 }),
  id: Type.String({ minLength: 1, maxLength: 200 }),
  url: Type.Optional(
    Type.String({
      maxLength: 2000,
      pattern: '^https?://',
      patternMessage: 'must begin with http:// or https://',
    }),
  ),
  title: Type.Optional(Type.String({ maxLength: 500 })),
})
const MessageContext = object({ type: Type.Literal('message'), messageId: AnyId })
const ResourceContext = object({ type: Type.Literal('resource'), resource: Resource })
const UnavailableContext = object({ type: Type.Literal('unavailable'), channelMessageId: Type.String() })

export const SendMessageContext = named(
  'SendMessageContext',
  variants('type', [MessageContext, ResourceContext]),
)
export const StoredContext = named(
  'MessageContext',
  variants('type', [MessageContext, ResourceContext, UnavailableContext]),
)
export type StoredContext = Static<typeof StoredContext>

const TimelineEntry = object({
  at: Timestamp,
  type: Type.String(),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export const DeliveryError = object({
  code: Type.String(),
  message: Type.String(),
  retryable: Type.Boolean(),
})
export type DeliveryError = Static<typeof DeliveryError>

export const Message = named(
  'Message',
  object({
    id: AnyId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    tenantId: AnyId,
    conversationId: AnyId,
    senderType: literals(senderTypes),
    senderId: Type.String(),
    contactId: Type.Optional({
      ...AnyId,
      description: 'extension: the contact that owned the address when the message was accepted',
    }),
    content: MessageContent,
    deliveryStatus: literals(deliveryStatuses),
    deliveryError: Type.Optional(DeliveryError),
    sendAt: Type.Optional(
      Type.String({ ...Timestamp, description: 'extension: when a scheduled message is sent' }),
    ),
    channelMessageId: Type.Optional(Type.String()),
    clientMessageId: Type.Optional(Type.String()),
    context: Type.Optional(Type.Array(StoredContext)),
    reactions: Type.Optional(Type.Array(Reaction)),
    timeline: Type.Optional(Type.Array(TimelineEntry)),
  }),
)
export type Message = Static<typeof Message>

export const priorities = ['low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

export const Owner = object({ type: literals(['user', 'team', 'bot']), id: AnyId })

/** Marks a property that the contract does not have. */
const extension = <S extends TSchema>(schema: S, description?: string): S => ({
  ...schema,
  description: description ? `extension: ${description}` : 'extension',
})
const readOnlyByUsers = 'of the caller; in lists and single reads of users, not in events'

const conversationMembers = {
  id: AnyId,
  channel: literals(channels),
  externalId: Type.String(),
  inboxId: AnyId,
  name: Type.String(),
  contactId: AnyId,
  contactName: nullable(Type.String()),
  contactAvatarUrl: extension(nullable(Type.String()), 'the picture of the contact, a path of this service'),
  status: literals(['open', 'closed']),
  activeOwner: nullable(Owner),
  lastMessageAt: Timestamp,
  lastMessagePreview: nullable(Type.String()),
  lastMessageSender: nullable(Type.String()),
  teamId: extension(nullable(AnyId), 'agents outside the team see the conversation only if they own it'),
  labelIds: extension(Type.Array(AnyId)),
  priority: extension(nullable(literals(priorities))),
  snoozed: extension(Type.Boolean()),
  snoozedUntil: extension(nullable(Timestamp), 'null while `snoozed`: until the customer writes'),
  waitingSince: extension(
    nullable(Timestamp),
    'time of the first message of the customer that no person has replied to',
  ),
  openedAt: extension(Timestamp, 'start of the latest session'),
  closedAt: extension(nullable(Timestamp), 'null while open'),
  windowExpiresAt: extension(
    nullable(Timestamp),
    'until when the channel accepts free-form messages; null without a window or without a message of the customer',
  ),
  unreadCount: Type.Optional(extension(Type.Integer(), readOnlyByUsers)),
  lastMessageSenderId: Type.Optional(
    extension(
      nullable(AnyId),
      'the user who wrote the last message; in lists and single reads, not in events',
    ),
  ),
  lastMessageFailed: Type.Optional(
    extension(Type.Boolean(), `whether the last message could not be delivered; ${readOnlyByUsers}`),
  ),
  lastReadMessageId: Type.Optional(extension(nullable(AnyId), readOnlyByUsers)),
  mentioned: Type.Optional(extension(Type.Boolean(), `whether a note mentions you; ${readOnlyByUsers}`)),
  contact: Type.Optional(
    extension(
      object({ id: AnyId, name: nullable(Type.String()), optOuts: Type.Array(literals(channels)) }),
      'in lists and single reads, not in events',
    ),
  ),
}

export const Conversation = named('Conversation', object(conversationMembers))
export type Conversation = Static<typeof Conversation>

export const OwnerRequest = named(
  'OwnerRequest',
  variants('type', [
    object({ type: Type.Literal('user'), id: AnyId }),
    object({ type: Type.Literal('team'), id: AnyId }),
    object({ type: Type.Literal('bot'), id: AnyId }),
    object({ type: Type.Literal('none') }),
  ]),
)
export type OwnerRequest = Static<typeof OwnerRequest>

export const SnoozeRequest = object({
  until: Type.Optional(Timestamp),
  untilReply: Type.Optional(Type.Boolean({ description: 'true: until the customer writes' })),
})
export type SnoozeRequest = Static<typeof SnoozeRequest>

const CanReply = object({
  canReply: Type.Boolean(),
  reason: nullable(literals(['window_closed', 'opted_out', 'inbox_inactive', 'owned_by_user'])),
})

export const Window = named(
  'Window',
  object({
    open: Type.Boolean(),
    expiresAt: nullable(Timestamp),
    agent: CanReply,
    bot: CanReply,
    allowedContent: Type.Array(Type.String()),
  }),
)
export type Window = Static<typeof Window>

export const ConversationWithWindow = named(
  'ConversationWithWindow',
  object({ ...conversationMembers, window: Window }),
)

export const ClientMessageId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  patternMessage: 'must be printable ASCII characters without spaces',
})

const sendMembers = {
  content: OutboundContent,
  inboxId: Type.Optional(AnyId),
  contexts: Type.Optional(Type.Array(SendMessageContext, { maxItems: 10 })),
  clientMessageId: Type.Optional(ClientMessageId),
  sendAt: Type.Optional(
    Type.String({
      ...Timestamp,
      description: 'extension: send later, within a year; needs a conversation with the recipient',
    }),
  ),
  draftRevision: Type.Optional(DraftRevision),
}

export const Recipient = named(
  'MessageRecipient',
  variants('type', [
    object({
      type: Type.Literal('channel'),
      externalId: Type.String({ minLength: 1, maxLength: 200 }),
      channel: literals(channels),
    }),
    object({ type: Type.Literal('phone'), phoneNumber: Type.String({ minLength: 1, maxLength: 60 }) }),
    object({ type: Type.Literal('conversation'), conversationId: AnyId }),
    object({ type: Type.Literal('contact'), contactId: AnyId, channel: Type.Optional(literals(channels)) }),
  ]),
)
export type Recipient = Static<typeof Recipient>

export const SendRequest = object({ recipient: Recipient, ...sendMembers })
export const ReplyRequest = object(sendMembers)
export const Accepted = object({ message: Message, conversation: Conversation })

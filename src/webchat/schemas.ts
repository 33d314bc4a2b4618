import Type, { type Static } from 'typebox'
import { Appearance, PreChat } from '../inboxes/settings/webchat-schemas.ts'
import {
  AnyId,
  Email,
  literals,
  named,
  nullable,
  object,
  Timestamp,
  variants,
  visibleText,
} from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'

export const VisitorId = idType('wcv')

const Url = Type.String({
  maxLength: 2000,
  pattern: '^https?://',
  patternMessage: 'must begin with http:// or https://',
})
const Locale = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: '^[A-Za-z0-9-]+$',
  patternMessage: 'must be a language tag such as de-CH',
  examples: ['de-CH'],
})
const PersonName = visibleText(200)
const Phone = Type.String({ minLength: 3, maxLength: 60, pattern: '^\\+?[0-9 ().\\-/]+$' })

export const WidgetConfig = named(
  'WidgetConfig',
  object({
    inboxKey: Type.String(),
    workspaceName: Type.String(),
    appearance: Appearance,
    greeting: nullable(Type.String()),
    availability: object({
      isOpen: Type.Boolean(),
      opensAt: { ...nullable(Timestamp), description: 'within the next eight days' },
    }),
    preChat: nullable(PreChat),
    maxUploadBytes: Type.Integer(),
    csat: Type.Boolean(),
    isIdentityRequired: Type.Boolean({
      description: 'visitors can write only after the site identified them',
    }),
  }),
)
export type WidgetConfig = Static<typeof WidgetConfig>

export const WidgetVisitor = named(
  'WidgetVisitor',
  object({
    id: AnyId,
    isVerified: Type.Boolean({ description: 'the site signed who the visitor is' }),
    isBlocked: Type.Boolean({ description: 'the visitor can read, but not write' }),
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    phone: nullable(Type.String()),
  }),
)
export type WidgetVisitor = Static<typeof WidgetVisitor>

/** A visitor as agents see it. */
export const ConversationVisitor = named(
  'ConversationVisitor',
  object({
    ...WidgetVisitor.properties,
    locale: nullable(Type.String()),
    page: nullable(Type.String()),
    referrer: nullable(Type.String()),
    lastSeenAt: Timestamp,
  }),
)

export type ConversationVisitor = Static<typeof ConversationVisitor>

const Person = { name: nullable(Type.String()), avatarUrl: nullable(Type.String()) }

export const WidgetConversation = named(
  'WidgetConversation',
  object({
    id: AnyId,
    status: literals(['open', 'closed']),
    canRate: Type.Boolean(),
    rating: nullable(Type.Integer({ minimum: 1, maximum: 5 })),
    agent: nullable(object({ name: Type.String(), avatarUrl: Person.avatarUrl })),
    seenUpTo: {
      ...nullable(Type.Integer()),
      description: "`seq` of the visitor's last message that a person has read; null: none",
    },
  }),
)
export type WidgetConversation = Static<typeof WidgetConversation>

export const WidgetFile = named(
  'WidgetFile',
  object({
    mediaId: AnyId,
    url: Type.String({ description: 'a path of this service, valid for a day' }),
    mimeType: Type.String(),
    size: Type.Integer(),
    filename: Type.String(),
  }),
)
export type WidgetFile = Static<typeof WidgetFile>

const ShownContent = Type.Object(
  { type: Type.String() },
  {
    additionalProperties: true,
    description:
      'as `MessageContent`; `media`, also in the header of a card, has `url`, `mimeType`, `size` and `filename` too',
  },
)

export const WidgetMessage = named(
  'WidgetMessage',
  object({
    id: AnyId,
    clientMessageId: nullable(Type.String()),
    seq: Type.Integer({ description: 'the place of the message in the conversation' }),
    createdAt: Timestamp,
    author: object({ kind: literals(['visitor', 'agent', 'bot']), ...Person }),
    status: literals(['sent', 'delivered', 'read']),
    replyTo: nullable(AnyId),
    content: ShownContent,
  }),
)
export type WidgetMessage = Static<typeof WidgetMessage>

export const SessionRequest = object({
  locale: Type.Optional(Locale),
  page: Type.Optional(Url),
  referrer: Type.Optional(Url),
  contact: Type.Optional(
    object(
      { name: PersonName, email: Email },
      { description: 'required while the inbox has an unusual number of new visitors' },
    ),
  ),
})
export type SessionRequest = Static<typeof SessionRequest>

export const Session = object({
  visitorToken: {
    ...nullable(Type.String()),
    description: 'null: the token of the request stays valid',
  },
  expiresAt: Timestamp,
  visitor: WidgetVisitor,
  config: WidgetConfig,
  conversation: nullable(WidgetConversation),
  unreadCount: Type.Integer({ description: 'at most 100' }),
})
export type Session = Static<typeof Session>

export const VisitorPatch = object({
  name: Type.Optional(nullable(PersonName)),
  email: Type.Optional(nullable(Email)),
  phone: Type.Optional(nullable(Phone)),
  locale: Type.Optional(Locale),
})
export type VisitorPatch = Static<typeof VisitorPatch>

export const WidgetContent = named(
  'WidgetMessageContent',
  variants('type', [
    object({
      type: Type.Literal('text'),
      text: object({ body: visibleText(4096) }),
    }),
    object({
      type: Type.Literal('media'),
      media: object({
        mediaId: AnyId,
        caption: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
      }),
    }),
    object({
      type: Type.Literal('reply'),
      reply: object({
        id: Type.String({ minLength: 1, maxLength: 256 }),
        title: Type.Optional(Type.String({ maxLength: 100 })),
      }),
    }),
    object({
      type: Type.Literal('formResponse'),
      formResponse: object({
        values: object(
          { name: Type.Optional(PersonName), email: Type.Optional(Email), phone: Type.Optional(Phone) },
          { minProperties: 1 },
        ),
      }),
    }),
  ]),
)
export type WidgetContent = Static<typeof WidgetContent>

export const SendWidgetMessage = object({
  clientMessageId: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\x21-\\x7e]+$',
    patternMessage: 'must be printable ASCII characters without spaces',
  }),
  content: WidgetContent,
  replyTo: Type.Optional(nullable(AnyId)),
  page: Type.Optional(Url),
})
export type SendWidgetMessage = Static<typeof SendWidgetMessage>

import Type, { type Static, type TSchema } from 'typebox'
import { BusinessHours } from '../identity/workspace/workspace-settings.ts'
import { channels } from '../platform/config.ts'
import { AnyId, literals, Name, named, nullable, object, Timestamp } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'
import { CreateWebchatRequest, WebchatInbox, WebchatPatch } from './settings/webchat-schemas.ts'

export const InboxId = idType('ibx')
export const PendingCredentialId = idType('pcr')

/** Issues returned by the API as reasons of the inbox status. */
export const issueReasons = [
  'payment_issue',
  'auth_expired',
  'quality_low',
  'rate_limited',
  'webhook_failing',
] as const

export type InboxIssue = (typeof issueReasons)[number] | 'account_locked' | 'account_unknown'
/** Open issues, each with the time it was opened. */
export type InboxIssues = Partial<Record<InboxIssue, string>>

const describe = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description })

const AutomaticReply = Type.String({ minLength: 1, maxLength: 4096 })
const SurveyText = Type.String({ minLength: 1, maxLength: 1000 })
const csatMembers = {
  question: describe(SurveyText, 'asked with the choices from 1 to 5'),
  delayMinutes: Type.Integer({ minimum: 0, maximum: 1440, description: 'after the conversation is closed' }),
  commentQuestion: describe(
    nullable(SurveyText),
    'sent after the rating; the next message within an hour is the comment. null: none is asked for',
  ),
}
const CsatSettings = named('CsatSettings', object(csatMembers))
export type CsatSettings = Static<typeof CsatSettings>
const CsatRequest = object({
  question: csatMembers.question,
  delayMinutes: Type.Optional(
    describe(csatMembers.delayMinutes, 'after the conversation is closed; default: 0'),
  ),
  commentQuestion: Type.Optional(csatMembers.commentQuestion),
})

const settings = {
  businessHours: nullable(BusinessHours),
  greeting: nullable(AutomaticReply),
  away: nullable(AutomaticReply),
}
export const Inbox = named(
  'Inbox',
  object({
    id: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    tenantId: Type.String(),
    channel: literals(channels),
    externalId: Type.String(),
    createdBy: Type.String(),
    name: Type.String(),
    teamId: nullable(Type.String()),
    status: object({
      state: literals(['active', 'degraded', 'disconnected']),
      reasons: Type.Array(literals(issueReasons)),
    }),
    config: Type.Record(Type.String(), Type.String(), {
      description:
        'chatapp: phoneNumberId, wabaId, displayPhoneNumber; sms: phoneNumberSid, accountSid, phoneNumber; socialapp: accountId, username; webchat: none',
    }),
    businessHours: describe(settings.businessHours, 'extension: null means the hours of the workspace'),
    greeting: describe(settings.greeting, 'extension: sent once to a customer who opens a session'),
    away: describe(
      settings.away,
      'extension: sent once per session to a customer who writes outside of the business hours',
    ),
    csat: describe(
      nullable(CsatSettings),
      'extension: the satisfaction survey that is sent once per session after it was closed; null: none',
    ),
    webchat: describe(nullable(WebchatInbox), 'extension: null on other channels'),
  }),
)
export type Inbox = Static<typeof Inbox>

export const InboxPatch = object({
  name: Type.Optional(Name),
  businessHours: Type.Optional(settings.businessHours),
  greeting: Type.Optional(settings.greeting),
  away: Type.Optional(settings.away),
  csat: Type.Optional(nullable(CsatRequest)),
  webchat: Type.Optional(WebchatPatch),
})

export const InboxCheck = named(
  'InboxCheck',
  object({
    inbox: Inbox,
    ok: Type.Boolean({ description: 'the provider accepts the credentials and has the number or account' }),
    failure: nullable(object({ code: Type.String(), message: Type.String() })),
    callbacks: nullable(
      literals(['registered', 'missing', 'elsewhere'], {
        description:
          'where the provider sends events: to this installation, nowhere, or to another URL; null: unknown',
      }),
    ),
  }),
)

/** Provider ids become part of URLs, so they may not contain characters with a meaning there. */
const providerId = '^[A-Za-z0-9_.-]*[A-Za-z0-9_-]$'
const ProviderId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: providerId,
  patternMessage: 'must have only letters, digits, _ - and ., and must not end with .',
})
export const ProviderToken = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '^[\\x21-\\x7e]+$',
  patternMessage: 'must be printable ASCII characters without spaces',
})
const ids = Type.Array(ProviderId, { minItems: 1, maxItems: 100, uniqueItems: true })
const ownToken = Type.Optional(
  Type.String({
    ...ProviderToken,
    description: "The workspace's own token at the provider; defaults to the deployment's token",
  }),
)

export const CreateInboxesRequest = named(
  'CreateInboxRequest',
  object(
    {
      chatapp: Type.Optional(object({ resourceIds: ids, phoneNumberIds: ids, authToken: ownToken })),
      socialapp: Type.Optional(object({ resourceIds: ids, authToken: ownToken })),
      sms: Type.Optional(object({ pendingCredentialId: AnyId, phoneNumberSids: ids })),
      webchat: Type.Optional(CreateWebchatRequest),
    },
    { minProperties: 1, maxProperties: 1, description: 'Exactly one channel' },
  ),
)
export type CreateInboxesRequest = Static<typeof CreateInboxesRequest>

export const Credentials = object({ authToken: ProviderToken })

export const isProviderId = (text: string): boolean => text.length <= 128 && new RegExp(providerId).test(text)

const Flow = {
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  categories: Type.Array(Type.String()),
}

export const ChatappTemplate = named(
  'ChatappTemplate',
  object({
    id: Type.String(),
    name: Type.String(),
    language: Type.String(),
    status: Type.String(),
    category: Type.String(),
    components: Type.Array(
      Type.Object(
        { type: Type.String(), text: Type.Optional(Type.String()) },
        { additionalProperties: true },
      ),
    ),
  }),
)
export type ChatappTemplate = Static<typeof ChatappTemplate>

export const ChatappFlow = named('ChatappFlow', object(Flow))
export type ChatappFlow = Static<typeof ChatappFlow>

const flowParts = [
  'heading',
  'text',
  'caption',
  'image',
  'link',
  'input',
  'date',
  'choice',
  'check',
  'file',
  'button',
] as const

export const FlowPart = named(
  'FlowPart',
  object({
    kind: literals(flowParts),
    text: Type.String({ description: 'the text, the label, or what an image shows' }),
    hint: nullable(Type.String()),
    isRequired: Type.Boolean(),
    options: Type.Array(Type.String(), { description: 'of a choice' }),
  }),
)
export type FlowPart = Static<typeof FlowPart>

export const FlowScreen = named(
  'FlowScreen',
  object({
    id: Type.String(),
    title: Type.String(),
    isTerminal: Type.Boolean({ description: 'the flow ends with this screen' }),
    parts: Type.Array(FlowPart),
  }),
)
export type FlowScreen = Static<typeof FlowScreen>

export const ChatappPhoneNumber = named(
  'ChatappPhoneNumber',
  object({
    id: Type.String(),
    displayPhoneNumber: Type.String(),
    verifiedName: nullable(Type.String()),
    qualityRating: nullable(Type.String()),
    codeVerificationStatus: nullable(Type.String()),
    isRegistered: Type.Boolean(),
  }),
)
export type ChatappPhoneNumber = Static<typeof ChatappPhoneNumber>

export const SmsPhoneNumber = named(
  'SmsPhoneNumber',
  object({
    phoneNumberSid: Type.String(),
    phoneNumber: Type.String(),
    friendlyName: nullable(Type.String()),
    capabilities: object({ sms: Type.Boolean(), mms: Type.Boolean(), voice: Type.Boolean() }),
  }),
)
export type SmsPhoneNumber = Static<typeof SmsPhoneNumber>

export const mediaTypes = ['post', 'reel', 'story'] as const
export const SocialMedia = named(
  'SocialMedia',
  object({
    id: Type.String(),
    mediaType: literals(mediaTypes),
    caption: nullable(Type.String()),
    permalink: nullable(Type.String()),
    mediaUrl: nullable(Type.String()),
    thumbnailUrl: nullable(Type.String()),
    timestamp: nullable(Timestamp),
  }),
)
export type SocialMedia = Static<typeof SocialMedia>

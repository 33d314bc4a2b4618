import Type, { type Static } from 'typebox'
import { MessageContent, OutboundContent } from '../inboxes/content.ts'
import { channels } from '../platform/config.ts'
import { cursorList } from '../platform/http/page.ts'
import { AnyId, literals, Name, named, nullable, object, Timestamp } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'

export const CampaignId = idType('cmp')

const campaignStatuses = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'failed', 'cancelled'] as const
export const CampaignStatus = literals(campaignStatuses)
export type CampaignStatus = (typeof campaignStatuses)[number]

const recipientStatuses = ['pending', 'sent', 'delivered', 'read', 'failed', 'skipped'] as const
export const RecipientStatus = literals(recipientStatuses)
export type RecipientStatus = (typeof recipientStatuses)[number]

export const skipReasons = [
  'archived',
  'opted_out',
  'no_identity',
  'window_closed',
  'missing_parameter',
] as const
export type SkipReason = (typeof skipReasons)[number]

const SendRate = Type.Number({
  exclusiveMinimum: 0,
  maximum: 10_000,
  description: "messages per second; capped at the inbox's rate (extension)",
})

const campaignMembers = {
  id: AnyId,
  name: Type.String(),
  status: CampaignStatus,
  segmentId: nullable(AnyId),
  inboxId: nullable(AnyId),
  channel: nullable(literals(channels)),
  content: nullable(OutboundContent),
  sendRate: nullable(SendRate),
  revision: Type.Integer(),
  scheduledAt: nullable(Timestamp),
  evaluatedAt: nullable(Timestamp),
  sentAt: nullable(Timestamp),
  audienceCount: nullable(Type.Integer()),
  dispatchError: nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  updatedBy: {
    ...nullable(AnyId),
    description: 'Extension: the user or service account that last changed the draft; null: unknown',
  },
}
export const Campaign = named('Campaign', object(campaignMembers))
export type Campaign = Static<typeof Campaign>

export const NewCampaign = object({ name: Name })

export const CampaignPatch = object({
  name: Type.Optional(Name),
  segmentId: Type.Optional(nullable(AnyId)),
  inboxId: Type.Optional(nullable(AnyId)),
  content: Type.Optional(nullable(OutboundContent)),
  sendRate: Type.Optional(nullable(SendRate)),
})
export type CampaignPatch = Static<typeof CampaignPatch>

export const ScheduleRequest = object({
  sendAt: Type.String({
    description: '`now`, or an RFC 3339 timestamp with any offset',
    minLength: 1,
    maxLength: 64,
  }),
})

const Count = Type.Integer({ minimum: 0 })
const Rate = Type.Number({ minimum: 0 })

const Counts = object({
  pending: Count,
  sent: Count,
  delivered: Count,
  read: Count,
  failed: Count,
  skipped: Count,
  replied: Count,
})

export const ListedCampaign = named(
  'ListedCampaign',
  object({
    ...campaignMembers,
    counts: { ...nullable(Counts), description: 'null until the audience is evaluated (extension)' },
  }),
)

export const RecipientReasons = named(
  'CampaignRecipientReasons',
  object({
    items: Type.Array(
      object({ status: literals(['failed', 'skipped']), reason: Type.String(), count: Count }),
    ),
  }),
)
export type RecipientReasons = Static<typeof RecipientReasons>

export const RecipientsPage = cursorList(
  named(
    'CampaignRecipient',
    object({
      contactId: AnyId,
      contactName: nullable(Type.String()),
      status: RecipientStatus,
      reason: Type.Optional(Type.String()),
      messageId: Type.Optional(AnyId),
      updatedAt: Timestamp,
    }),
  ),
)

export const CampaignAnalytics = named(
  'CampaignAnalytics',
  object({
    campaignId: AnyId,
    audienceCount: nullable(Count),
    counts: Counts,
    rates: object({ delivery: Rate, read: Rate, reply: Rate, failure: Rate }),
    startedAt: nullable(Timestamp),
    finishedAt: nullable(Timestamp),
    timeline: Type.Array(
      object({ at: Timestamp, sent: Count, delivered: Count, read: Count, failed: Count }),
    ),
  }),
)
export type CampaignAnalytics = Static<typeof CampaignAnalytics>

export const TestRequest = object({ contactId: AnyId })

export const CampaignPreview = named(
  'CampaignPreview',
  object({
    contactId: AnyId,
    content: { ...nullable(MessageContent), description: 'null if the contact would be skipped' },
    skipReason: nullable(literals(skipReasons)),
  }),
)
export type CampaignPreview = Static<typeof CampaignPreview>

export const CampaignEstimate = named(
  'CampaignEstimate',
  object({
    audienceCount: Count,
    sendable: Count,
    skipped: object({
      archived: Count,
      opted_out: Count,
      no_identity: Count,
      window_closed: Count,
      missing_parameter: Count,
    }),
    rate: nullable(Type.Number({ description: 'messages per second; null: unlimited' })),
    durationSeconds: nullable(Type.Number({ minimum: 0 })),
  }),
)

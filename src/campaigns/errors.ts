import { problemKind } from '../platform/errors.ts'

export const CampaignNotFound = problemKind(404, 'campaign_not_found', 'Campaign not found')
export const CampaignNotDraft = problemKind(
  409,
  'campaign_not_draft',
  'Only drafts can be changed or scheduled',
)
export const CampaignNotScheduled = problemKind(
  409,
  'campaign_not_scheduled',
  'The campaign is not scheduled, or its dispatch has started',
)
export const CampaignNotDeletable = problemKind(
  409,
  'campaign_not_deletable',
  'Unschedule or cancel the campaign first',
)
export const CampaignNotSending = problemKind(409, 'campaign_not_sending', 'The campaign is not being sent')
export const CampaignNotPaused = problemKind(409, 'campaign_not_paused', 'The campaign is not paused')
export const CampaignNotCancellable = problemKind(
  409,
  'campaign_not_cancellable',
  'Only scheduled, sending or paused campaigns can be cancelled',
)

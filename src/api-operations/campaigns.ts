/** Campaigns: the name of each operation, what its route does not say, and an example of its body. */
import type { OperationDocs } from '../platform/http/openapi/openapi.ts'

export const campaignsOperations: OperationDocs = {
  'GET /campaigns': { operationId: 'listCampaigns', description: 'Newest first, filtered by status.' },
  'POST /campaigns': {
    operationId: 'createCampaign',
    description: 'Segment, inbox and content are set with `PATCH`.',
    example: { name: 'Spring sale' },
  },
  'GET /campaigns/{campaignId}': {
    operationId: 'getCampaign',
    description: 'The `ETag` is the revision to send as `If-Match`.',
  },
  'PATCH /campaigns/{campaignId}': {
    operationId: 'updateCampaign',
    example: {
      segmentId: 'seg_01k4xq7d9hfk3b0m6a7yz2c5rk',
      inboxId: 'ibx_01k4xq7d9hfk3b0m6a7yz2c5rf',
      content: { type: 'text', text: { body: 'Hello {{contact.name | default: "friend"}}' } },
    },
  },
  'DELETE /campaigns/{campaignId}': {
    operationId: 'deleteCampaign',
    description: 'Unschedule a scheduled campaign first.',
  },
  'POST /campaigns/{campaignId}/schedule': {
    operationId: 'scheduleCampaign',
    description: 'Needs a segment, an inbox and content. The recipients are evaluated when sending begins.',
    example: { sendAt: 'now' },
  },
  'POST /campaigns/{campaignId}/unschedule': {
    operationId: 'unscheduleCampaign',
    description: 'Refused once sending has begun.',
  },
  'GET /campaigns/{campaignId}/analytics': { operationId: 'getCampaignAnalytics' },
  'GET /campaigns/{campaignId}/recipients': { operationId: 'listCampaignRecipients' },
  'GET /campaigns/{campaignId}/recipients/export': {
    operationId: 'exportCampaignRecipients',
    description: 'Streams all recipients, filtered by status.',
  },
  'POST /campaigns/{campaignId}/pause': {
    operationId: 'pauseCampaign',
    description: 'Messages that were handed to the provider are not recalled.',
  },
  'POST /campaigns/{campaignId}/resume': {
    operationId: 'resumeCampaign',
    description: 'Continues with the remaining recipients.',
  },
  'POST /campaigns/{campaignId}/cancel': { operationId: 'cancelCampaign' },
  'POST /campaigns/{campaignId}/test': {
    operationId: 'testCampaign',
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
  },
  'GET /campaigns/{campaignId}/estimate': {
    operationId: 'estimateCampaign',
    description: 'Counts are those of this moment; nothing is sent.',
  },
  'POST /campaigns/{campaignId}/duplicate': {
    operationId: 'duplicateCampaign',
    description: 'The name defaults to that of the campaign. Schedules and recipients are not copied.',
    example: { name: 'Spring sale again' },
  },
}

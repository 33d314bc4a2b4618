import Type from 'typebox'
import { ContactNotFound } from '../../contacts/errors.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { cursorList, cursorPage, toCursorList } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { getAnalytics } from '../analytics.ts'
import { createCampaign, deleteCampaign, duplicateCampaign, editCampaign, getCampaign } from '../campaigns.ts'
import { listReceivedCampaigns, ReceivedCampaign } from '../contact-timeline.ts'
import { CampaignNotDeletable, CampaignNotDraft, CampaignNotFound, CampaignNotScheduled } from '../errors.ts'
import { scheduleCampaign, unscheduleCampaign } from '../schedule.ts'
import {
  Campaign,
  CampaignAnalytics,
  CampaignPatch,
  CampaignStatus,
  ListedCampaign,
  NewCampaign,
  ScheduleRequest,
} from '../schemas.ts'
import { campaignToApi, listCampaigns } from '../store/campaigns.ts'

const route = section('Campaigns')

export const campaignRoutes = [
  route('GET /campaigns', {
    operationId: 'listCampaigns',
    summary: 'List the campaigns',
    description: 'Newest first, filtered by status, with the counts of those that have begun.',
    access: { scopes: ['campaign:list'], roles: everyone },
    query: object({ status: Type.Optional(CampaignStatus) }),
    page: cursorPage,
    success: { status: 200, body: cursorList(ListedCampaign) },
    handle: async ({ db, caller, query, page }) => {
      const { rows, next } = page.toPage(await listCampaigns(db, caller, query.status, page), ({ id }) => [
        id,
      ])
      return toCursorList(rows.map(campaignToApi), next)
    },
  }),
  route('GET /contacts/{id}/campaigns', {
    operationId: 'listContactCampaigns',
    summary: 'List the campaigns that a contact got, newest first',
    description:
      'With the message of each. The newest 1,000 campaigns are looked up; those of conversations that you cannot see are left out.',
    access: { scopes: ['contact:read', 'campaign:read'], roles: everyone },
    extension: true,
    page: cursorPage,
    success: { status: 200, body: cursorList(ReceivedCampaign) },
    errors: [ContactNotFound],
    handle: ({ db, caller, params, page }) => listReceivedCampaigns(db, caller, params.id, page),
  }),
  route('POST /campaigns', {
    operationId: 'createCampaign',
    summary: 'Create a draft',
    description: 'Segment, inbox and content are set with `PATCH`.',
    access: { scopes: ['campaign:create'], roles: managers },
    body: NewCampaign,
    example: { name: 'Spring sale' },
    success: { status: 201, body: Campaign, etag: true },
    handle: ({ write, caller, body }) => write(tx => createCampaign(tx, caller, body.name)),
  }),
  route('GET /campaigns/{campaignId}', {
    operationId: 'getCampaign',
    summary: 'Get a campaign',
    description: 'The `ETag` is the revision to send as `If-Match`.',
    access: { scopes: ['campaign:read'], roles: everyone },
    success: { status: 200, body: Campaign, etag: true },
    errors: [CampaignNotFound],
    handle: async ({ db, caller, params }) => campaignToApi(await getCampaign(db, caller, params.campaignId)),
  }),
  route('POST /campaigns/{campaignId}/duplicate', {
    operationId: 'duplicateCampaign',
    summary: 'Create a draft with the content and audience of this campaign',
    description: 'The name defaults to that of the campaign. Schedules and recipients are not copied.',
    access: { scopes: ['campaign:read', 'campaign:create'], roles: managers },
    extension: true,
    body: object({ name: Type.Optional(NewCampaign.properties.name) }),
    bodyOptional: true,
    example: { name: 'Spring sale again' },
    success: { status: 201, body: Campaign, etag: true },
    errors: [CampaignNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => duplicateCampaign(tx, caller, params.campaignId, body?.name)),
  }),
  route('PATCH /campaigns/{campaignId}', {
    operationId: 'updateCampaign',
    summary: 'Change a draft',
    description:
      'The channel follows the inbox. Texts of the content may contain placeholders for values of the recipient: `{{contact.name | default: "friend"}}`, `{{contact.customFields.plan}}`. `sendRate` is an extension.',
    access: { scopes: ['campaign:update'], roles: managers },
    body: CampaignPatch,
    concurrency: 'optional',
    example: {
      segmentId: 'seg_01k4xq7d9hfk3b0m6a7yz2c5rk',
      inboxId: 'ibx_01k4xq7d9hfk3b0m6a7yz2c5rf',
      content: { type: 'text', text: { body: 'Hello {{contact.name | default: "friend"}}' } },
    },
    success: { status: 200, body: Campaign, etag: true },
    errors: [CampaignNotFound, CampaignNotDraft],
    handle: ({ write, caller, params, body, ifMatch }) =>
      write(tx => editCampaign(tx, caller, params.campaignId, body, ifMatch)),
  }),
  route('DELETE /campaigns/{campaignId}', {
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign that is not scheduled or being sent',
    description: 'Unschedule a scheduled campaign first.',
    access: { scopes: ['campaign:delete'], roles: managers },
    concurrency: 'optional',
    success: { status: 204 },
    errors: [CampaignNotFound, CampaignNotDeletable],
    handle: ({ write, caller, params, ifMatch }) =>
      write(tx => deleteCampaign(tx, caller, params.campaignId, ifMatch)),
  }),
  route('POST /campaigns/{campaignId}/schedule', {
    operationId: 'scheduleCampaign',
    summary: 'Send a draft now or later',
    description: 'Needs a segment, an inbox and content. The recipients are evaluated when sending begins.',
    access: { scopes: ['campaign:schedule'], roles: managers },
    body: ScheduleRequest,
    concurrency: 'optional',
    example: { sendAt: 'now' },
    success: { status: 200, body: Campaign, etag: true },
    errors: [CampaignNotFound, CampaignNotDraft],
    handle: context =>
      scheduleCampaign(
        context,
        context.caller,
        context.params.campaignId,
        context.body.sendAt,
        context.ifMatch,
      ),
  }),
  route('POST /campaigns/{campaignId}/unschedule', {
    operationId: 'unscheduleCampaign',
    summary: 'Turn a scheduled campaign back into a draft, until its dispatch starts',
    description: 'Refused once sending has begun.',
    access: { scopes: ['campaign:schedule'], roles: managers },
    concurrency: 'optional',
    success: { status: 200, body: Campaign, etag: true },
    errors: [CampaignNotFound, CampaignNotScheduled],
    handle: ({ write, caller, params, ifMatch }) =>
      write(tx => unscheduleCampaign(tx, caller, params.campaignId, ifMatch)),
  }),
  route('GET /campaigns/{campaignId}/analytics', {
    operationId: 'getCampaignAnalytics',
    summary: 'Get the analytics of a campaign',
    description:
      'The first six counts are exclusive and add up to `audienceCount`; `replied` overlaps them. Rates are shares of the messages that were sent or failed. `timeline` contains how many recipients reached each status when.',
    access: { scopes: ['campaign:read'], roles: everyone },
    replica: true,
    success: { status: 200, body: CampaignAnalytics },
    errors: [CampaignNotFound],
    handle: async ({ db, caller, params }) =>
      getAnalytics(db, await getCampaign(db, caller, params.campaignId)),
  }),
]

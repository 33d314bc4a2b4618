import Type from 'typebox'
import { ContactNotFound } from '../../contacts/errors.ts'
import { Accepted } from '../../conversations/schemas.ts'
import { recordAudit } from '../../identity/audit.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { cursorList, cursorPage } from '../../platform/http/page.ts'
import { replyWithCsv } from '../../platform/http/response/export-reply.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, literals, nullable, object } from '../../platform/http/schemas.ts'
import { getCampaign } from '../campaigns.ts'
import { CampaignNotCancellable, CampaignNotFound, CampaignNotPaused, CampaignNotSending } from '../errors.ts'
import { estimateCampaign, listAudience } from '../estimate.ts'
import { exportRecipients, listRecipientsPage } from '../recipients.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../schedule.ts'
import {
  Campaign,
  CampaignEstimate,
  CampaignPreview,
  RecipientReasons,
  RecipientStatus,
  RecipientsPage,
  skipReasons,
  TestRequest,
} from '../schemas.ts'
import { countReasons } from '../store/recipients.ts'
import { previewCampaign, sendTest } from '../test-send.ts'

const route = section('Campaigns')
const RecipientQuery = object({
  status: Type.Optional(RecipientStatus),
  reason: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'extension: why the recipient was skipped, or the code of the delivery error',
    }),
  ),
})
const recipientAccess = { scopes: ['campaign:recipients', 'contact:list'], roles: managers }
const AudienceContacts = cursorList(object({ contactId: AnyId, contactName: nullable(Type.String()) }))
const sendingAccess = { scopes: ['campaign:schedule'], roles: managers }

export const campaignSendingRoutes = [
  route('GET /campaigns/{campaignId}/recipients', {
    operationId: 'listCampaignRecipients',
    summary: 'List the recipients of a campaign with the status of each message',
    description: 'Empty until the audience is evaluated at the start of dispatch.',
    access: recipientAccess,
    query: RecipientQuery,
    page: cursorPage,
    success: { status: 200, body: RecipientsPage },
    errors: [CampaignNotFound],
    handle: async ({ db, caller, params, query, page }) =>
      listRecipientsPage(db, await getCampaign(db, caller, params.campaignId), query, page),
  }),
  route('GET /campaigns/{campaignId}/recipients/reasons', {
    operationId: 'countCampaignRecipientReasons',
    summary: 'Count the failed and skipped recipients by reason',
    description: 'Most frequent first. The reason of a failed recipient is the code of its delivery error.',
    access: { scopes: ['campaign:read'], roles: everyone },
    extension: true,
    success: { status: 200, body: RecipientReasons },
    errors: [CampaignNotFound],
    handle: async ({ db, caller, params }) => {
      const { tenantId, id } = await getCampaign(db, caller, params.campaignId)
      return { items: await countReasons(db, tenantId, id) }
    },
  }),
  route('GET /campaigns/{campaignId}/recipients/export', {
    operationId: 'exportCampaignRecipients',
    summary: 'Export the recipients of a campaign as CSV',
    description: 'Streams all recipients, filtered by status and reason.',
    access: recipientAccess,
    extension: true,
    query: RecipientQuery,
    success: { status: 200, contentType: 'text/csv' },
    errors: [CampaignNotFound],
    handle: async context => {
      const { db, write, caller, params, query } = context
      const campaign = await getCampaign(db, caller, params.campaignId)
      return replyWithCsv(context, {
        tenantId: caller.tenantId,
        fileName: 'recipients.csv',
        lines: exportRecipients(db, campaign, query),
        record: () => write(tx => recordAudit(tx, caller, 'campaign.recipients_exported', campaign.id)),
      })
    },
  }),
  route('POST /campaigns/{campaignId}/pause', {
    operationId: 'pauseCampaign',
    summary: 'Pause sending',
    description: 'Messages that were handed to the provider are not recalled.',
    access: sendingAccess,
    extension: true,
    success: { status: 200, body: Campaign, etag: true },
    errors: [CampaignNotFound, CampaignNotSending],
    handle: ({ write, caller, params }) => write(tx => pauseCampaign(tx, caller, params.campaignId)),
  }),
  route('POST /campaigns/{campaignId}/resume', {
    operationId: 'resumeCampaign',
    summary: 'Resume sending',
    description: 'Continues with the remaining recipients.',
    access: sendingAccess,
    extension: true,
    success: { status: 200, body: Campaign, etag: true },
    errors: [CampaignNotFound, CampaignNotPaused],
    handle: ({ write, caller, params }) => write(tx => resumeCampaign(tx, caller, params.campaignId)),
  }),
  route('POST /campaigns/{campaignId}/cancel', {
    operationId: 'cancelCampaign',
    summary: 'Cancel a campaign',
    description: 'Recipients that were not dispatched become `skipped` with the reason `cancelled`.',
    access: sendingAccess,
    extension: true,
    success: { status: 200, body: Campaign, etag: true },
    errors: [CampaignNotFound, CampaignNotCancellable],
    handle: ({ write, caller, params }) => write(tx => cancelCampaign(tx, caller, params.campaignId)),
  }),
  route('POST /campaigns/{campaignId}/preview', {
    operationId: 'previewCampaign',
    summary: 'Render the message of a campaign for one contact',
    description:
      'Returns what the contact would receive now, with placeholders filled in and the text of the template, or the reason to skip the contact. Nothing is sent or recorded.',
    access: { scopes: ['campaign:read', 'contact:read'], roles: managers },
    extension: true,
    body: TestRequest,
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
    success: { status: 200, body: CampaignPreview },
    errors: [CampaignNotFound, ContactNotFound],
    handle: context =>
      previewCampaign(context, context.caller, context.params.campaignId, context.body.contactId),
  }),
  route('POST /campaigns/{campaignId}/test', {
    operationId: 'testCampaign',
    summary: "Send the campaign's message to one contact",
    description:
      'The message is personalised for the contact. It is not counted and not listed among the recipients.',
    access: sendingAccess,
    extension: true,
    body: TestRequest,
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
    success: { status: 202, body: Accepted },
    errors: [CampaignNotFound, ContactNotFound],
    handle: context => sendTest(context, context.caller, context.params.campaignId, context.body.contactId),
  }),
  route('GET /campaigns/{campaignId}/estimate', {
    operationId: 'estimateCampaign',
    summary: 'Estimate recipients, skips and duration of sending the campaign now',
    description: 'Counts are those of this moment; nothing is sent.',
    access: sendingAccess,
    extension: true,
    success: { status: 200, body: CampaignEstimate },
    errors: [CampaignNotFound],
    handle: async context =>
      estimateCampaign(
        context,
        context.caller,
        await getCampaign(context.db, context.caller, context.params.campaignId),
      ),
  }),
  route('GET /campaigns/{campaignId}/estimate/sendable', {
    operationId: 'listSendableContacts',
    summary: 'List the contacts that the campaign would be sent to now',
    description: 'Newest contacts first. Their number is that of the estimate.',
    access: { scopes: ['campaign:schedule', 'contact:list'], roles: managers },
    extension: true,
    page: cursorPage,
    success: { status: 200, body: AudienceContacts },
    errors: [CampaignNotFound],
    handle: async context => {
      const { db, caller, params, page } = context
      const campaign = await getCampaign(db, caller, params.campaignId)
      return listAudience(context, caller, campaign, null, page)
    },
  }),
  route('GET /campaigns/{campaignId}/estimate/skipped/{reason}', {
    operationId: 'listSkippedContacts',
    summary: 'List the contacts that the campaign would skip now for a reason',
    description: 'Newest contacts first. Their number is that of the estimate.',
    access: { scopes: ['campaign:schedule', 'contact:list'], roles: managers },
    extension: true,
    params: object({ campaignId: AnyId, reason: literals(skipReasons) }),
    page: cursorPage,
    success: { status: 200, body: AudienceContacts },
    errors: [CampaignNotFound],
    handle: async context => {
      const { db, caller, params, page } = context
      const campaign = await getCampaign(db, caller, params.campaignId)
      return listAudience(context, caller, campaign, params.reason, page)
    },
  }),
]

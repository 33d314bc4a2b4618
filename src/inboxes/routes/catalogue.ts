import Type from 'typebox'
import { everyone, managers } from '../../identity/rights/roles.ts'
import type { Channel } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import { nextPageToken, withNextPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { literals, object } from '../../platform/http/schemas.ts'
import { storePendingSmsCredential } from '../accounts/credentials.ts'
import { listFlowScreens, listFlows, listPhoneNumbers, listTemplates } from '../catalogue/chatapp.ts'
import { listPublishedMedia } from '../catalogue/published-media.ts'
import {
  InboxChannelMismatch,
  InboxNotFound,
  ProviderRefused,
  ProviderUnavailable,
  ResourceNotFound,
} from '../errors.ts'
import { getInbox } from '../inboxes.ts'
import { mapProviderErrors } from '../providers/provider-errors.ts'
import {
  ChatappFlow,
  ChatappPhoneNumber,
  ChatappTemplate,
  Credentials,
  FlowScreen,
  isProviderId,
  mediaTypes,
  SmsPhoneNumber,
  SocialMedia,
} from '../schemas.ts'
import type { InboxRow } from '../store/inboxes.ts'

const route = section('Inboxes')
const errors = [InboxNotFound, InboxChannelMismatch, ProviderRefused, ProviderUnavailable]
const chatappPage = { style: 'token', default: 100, max: 1000 } as const

async function getInboxOfChannel(
  deps: Deps,
  tenantId: string,
  id: string,
  channel: Channel,
): Promise<InboxRow> {
  const inbox = await getInbox(deps, tenantId, id)
  if (inbox.channel !== channel)
    fail(InboxChannelMismatch, `the channel of the inbox is ${inbox.channel}, not ${channel}`)
  return inbox
}

export const catalogueRoutes = [
  route('GET /inboxes/{id}/chatapp/templates', {
    operationId: 'listTemplates',
    summary: 'List the approved and pending templates of a chatapp inbox',
    description: 'Read from the provider; `components` is as the provider describes it.',
    access: { scopes: ['inbox:read'], roles: everyone },
    page: chatappPage,
    success: { status: 200, body: object({ templates: Type.Array(ChatappTemplate), nextPageToken }) },
    errors: errors,
    handle: async context => {
      const { caller, params, page } = context
      const inbox = await getInboxOfChannel(context, caller.tenantId, params.id, 'chatapp')
      const { items, next } = await mapProviderErrors(listTemplates(context, inbox, page))
      return { templates: items, ...withNextPage(next) }
    },
  }),
  route('GET /inboxes/{id}/chatapp/flows', {
    operationId: 'listFlows',
    summary: 'List the published flows of a chatapp inbox',
    description: 'Read from the provider.',
    access: { scopes: ['inbox:read'], roles: everyone },
    page: chatappPage,
    success: { status: 200, body: object({ flows: Type.Array(ChatappFlow), nextPageToken }) },
    errors: errors,
    handle: async context => {
      const { caller, params, page } = context
      const inbox = await getInboxOfChannel(context, caller.tenantId, params.id, 'chatapp')
      const { items, next } = await mapProviderErrors(listFlows(context, inbox, page))
      return { flows: items, ...withNextPage(next) }
    },
  }),
  route('GET /inboxes/{id}/chatapp/flows/{flowId}/preview', {
    operationId: 'previewFlow',
    extension: true,
    summary: 'Show the screens of a flow of a chatapp inbox',
    description:
      'Read from the definition at the provider. A text that the flow receives from its sender is the example of the definition; all branches of conditions are listed.',
    access: { scopes: ['inbox:read'], roles: everyone },
    success: { status: 200, body: object({ screens: Type.Array(FlowScreen) }) },
    errors: [...errors, ResourceNotFound],
    handle: async context => {
      const { caller, params } = context
      const inbox = await getInboxOfChannel(context, caller.tenantId, params.id, 'chatapp')
      return { screens: await listFlowScreens(context, inbox, params.flowId) }
    },
  }),
  route('GET /inboxes/{inboxId}/socialapp/media', {
    operationId: 'listSocialMedia',
    summary: 'List the published media of a socialapp inbox',
    description: 'For journeys that start with a comment on a post, reel or story.',
    access: { scopes: ['inbox:read'], roles: everyone },
    query: object({
      mediaTypes: Type.Optional(Type.Array(literals(mediaTypes), { minItems: 1, maxItems: 10 })),
    }),
    page: { style: 'token', default: 50, max: 200 },
    success: { status: 200, body: object({ media: Type.Array(SocialMedia), nextPageToken }) },
    errors: errors,
    handle: async context => {
      const { caller, params, query, page } = context
      const inbox = await getInboxOfChannel(context, caller.tenantId, params.inboxId, 'socialapp')
      const types = query.mediaTypes ?? mediaTypes
      const { media, next } = await mapProviderErrors(listPublishedMedia(context, inbox, page, types))
      return { media, ...withNextPage(next) }
    },
  }),
  route('GET /chatapp/{wabaId}/phone-numbers', {
    operationId: 'listChatappPhoneNumbers',
    summary: 'List the phone numbers of a chatapp business account',
    description: 'Use the ids in `POST /inboxes`.',
    access: { scopes: ['inbox:create'], roles: managers },
    success: { status: 200, body: object({ phoneNumbers: Type.Array(ChatappPhoneNumber) }) },
    errors: [ResourceNotFound, ProviderRefused, ProviderUnavailable],
    handle: async context => ({
      phoneNumbers: await listPhoneNumbers(context, context.caller.tenantId, context.params.wabaId),
    }),
  }),
  route('POST /smsprovider/{accountSid}/phone-numbers', {
    operationId: 'listSmsPhoneNumbers',
    summary: "Verify an sms provider's credentials and list the phone numbers of the account",
    description: 'The credentials are stored for 15 minutes, for one use in `POST /inboxes`.',
    access: { scopes: ['inbox:create'], roles: managers },
    body: Credentials,
    example: { authToken: 'token-of-your-account' },
    success: {
      status: 200,
      body: object({ pendingCredentialId: Type.String(), phoneNumbers: Type.Array(SmsPhoneNumber) }),
    },
    errors: [ResourceNotFound, ProviderRefused, ProviderUnavailable],
    handle: async context => {
      const { caller, params, body, write } = context
      if (!isProviderId(params.accountSid)) fail(ResourceNotFound)
      return storePendingSmsCredential(context, caller.tenantId, { ...params, ...body }, write)
    },
  }),
]

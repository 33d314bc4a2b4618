import Type from 'typebox'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { replaceCredentials } from '../accounts/credentials.ts'
import { reregisterInbox } from '../accounts/webhook-registration.ts'
import { checkInbox } from '../check-inbox.ts'
import {
  InboxAlreadyConnected,
  InboxChannelMismatch,
  InboxNotFound,
  ProviderRefused,
  ProviderUnavailable,
} from '../errors.ts'
import { inboxToApi } from '../health.ts'
import { assignInboxTeam, createInboxes, getInbox, removeInbox } from '../inboxes.ts'
import { CreateInboxesRequest, Credentials, Inbox, InboxCheck, InboxPatch } from '../schemas.ts'
import { createIdentityKey, IdentityKey, IdentityKeyRequest } from '../settings/identity-keys.ts'
import { updateInbox } from '../settings/inbox-settings.ts'
import { listInboxes } from '../store/inboxes.ts'

const route = section('Inboxes')
const Inboxes = object({ inboxes: Type.Array(Inbox) })

export const inboxRoutes = [
  route('GET /inboxes', {
    operationId: 'listInboxes',
    summary: 'List the inboxes',
    description: 'Shows the status of each inbox with the reasons why it is degraded.',
    access: { scopes: ['inbox:list'], roles: everyone },
    success: { status: 200, body: Inboxes },
    handle: async ({ db, caller }) => ({
      inboxes: (await listInboxes(db, caller.tenantId)).map(inboxToApi),
    }),
  }),
  route('POST /inboxes', {
    operationId: 'createInboxes',
    summary: 'Connect numbers or accounts of one channel, or create a web chat',
    description:
      'Creates one inbox per number or account: all of them or none. A number can be connected at most once in the installation. `webchat` creates one inbox, whose key the page embeds.',
    access: { scopes: ['inbox:create'], roles: managers },
    body: CreateInboxesRequest,
    example: { chatapp: { resourceIds: ['5551'], phoneNumberIds: ['5550100'] } },
    success: { status: 200, body: Inboxes },
    errors: [InboxAlreadyConnected, ProviderRefused, ProviderUnavailable],
    handle: context => createInboxes(context, context.caller, context.body, context.write),
  }),
  route('GET /inboxes/{id}', {
    operationId: 'getInbox',
    summary: 'Get an inbox',
    description: 'Shows its settings and status.',
    access: { scopes: ['inbox:read'], roles: everyone },
    extension: true,
    success: { status: 200, body: Inbox },
    errors: [InboxNotFound],
    handle: async ({ db, caller, params }) => inboxToApi(await getInbox({ db }, caller.tenantId, params.id)),
  }),
  route('PATCH /inboxes/{id}', {
    operationId: 'updateInbox',
    summary: 'Change the settings of an inbox',
    description:
      'Properties that are left out stay as they are. `greeting` is sent once to a customer who opens a session, `away` once per session to a customer who writes outside of the business hours; null sends nothing. Neither is sent while a bot owns the conversation, nor to customers who opted out. `csat` is the satisfaction survey of the inbox: `question` is sent `delayMinutes` after a conversation was closed, once per session; null turns it off.',
    access: { scopes: ['inbox:update'], roles: managers },
    extension: true,
    body: InboxPatch,
    example: {
      name: 'Support',
      businessHours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' }],
      greeting: 'Thank you for your message. We reply shortly.',
      away: "We are closed now and reply from 9 o'clock.",
      csat: { question: 'How satisfied are you with our help?', delayMinutes: 5 },
    },
    success: { status: 200, body: Inbox },
    errors: [InboxNotFound],
    handle: ({ write, caller, params, body }) => write(tx => updateInbox(tx, caller, params.id, body)),
  }),
  route('POST /inboxes/{id}/check', {
    operationId: 'checkInbox',
    summary: 'Check the inbox at the provider now',
    description:
      'Tries the credentials and reads where the provider sends events. A failure opens the issue that it indicates, a success resolves issues.',
    access: { scopes: ['inbox:update'], roles: managers },
    extension: true,
    success: { status: 200, body: InboxCheck },
    errors: [InboxNotFound],
    handle: context => checkInbox(context, context.caller.tenantId, context.params.id, context.write),
  }),
  route('DELETE /inboxes/{id}', {
    operationId: 'deleteInbox',
    summary: 'Disconnect an inbox',
    description: 'Closes its sessions, fails its unsent messages and releases the number.',
    access: { scopes: ['inbox:delete'], roles: managers },
    success: { status: 204 },
    errors: [InboxNotFound],
    handle: ({ write, caller, params }) => write(tx => removeInbox(tx, caller, params.id)),
  }),
  route('PUT /inboxes/{id}/team', {
    operationId: 'setInboxTeam',
    summary: 'Route new conversations of the inbox to a team',
    description: 'Open conversations keep their team.',
    access: { scopes: ['inbox:update'], roles: managers },
    body: object({ teamId: AnyId }),
    example: { teamId: 'team_01k4xq7d9hfk3b0m6a7yz2c5rh' },
    success: { status: 200, body: Inbox },
    errors: [InboxNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => assignInboxTeam(tx, caller, params.id, body.teamId)),
  }),
  route('DELETE /inboxes/{id}/team', {
    operationId: 'removeInboxTeam',
    summary: "Route new conversations of the inbox to the workspace's fallback",
    description: 'Open conversations keep their team.',
    access: { scopes: ['inbox:update'], roles: managers },
    success: { status: 200, body: Inbox },
    errors: [InboxNotFound],
    handle: ({ write, caller, params }) => write(tx => assignInboxTeam(tx, caller, params.id, null)),
  }),
  route('PUT /inboxes/{id}/credentials', {
    operationId: 'setInboxCredentials',
    summary: "Store the workspace's own token at the provider",
    description:
      'The token is tried first and not stored if the provider rejects it. A working token resolves `auth_expired`, and waiting messages are sent.',
    access: { scopes: ['inbox:update'], roles: managers },
    extension: true,
    body: Credentials,
    example: { authToken: 'token-of-your-account' },
    success: { status: 200, body: Inbox },
    errors: [InboxNotFound, ProviderRefused],
    handle: context =>
      replaceCredentials(context, context.caller, { ...context.params, ...context.body }, context.write),
  }),
  route('POST /inboxes/{id}/identity-key', {
    operationId: 'createInboxIdentityKey',
    summary: 'Create the key with which a site signs who its visitors are',
    description:
      'Without `publicKey`, a secret for HS256 is created and shown once. With the Ed25519 public key of the site, as PEM or JWK, the site signs with EdDSA. Replaces the key before, whose signatures are refused from then on.',
    access: { scopes: ['inbox:update'], roles: managers },
    extension: true,
    body: IdentityKeyRequest,
    bodyOptional: true,
    example: {},
    success: { status: 201, body: IdentityKey },
    secretFields: ['secret'],
    errors: [InboxNotFound, InboxChannelMismatch],
    handle: context => {
      const { write, caller, params, body } = context
      return write(tx => createIdentityKey(context, tx, caller, params.id, body))
    },
  }),
  route('POST /inboxes/{id}/register', {
    operationId: 'registerInbox',
    summary: 'Register the callback URL with the provider again',
    description:
      'For an inbox with `webhook_failing` whose events the provider sends to another URL. Takes the events back, so be sure that no other installation uses the number. The issue is resolved once the provider has confirmed the URL.',
    access: { scopes: ['inbox:update'], roles: managers },
    extension: true,
    success: { status: 202, body: Inbox },
    errors: [InboxNotFound],
    handle: ({ write, caller, params }) => write(tx => reregisterInbox(tx, caller, params.id)),
  }),
]

/** Documents the API beyond its routes: the groups of operations, the values of parameters, and the webhooks. */
import { apiWebhooks } from './api-webhooks.ts'
import type { ApiDocs } from './platform/http/openapi/openapi.ts'
import type { ParameterDocs, ValueSource } from './platform/http/openapi/parameters.ts'

const tags: Readonly<Record<string, string>> = {
  Sessions: 'Log in, refresh and log out; create a workspace; accept an invitation.',
  Users: 'The workspace and its members: roles, passwords, second factors, unread counts.',
  'Audit log': 'Changes of roles, keys, inboxes, webhooks, campaigns and segments, with their authors.',
  Teams: 'Groups of users to which conversations are assigned.',
  'API keys': 'Service accounts and their keys, for integrations.',
  Contacts: 'The customers of a workspace; import, export, merge.',
  'Tags and custom field definitions': 'Tags and custom fields of contacts.',
  Segments: 'Saved filters over contacts, and search.',
  Inboxes: 'Numbers and accounts connected to channels, their templates, flows and media.',
  Messaging: 'Conversations, messages, reactions, read cursors and media.',
  Labels: 'Labels of conversations.',
  Notifications: 'Mentions, assignments and messages that a user should look at.',
  Views: 'Saved filters of the inbox, private or shared.',
  'Saved replies': 'Texts and files that agents insert into replies.',
  Reports: 'Events of conversations, counted by time, inbox, team and user.',
  Macros: 'Lists of actions that agents run on conversations.',
  Callbacks: 'Signed callbacks from providers.',
  Campaigns: 'One message to every contact of a segment.',
  Journeys: 'Workflows started by events, for one contact each.',
  Chatbots: 'Workflows that answer in conversations until a person takes over.',
  Workflows: 'Nodes and triggers, runs and custom events of journeys and chatbots.',
  Webhooks: 'Signed deliveries of events to your endpoint.',
  'Web chat': 'Operations of the chat on a website, for its visitors.',
  Realtime: 'Events over a WebSocket.',
  Console: 'Data for the start of the web console.',
  Sandbox: 'Simulates customers and providers when no real provider is connected.',
}

const inbox = (channel: string): ParameterDocs => ({ source: { path: '/inboxes', prefer: { channel } } })
const websiteKey: ParameterDocs = {
  source: { path: '/inboxes', member: 'externalId', prefer: { channel: 'webchat' } },
}
const messages: ValueSource = { path: '/conversations/{id}/messages' }
const response = (operation: string): ParameterDocs => ({
  description: `The \`id\` in the response of \`${operation}\`.`,
})

const parameters: Readonly<Record<string, ParameterDocs>> = {
  '/teams/{id}/members/{userId}': { source: { path: '/users' } },
  '/api-keys/{id}': { source: { path: '/service-accounts/{id}/api-keys' } },
  '/contacts/bulk/{id}': response('POST /contacts/bulk'),
  '/contacts/{contactId}/custom-fields/{customFieldId}': { source: { path: '/contacts/custom-fields' } },
  '/contacts/imports/{id}': { source: { path: '/contacts/imports', member: 'importId' } },
  '/contacts/search/export?filter': { example: '{"match":"all","conditions":[]}' },
  '/inboxes/{id}/chatapp/templates?id': inbox('chatapp'),
  '/inboxes/{id}/chatapp/flows?id': inbox('chatapp'),
  '/inboxes/{id}/chatapp/flows/{flowId}/preview?id': inbox('chatapp'),
  '/inboxes/{id}/register?id': inbox('chatapp'),
  '/inboxes/{inboxId}/socialapp/media?inboxId': inbox('socialapp'),
  '/inboxes/{id}/identity-key?id': inbox('webchat'),
  '/chatapp/{wabaId}': {
    description: 'The id of a WhatsApp Business account. The sandbox accepts every id.',
    example: '5551',
  },
  '/smsprovider/{accountSid}': {
    description: 'The SID of an account of the SMS provider. The sandbox accepts every SID.',
    example: 'AC1',
  },
  '/channels/sms/{inboxId}': inbox('sms'),
  '/conversations/bulk/{id}': response('POST /conversations/bulk'),
  '/conversations/{id}/visitor?id': {
    source: { path: '/conversations', prefer: { channel: 'webchat' } },
  },
  '/messages/{id}': { source: messages },
  '/messages/search?q': { example: 'hello' },
  '/notes/{id}': response('POST /conversations/{id}/notes'),
  '/media/{mediaId}': response('POST /media/uploads'),
  '/pictures/{key}': { description: 'The last part of the URL of a picture, such as `avatarUrl`.' },
  '/journeys/versions/{versionId}': { source: { path: '/journeys/{id}/versions' } },
  '/journeys/{id}/versions/{a}/diff/{b}': { source: { path: '/journeys/{id}/versions' } },
  '/chatbots/{id}/versions/{a}/diff/{b}': { source: { path: '/chatbots/{id}/versions' } },
  '/secrets/{name}': { source: { path: '/secrets', member: 'name' } },
  '/widget/config?inboxKey': websiteKey,
  '/widget/{inboxKey}': websiteKey,
  '/sandbox/sent?inboxId': inbox('chatapp'),
  '/search?q': { example: 'hello' },
}

/** They replace secrets and roles, end work, or reach many contacts: the reader should choose the resource. */
const withoutPrefill = [
  'cancelCampaign',
  'cancelRun',
  'cancelRuns',
  'changeUserRole',
  'createInboxIdentityKey',
  'enrollSegment',
  'eraseContact',
  'mergeContacts',
  'revokeSigningKey',
  'scheduleCampaign',
  'setInboxCredentials',
  'setSecret',
]

export const apiDocs: ApiDocs = { tags, webhooks: apiWebhooks, parameters, withoutPrefill }

/** Lists that have ids to put into examples of bodies, by the prefix of the ids. */
export const exampleIdSources: Readonly<Record<string, ValueSource>> = {
  bot: { path: '/chatbots' },
  cnv: { path: '/conversations' },
  con: { path: '/contacts' },
  ibx: { path: '/inboxes', prefer: { channel: 'chatapp' } },
  msg: messages,
  seg: { path: '/segments' },
  team: { path: '/teams' },
  usr: { path: '/users' },
}

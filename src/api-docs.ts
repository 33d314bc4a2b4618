/** Documents the API beyond its routes: the groups of operations, and the webhooks. */
import { apiWebhooks } from './api-webhooks.ts'
import type { ApiDocs } from './platform/http/openapi/openapi.ts'

const tags: Readonly<Record<string, string>> = {
  Sessions: 'Log in, refresh and log out; create a workspace; accept an invitation.',
  Users: 'The workspace and its members: roles, passwords, second factors, unread counts.',
  'Audit log': 'Who changed roles, keys, inboxes, webhooks, campaigns and segments.',
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
  Reports: 'What happened in conversations, counted by time, inbox, team and user.',
  Macros: 'Lists of actions that agents run on conversations.',
  Callbacks: 'Signed callbacks from providers.',
  Campaigns: 'One message to every contact of a segment.',
  Journeys: 'Workflows started by events, for one contact each.',
  Chatbots: 'Workflows that answer in conversations until a person takes over.',
  Workflows: 'Nodes and triggers, runs and custom events of journeys and chatbots.',
  Webhooks: 'Signed deliveries of events to your endpoint.',
  'Web chat': 'What the chat on a website does for a visitor.',
  Realtime: 'Events over a WebSocket.',
  Console: 'What the web console reads at its start.',
  Sandbox: 'Simulates customers and providers when no real provider is connected.',
}

export const apiDocs: ApiDocs = { tags, webhooks: apiWebhooks }

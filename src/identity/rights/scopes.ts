/** Describes the scopes: the text is here, roles and operations come from the routes. */
import type { Static } from 'typebox'
import type { Route } from '../../platform/http/route.ts'
import type { ScopeDescription } from '../schemas.ts'
import { buildRoleScopes, roles } from './roles.ts'

/** Scopes of one or two operations need no text: the summaries of their operations describe them. */
const descriptions: Readonly<Record<string, string>> = {
  'api_key:create': 'Create and change service accounts, and create their API keys',
  'api_key:list': 'List service accounts, their API keys and the scopes',
  'api_key:revoke': 'Delete service accounts and revoke API keys',
  'campaign:list': 'List campaigns',
  'campaign:read': 'Read campaigns and their analytics',
  'campaign:recipients': 'List and export the recipients of campaigns',
  'campaign:schedule': 'Schedule, pause, resume, cancel and test campaigns',
  'contact:create': 'Create and import contacts',
  'contact:delete': 'Delete and erase contacts',
  'contact:list': 'List, search and count contacts',
  'contact:read': 'Read contacts',
  'contact:update': 'Change contacts, their tags, custom fields and opt-outs, and merge them',
  'conversation:assign': 'Assign conversations to users, teams and bots',
  'conversation:close': 'Close and reopen conversations',
  'conversation:list': 'List, search and count conversations, and run bulk actions',
  'conversation:read': 'Read conversations, messages and files, and mark them as read',
  'conversation:update': 'Change labels, priority and snooze of conversations, and block visitors',
  'custom_field:create': 'Create custom fields',
  'custom_field:delete': 'Delete custom fields',
  'custom_field:list': 'List custom fields',
  'custom_field:update': 'Change custom fields',
  'inbox:create': 'Connect inboxes and list the numbers that can be connected',
  'inbox:list': 'List inboxes',
  'inbox:read': 'Read inboxes, their health, templates and published media',
  'inbox:update': 'Change settings, team and credentials of inboxes',
  'journey:activate': 'Activate and pause journeys and chatbots, and start and cancel runs',
  'journey:create': 'Create journeys and chatbots',
  'journey:delete': 'Delete journeys and chatbots',
  'journey:list': 'List journeys and chatbots',
  'journey:publish': 'Publish journeys and chatbots',
  'journey:read': 'Read journeys, chatbots, their versions and runs',
  'journey:update': 'Change journeys and chatbots',
  'label:list': 'List labels',
  'macro:list': 'List macros',
  'message:create': 'Send, schedule, retry and cancel messages, upload files and keep drafts',
  'note:create': 'Write internal notes',
  'report:read': 'Read reports about conversations, waiting customers and satisfaction',
  'sandbox:control': 'Control the sandbox: play customers, move its clock, cause faults',
  'saved_reply:list': 'List and render saved replies',
  'segment:list': 'List segments',
  'segment:read': 'Read segments and the contacts in them',
  'segment:update': 'Change segments, also by deleting tags and custom fields that they use',
  'tag:list': 'List tags',
  'team:list': 'List teams',
  'team:update': 'Change teams and their members',
  'user:assign_role_admin': 'Make users admins',
  'user:assign_role_agent': 'Make users agents',
  'user:assign_role_owner': 'Make users owners',
  'user:invite': 'Create, list, renew and revoke invitations',
  'user:list': 'List users and their availability',
  'user:read_self': 'Read your own user, sessions, preferences, notifications and unread counts',
  'user:update': 'Change teams and access of users, and reset their passwords',
  'user:update_self': 'Change your own profile, password, second factor, preferences and sessions',
  'view:list': 'List and order views',
  'webhook:delete': 'Delete webhook endpoints',
  'webhook:read': 'Read webhook endpoints, signing keys and attempts',
  'webhook:update': 'Change webhook endpoints, rotate signing keys and resend events',
  'workspace:read': 'Read the workspace and its settings',
}

export function listScopes(routes: readonly Route[]): Static<typeof ScopeDescription>[] {
  const roleScopes = buildRoleScopes(routes)
  return [...roleScopes.owner].sort().map(name => {
    const operations = routes
      .filter(route => needsScope(route, name))
      .map(({ operationId, method, path, summary }) => ({
        operationId: operationId!,
        method,
        path: `/v1${path}`,
        summary,
      }))
    const description = descriptions[name] ?? operations.map(({ summary }) => summary).join('; ')
    return { name, description, roles: roles.filter(role => roleScopes[role].has(name)), operations }
  })
}

function needsScope({ access }: Route, name: string): boolean {
  if (typeof access === 'string') return false
  return access.scopes.includes(name) || (access.conditionalScopes ?? []).some(({ scope }) => scope === name)
}

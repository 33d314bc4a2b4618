/** The settings screens, for the table of all screens in `screens.ts`. */
import type { Screen } from '../every-screen/screens.ts'

const ofUser = (operation: string) => `${operation} /users/{userId}`

export const settingsScreens: readonly Screen[] = [
  { route: '/settings', at: '/settings', heading: 'Preferences', content: 'Density' },
  {
    route: '/settings/profile',
    at: '/settings/profile',
    heading: 'Profile',
    loads: /\/users\/me\/sessions$/,
    content: 'This session',
  },
  {
    route: '/settings/workspace',
    at: '/settings/workspace',
    heading: 'General',
    loads: /\/workspace$/,
    content: 'Language of the workspace',
    controls: [
      { name: 'Save', operations: ['PATCH /workspace'] },
      { name: /^Upload /, operations: ['PUT /workspace/logo', 'DELETE /workspace/logo'] },
    ],
  },
  {
    route: '/settings/people',
    at: '/settings/people',
    heading: 'People and teams',
    loads: /\/users$/,
    empty: 'No invitation is pending.',
    content: 'Second line',
    controls: [
      { name: 'Invite', operations: ['GET /users/invitations', 'POST /users/invitations'] },
      { name: 'Role of Kim Lee', role: 'combobox', operations: ['PUT /users/{userId}/role'] },
      {
        name: 'Actions for Kim Lee',
        operations: [
          ofUser('PATCH'),
          'POST /users/{userId}/password-reset',
          'DELETE /users/{userId}/second-factor',
        ],
      },
      { name: /^Renew the invitation of/, operations: ['POST /users/invitations/{id}/renew'] },
      { name: /^Revoke the invitation of/, operations: ['DELETE /users/invitations/{id}'] },
      { name: 'New team', operations: ['POST /teams'] },
      { name: 'Edit Second line', operations: ['PATCH /teams/{id}'] },
      { name: 'Delete Second line', operations: ['DELETE /teams/{id}'] },
      {
        name: 'Members of Second line',
        operations: ['PUT /teams/{id}/members/{userId}', 'DELETE /teams/{id}/members/{userId}'],
      },
    ],
  },
  {
    route: '/settings/inboxes',
    at: '/settings/inboxes',
    heading: 'Inboxes',
    loads: /\/inboxes$/,
    content: 'Active',
    controls: [
      {
        name: 'Connect an inbox',
        operations: [
          'POST /inboxes',
          'GET /sandbox',
          'GET /chatapp/{wabaId}/phone-numbers',
          'POST /smsprovider/{accountSid}/phone-numbers',
        ],
      },
    ],
  },
  {
    route: '/settings/inboxes/$inboxId',
    at: ({ inboxId }) => `/settings/inboxes/${inboxId}`,
    heading: /./,
    loads: /\/inboxes\/ibx_\w+$/,
    content: 'Health',
    controls: [
      {
        name: 'Check now',
        operations: ['POST /inboxes/{id}/check', 'POST /inboxes/{id}/register', 'GET /inboxes/{id}/health'],
      },
      {
        name: 'Save',
        operations: [
          'PATCH /inboxes/{id}',
          'PUT /inboxes/{id}/team',
          'DELETE /inboxes/{id}/team',
          'POST /inboxes/{id}/identity-key',
        ],
      },
      { name: 'Save the token', operations: ['PUT /inboxes/{id}/credentials'] },
      { name: 'Delete the inbox', operations: ['DELETE /inboxes/{id}'] },
    ],
  },
  {
    route: '/settings/service-accounts',
    at: '/settings/service-accounts',
    heading: 'Service accounts',
    loads: /\/service-accounts$/,
    empty: 'No service accounts yet.',
    content: 'Orders of the web shop',
    scope: 'api_key:list',
    controls: [
      {
        name: 'New service account',
        operations: ['GET /service-accounts', 'POST /service-accounts', 'GET /scopes'],
      },
      { name: 'Edit Shop', operations: ['PATCH /service-accounts/{id}'] },
      { name: 'Delete Shop', operations: ['DELETE /service-accounts/{id}'] },
      {
        name: 'New key',
        operations: ['GET /service-accounts/{id}/api-keys', 'POST /service-accounts/{id}/api-keys'],
      },
      { name: 'Revoke the key Production', operations: ['DELETE /api-keys/{id}'] },
    ],
  },
  {
    route: '/settings/webhooks',
    at: '/settings/webhooks',
    heading: 'Webhooks',
    loads: /\/webhooks\/endpoints$/,
    empty: 'No endpoint receives events yet.',
    content: 'Attempts',
    scope: 'webhook:read',
    controls: [
      {
        name: 'New endpoint',
        operations: ['GET /webhooks', 'GET /webhooks/endpoints', 'POST /webhooks/endpoints'],
      },
      { name: /^Edit http/, operations: ['PATCH /webhooks/endpoints/{id}'] },
      { name: /^Delete http/, operations: ['DELETE /webhooks/endpoints/{id}'] },
      { name: 'Verify', operations: ['POST /webhooks/endpoints/{id}/verify'] },
      {
        name: 'Replay',
        operations: [
          'POST /webhooks/replay',
          'GET /webhooks/attempts',
          'POST /webhooks/attempts/{id}/resend',
        ],
      },
      {
        name: 'Show the keys',
        operations: [
          'GET /webhooks/signing-keys',
          'POST /webhooks/signing-keys/rotate',
          'POST /webhooks/signing-keys/{id}/revoke',
        ],
      },
    ],
  },
  {
    route: '/settings/audit',
    at: '/settings/audit?action=service_account.created',
    heading: 'Audit log',
    loads: /\/audit-log$/,
    empty: 'No entry matches.',
    content: 'service_account.created',
    scope: 'audit:read',
    controls: [{ name: 'Filter', operations: ['GET /audit-log'] }],
  },
]

/** Labels, tags and fields look the same. */
function listed(
  route: string,
  title: string,
  kind: { word: string; path: string; item: string; empty?: string },
): Screen {
  const { word, path, item, empty } = kind
  return {
    route,
    at: route,
    heading: title,
    loads: new RegExp(`${path}$`),
    ...(empty ? { empty } : {}),
    content: item,
    controls: [
      { name: `New ${word}`, operations: [`POST ${path}`] },
      { name: `Edit ${item}`, operations: [`PATCH ${path}/{id}`] },
      { name: `Delete ${item}`, operations: [`DELETE ${path}/{id}`] },
    ],
  }
}

export const contentScreens: readonly Screen[] = [
  {
    route: '/settings/saved-replies',
    at: '/settings/saved-replies',
    heading: 'Saved replies',
    loads: /\/saved-replies$/,
    empty: 'No saved replies yet.',
    content: '/return',
  },
  listed('/settings/labels', 'Labels', {
    word: 'label',
    path: '/labels',
    item: 'damaged',
    empty: 'No labels yet.',
  }),
  listed('/settings/tags', 'Tags', { word: 'tag', path: '/tags', item: 'vip', empty: 'No tags yet.' }),
  listed('/settings/fields', 'Custom fields', {
    word: 'custom field',
    path: '/contacts/custom-fields',
    item: 'City',
  }),
]

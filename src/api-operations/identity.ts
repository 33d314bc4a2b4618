/** Sessions, users, teams, service accounts and the workspace: the name of each operation, what its route does not say, and an example of its body. */
import type { OperationDocs } from '../platform/http/openapi/openapi.ts'

export const identityOperations: OperationDocs = {
  'POST /auth/login': {
    operationId: 'logIn',
    description:
      'Returns an access token for 15 minutes and a refresh token. If the user has a second factor, the answer is a challenge instead: complete the login with `POST /auth/second-factor`.',
    example: { email: 'sam@example.com', password: 'plum-Harbor-42-lantern' },
  },
  'POST /auth/refresh': {
    operationId: 'refreshTokens',
    example: { refreshToken: 'prt_replace-with-your-refresh-token' },
  },
  'POST /auth/logout': { operationId: 'logOut' },
  'POST /workspaces': {
    operationId: 'createWorkspace',
    description: 'Returns tokens of the owner. Open only where the installation allows sign-up.',
    example: {
      name: 'Harbor Lights',
      owner: { name: 'Sam Harbor', email: 'sam@example.com', password: 'plum-Harbor-42-lantern' },
    },
  },
  'POST /auth/invitations/accept': {
    operationId: 'acceptInvitation',
    description: 'Creates the invited user, or enables a disabled one, and logs in.',
    example: {
      token: 'inv_replace-with-the-token-of-the-invitation',
      name: 'Kim Ng',
      password: 'plum-Harbor-42-lantern',
    },
  },
  'POST /auth/password-reset': {
    operationId: 'resetPassword',
    example: { token: 'pwr_replace-with-the-one-time-token', password: 'quiet-Maple-77-compass' },
  },
  'POST /auth/second-factor': {
    operationId: 'completeLogin',
    example: { challenge: 'replace-with-the-challenge-of-the-login', code: '123456' },
  },
  'GET /users': { operationId: 'listUsers', description: 'Lists all users, also disabled ones.' },
  'GET /users/me': {
    operationId: 'getCurrentUser',
    description: 'For users only; keys are described by `GET /me`.',
  },
  'PATCH /users/me': {
    operationId: 'updateCurrentUser',
    description: 'All members are optional.',
    example: { name: 'Sam Harbor', avatarUrl: 'https://example.com/sam.png' },
  },
  'PUT /users/me/password': {
    operationId: 'changePassword',
    example: { current: 'plum-Harbor-42-lantern', new: 'quiet-Maple-77-compass' },
  },
  'GET /users/{userId}': {
    operationId: 'getUser',
    description: 'Finds any user of the workspace, also a disabled one.',
  },
  'PUT /users/{userId}/role': {
    operationId: 'changeUserRole',
    description:
      'Admins move members between admin and agent; only owners grant or remove the role of an owner. A workspace keeps at least one owner, and you cannot change your own role.',
    example: { role: 'admin' },
  },
  'PATCH /users/{userId}': {
    operationId: 'updateUser',
    description:
      'All members are optional. `teamIds` replaces all teams of the user. A disabled user is logged out everywhere.',
    example: { teamIds: ['team_01k4xq7d9hfk3b0m6a7yz2c5rh'], disabled: false },
  },
  'POST /users/invitations': {
    operationId: 'inviteUser',
    example: { email: 'kim@example.com', role: 'agent', teamIds: ['team_01k4xq7d9hfk3b0m6a7yz2c5rh'] },
  },
  'GET /users/invitations': { operationId: 'listInvitations' },
  'DELETE /users/invitations/{id}': {
    operationId: 'revokeInvitation',
    description: 'The token of the invitation is invalid afterwards.',
  },
  'POST /users/invitations/{id}/renew': { operationId: 'renewInvitation' },
  'POST /users/{userId}/password-reset': { operationId: 'createPasswordReset' },
  'GET /users/me/second-factor': {
    operationId: 'getSecondFactor',
    description: 'Shows whether it is enabled, and how many recovery codes are left.',
  },
  'POST /users/me/second-factor': {
    operationId: 'startSecondFactor',
    example: { password: 'plum-Harbor-42-lantern' },
  },
  'POST /users/me/second-factor/confirm': { operationId: 'confirmSecondFactor', example: { code: '123456' } },
  'POST /users/me/second-factor/recovery-codes': {
    operationId: 'replaceRecoveryCodes',
    description: 'Returns new codes once. The old ones are invalid.',
    example: { password: 'plum-Harbor-42-lantern' },
  },
  'POST /users/me/second-factor/disable': {
    operationId: 'disableSecondFactor',
    description: 'Refused while the workspace requires a second factor.',
    example: { password: 'plum-Harbor-42-lantern' },
  },
  'DELETE /users/{userId}/second-factor': { operationId: 'removeSecondFactor' },
  'GET /audit-log': {
    operationId: 'listAuditEntries',
    description: 'Newest first, filtered by action, actor and target.',
  },
  'GET /teams': { operationId: 'listTeams', description: 'Lists the teams with the ids of their members.' },
  'POST /teams': {
    operationId: 'createTeam',
    description: 'The name must be unique in the workspace.',
    example: { name: 'Billing' },
  },
  'PATCH /teams/{id}': {
    operationId: 'renameTeam',
    description: 'The name must be unique in the workspace.',
    example: { name: 'Accounts' },
  },
  'DELETE /teams/{id}': {
    operationId: 'deleteTeam',
    description: 'Refused while an inbox, a chatbot or an open conversation references the team.',
  },
  'PUT /teams/{id}/members/{userId}': {
    operationId: 'addTeamMember',
    description: 'Has no effect if the user is a member already.',
  },
  'DELETE /teams/{id}/members/{userId}': {
    operationId: 'removeTeamMember',
    description: 'Has no effect if the user is not a member.',
  },
  'GET /me': { operationId: 'getCaller' },
  'GET /service-accounts': {
    operationId: 'listServiceAccounts',
    description: 'Lists the accounts, newest first, without their keys.',
  },
  'POST /service-accounts': {
    operationId: 'createServiceAccount',
    example: {
      name: 'CRM connector',
      description: 'Synchronizes contacts',
      role: 'agent',
      scopes: ['contact:list', 'contact:read'],
    },
  },
  'DELETE /service-accounts/{id}': { operationId: 'deleteServiceAccount' },
  'GET /service-accounts/{id}/api-keys': {
    operationId: 'listApiKeys',
    description: 'Shows the prefix of each key; the keys themselves are not stored.',
  },
  'POST /service-accounts/{id}/api-keys': { operationId: 'createApiKey', example: { name: 'Production' } },
  'DELETE /api-keys/{id}': {
    operationId: 'revokeApiKey',
    description: 'The key stops working within a second.',
  },
  'GET /workspace': {
    operationId: 'getWorkspace',
    description: 'Shows its name, and whether users must have a second factor.',
  },
  'PATCH /workspace': { operationId: 'updateWorkspace', example: { name: 'Harbor Lights' } },
  'GET /users/me/unread-count': {
    operationId: 'getUnreadCount',
    description: 'Counts the unread messages in the open conversations that you can see.',
  },
  'GET /users/me/unread-summary': {
    operationId: 'getUnreadSummary',
    description: 'Discard realtime updates whose `version` is lower.',
  },
}

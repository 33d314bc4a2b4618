import Type from 'typebox'
import { cursorList, cursorPage, toCursorList } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, Name, nullable, object, Timestamp } from '../../platform/http/schemas.ts'
import { changePassword, requestPasswordReset } from '../auth/password-changes.ts'
import {
  EmailTaken,
  GrantExceedsCaller,
  InvalidRole,
  InvitationNotFound,
  LastOwner,
  OwnerChangeForbidden,
  PasswordNotUsed,
  PasswordWrong,
  RoleAssignmentDenied,
  SelfDisableForbidden,
  SelfPasswordResetForbidden,
  SelfRoleChangeForbidden,
  UserDisabled,
  UserNotFound,
} from '../errors.ts'
import { getCurrentUser } from '../me.ts'
import { everyone, managers } from '../rights/roles.ts'
import {
  AuditEntry,
  CurrentUser,
  Invitation,
  InvitationRequest,
  IssuedInvitation,
  ListedUser,
  PasswordChangeRequest,
  RoleName,
  User,
} from '../schemas.ts'
import { listAudit } from '../store/audit.ts'
import { listInvitations } from '../store/invitations.ts'
import { listUsers, listUsersWithLastSeen } from '../store/users.ts'
import { createInvitation, renewInvitation, revokeInvitation } from '../users/invitations.ts'
import { changeRole, editProfile, getUser, updateUser } from '../users/users.ts'

const route = section('Users')

export const userRoutes = [
  route('GET /users', {
    operationId: 'listUsers',
    summary: 'List the users of the workspace',
    description: 'Lists all users, also disabled ones. `lastSeenAt` is an extension.',
    access: { scopes: ['user:list'], roles: everyone },
    success: { status: 200, body: object({ users: Type.Array(ListedUser) }) },
    handle: async ({ db, caller: { tenantId, scopes } }) => ({
      users: await (scopes.has('user:update')
        ? listUsersWithLastSeen(db, tenantId)
        : listUsers(db, tenantId)),
    }),
  }),
  route('GET /users/me', {
    operationId: 'getCurrentUser',
    summary: 'Get the current user',
    description: 'For users only; keys are described by `GET /me`. `scopes` is an extension.',
    access: { scopes: ['user:read_self'], roles: everyone, userOnly: true, beforeSecondFactor: true },
    success: { status: 200, body: CurrentUser },
    handle: ({ db, caller }) => getCurrentUser(db, caller),
  }),
  route('PATCH /users/me', {
    operationId: 'updateCurrentUser',
    summary: 'Update the current user',
    description: 'All members are optional.',
    access: { scopes: ['user:update_self'], roles: everyone, userOnly: true },
    body: object({
      name: Type.Optional(Name),
      avatarUrl: Type.Optional(
        nullable(
          Type.String({
            maxLength: 2000,
            pattern: '^(https?://|/v1/pictures/)[^\\s"<>\\\\^`{|}]+$',
            patternMessage: 'must be a URL that starts with http:// or https://, or your picture',
            description: 'a URL; the path of a picture only if it is your current one',
          }),
        ),
      ),
    }),
    example: { name: 'Sam Harbor', avatarUrl: 'https://example.com/sam.png' },
    success: { status: 200, body: User },
    handle: ({ write, caller, body }) => write(tx => editProfile(tx, caller, body)),
  }),
  route('PUT /users/me/password', {
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Ends your other sessions. A wrong current password counts as a failed login.',
    access: { scopes: ['user:update_self'], roles: everyone, userOnly: true, beforeSecondFactor: true },
    extension: true,
    body: PasswordChangeRequest,
    example: { current: 'plum-Harbor-42-lantern', new: 'quiet-Maple-77-compass' },
    success: { status: 204 },
    errors: [PasswordWrong, PasswordNotUsed],
    handle: async context => {
      const { caller, body, request } = context
      await changePassword(context, caller, { ...body, address: request.ip, sessionId: caller.sessionId })
    },
  }),
  route('GET /users/{userId}', {
    operationId: 'getUser',
    summary: 'Get a user',
    description: 'Finds any user of the workspace, also a disabled one.',
    access: { scopes: ['user:read'], roles: everyone },
    success: { status: 200, body: User },
    errors: [UserNotFound],
    handle: ({ db, caller, params }) => getUser(db, caller.tenantId, params.userId),
  }),
  route('PUT /users/{userId}/role', {
    operationId: 'changeUserRole',
    summary: 'Change the role of a user',
    description:
      'Admins move members between admin and agent; only owners grant or remove the role of an owner. A workspace keeps at least one owner, and you cannot change your own role.',
    access: {
      scopes: [],
      roles: managers,
      // A missing scope is reported by changeRole(), after the other checks of the role.
      conditionalScopes: everyone.map(role => ({
        when: `requested role is ${role}`,
        scope: `user:assign_role_${role}`,
      })),
    },
    // Any value: an invalid role has its own error code.
    body: object({ role: Type.Unknown({ documentedAs: RoleName }) }),
    example: { role: 'admin' },
    success: { status: 200, body: User },
    errors: [
      InvalidRole,
      SelfRoleChangeForbidden,
      UserNotFound,
      OwnerChangeForbidden,
      RoleAssignmentDenied,
      LastOwner,
    ],
    handle: ({ write, caller, params, body, roleScopes }) =>
      write(tx => changeRole({ roleScopes }, tx, caller, params.userId, body.role)),
  }),
  route('PATCH /users/{userId}', {
    operationId: 'updateUser',
    summary: 'Set the teams of a user, disable or enable the user',
    description:
      'All members are optional. `teamIds` replaces all teams of the user. A disabled user is logged out everywhere.',
    access: { scopes: ['user:update'], roles: managers },
    extension: true,
    body: object({
      teamIds: Type.Optional(Type.Array(AnyId, { maxItems: 100, uniqueItems: true })),
      disabled: Type.Optional(Type.Boolean()),
    }),
    example: { teamIds: ['team_01k4xq7d9hfk3b0m6a7yz2c5rh'], disabled: false },
    success: { status: 200, body: User },
    errors: [UserNotFound, OwnerChangeForbidden, SelfDisableForbidden, LastOwner],
    handle: ({ write, caller, params, body, roleScopes }) =>
      write(tx => updateUser({ roleScopes }, tx, caller, params.userId, body)),
  }),
  route('POST /users/invitations', {
    operationId: 'inviteUser',
    summary: 'Invite a user',
    description:
      'The token is shown once and valid for seven days. Send it to the person you invite. The address of a disabled user can be invited again: accepting enables the user, under the same id, with the invited role and teams.',
    access: { scopes: ['user:invite'], roles: managers },
    extension: true,
    body: InvitationRequest,
    example: { email: 'kim@example.com', role: 'agent', teamIds: ['team_01k4xq7d9hfk3b0m6a7yz2c5rh'] },
    success: { status: 201, body: IssuedInvitation },
    secretFields: ['token'],
    errors: [GrantExceedsCaller, EmailTaken, OwnerChangeForbidden],
    handle: ({ write, caller, body, roleScopes }) =>
      write(tx => createInvitation({ roleScopes }, tx, caller, body)),
  }),
  route('GET /users/invitations', {
    operationId: 'listInvitations',
    summary: 'List invitations that are not accepted yet',
    description: 'Newest first. Expired invitations are listed for 30 days.',
    access: { scopes: ['user:invite'], roles: managers },
    extension: true,
    page: cursorPage,
    success: { status: 200, body: cursorList(Invitation) },
    handle: async ({ db, caller, page }) => {
      const { rows, next } = page.toPage(await listInvitations(db, caller.tenantId, page), row => [row.id])
      return toCursorList(rows, next)
    },
  }),
  route('DELETE /users/invitations/{id}', {
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'The token of the invitation is invalid afterwards.',
    access: { scopes: ['user:invite'], roles: managers },
    extension: true,
    success: { status: 204 },
    errors: [InvitationNotFound],
    handle: ({ write, caller, params }) => write(tx => revokeInvitation(tx, caller, params.id)),
  }),
  route('POST /users/invitations/{id}/renew', {
    operationId: 'renewInvitation',
    summary: 'Replace the token of an invitation',
    description: 'The new token is shown once and valid for seven days; the old one is invalid.',
    access: { scopes: ['user:invite'], roles: managers },
    extension: true,
    success: { status: 200, body: IssuedInvitation },
    secretFields: ['token'],
    errors: [InvitationNotFound, GrantExceedsCaller, EmailTaken, OwnerChangeForbidden],
    handle: ({ write, caller, params, roleScopes }) =>
      write(tx => renewInvitation({ roleScopes }, tx, caller, params.id)),
  }),
  route('POST /users/{userId}/password-reset', {
    operationId: 'createPasswordReset',
    summary: 'Create a one-time token to set a new password',
    description:
      'The token is shown once and valid for 24 hours; it replaces an earlier one. Send it to the user, who sets the password with `POST /auth/password-reset`. The current password stays valid until then.',
    access: { scopes: ['user:update'], roles: managers },
    extension: true,
    success: { status: 201, body: object({ token: Type.String(), expiresAt: Timestamp }) },
    secretFields: ['token'],
    errors: [
      SelfPasswordResetForbidden,
      UserNotFound,
      OwnerChangeForbidden,
      GrantExceedsCaller,
      UserDisabled,
      PasswordNotUsed,
    ],
    handle: ({ write, caller, params, roleScopes }) =>
      write(tx => requestPasswordReset({ roleScopes }, tx, caller, params.userId)),
  }),
  section('Audit log')('GET /audit-log', {
    operationId: 'listAuditEntries',
    summary: 'List audit log entries',
    description: 'Newest first, filtered by action, actor, target and time.',
    access: { scopes: ['audit:read'], roles: managers },
    extension: true,
    query: object({
      action: Type.Optional(Type.String({ maxLength: 100 })),
      actorId: Type.Optional(AnyId),
      targetId: Type.Optional(AnyId),
      after: Type.Optional(Type.String({ ...Timestamp, description: 'only entries from this time on' })),
      before: Type.Optional(Type.String({ ...Timestamp, description: 'only entries before this time' })),
    }),
    page: cursorPage,
    success: { status: 200, body: cursorList(AuditEntry) },
    handle: async ({ db, caller, query, page }) => {
      const { rows, next } = page.toPage(await listAudit(db, caller.tenantId, query, page), row => [row.id])
      return toCursorList(rows, next)
    },
  }),
]

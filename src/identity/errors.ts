import { problemKind } from '../platform/errors.ts'

export const LoginFailed = problemKind(
  401,
  'auth_login_failed',
  'The e-mail address or the password is wrong',
)
export const TenantRequired = problemKind(
  409,
  'auth_tenant_required',
  'These credentials fit several workspaces: name one',
)
export const RefreshTokenInvalid = problemKind(
  401,
  'auth_refresh_token_invalid',
  'The refresh token is not valid any more',
)
export const SignupClosed = problemKind(403, 'auth_signup_closed', 'Sign-up is closed on this installation')
export const InvitationInvalid = problemKind(
  400,
  'auth_invitation_invalid',
  'The invitation is unknown, used or expired',
)
export const EmailTaken = problemKind(
  409,
  'auth_email_taken',
  'A user with this e-mail address exists already',
)
export const GrantExceedsCaller = problemKind(
  403,
  'auth_grant_exceeds_caller',
  'You cannot grant what you do not hold',
)

export const UserNotFound = problemKind(404, 'auth_user_not_found', 'There is no such user')
export const InvalidRole = problemKind(
  400,
  'auth_user_invalid_role',
  'The role must be owner, admin or agent',
)
export const SelfRoleChangeForbidden = problemKind(
  400,
  'auth_user_self_role_change_forbidden',
  'Nobody changes their own role',
)
export const RoleAssignmentDenied = problemKind(
  403,
  'auth_authz_user_assign_role_denied',
  'You may not assign this role',
)
export const OwnerChangeForbidden = problemKind(
  403,
  'auth_user_role_assignment_forbidden',
  'Only owners edit owners',
)
export const LastOwner = problemKind(
  409,
  'auth_user_last_owner_required',
  'A workspace keeps at least one enabled owner',
)
export const SelfDisableForbidden = problemKind(
  400,
  'auth_user_self_disable_forbidden',
  'Nobody disables themselves',
)

export const TeamNotFound = problemKind(404, 'team_not_found', 'There is no such team')
export const TeamNameTaken = problemKind(409, 'team_name_taken', 'A team of this name exists already')
export const TeamInUse = problemKind(
  409,
  'team_in_use',
  'An inbox, a bot or an open conversation uses this team',
)

export const ServiceAccountNotFound = problemKind(
  404,
  'service_account_not_found',
  'There is no such service account',
)
export const ApiKeyNotFound = problemKind(404, 'api_key_not_found', 'There is no such API key')

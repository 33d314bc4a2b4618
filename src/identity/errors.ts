import { problemKind } from '../platform/errors.ts'

export const LoginFailed = problemKind(
  401,
  'auth_login_failed',
  'The e-mail address or the password is wrong',
)
export const TenantRequired = problemKind(
  409,
  'auth_tenant_required',
  'These credentials belong to several workspaces: send tenantId',
)
export const OidcLoginUnavailable = problemKind(
  404,
  'auth_oidc_login_unavailable',
  'This installation has no login through an identity provider: set OIDC_CLIENT_ID',
)
export const RefreshTokenInvalid = problemKind(
  401,
  'auth_refresh_token_invalid',
  'The refresh token is no longer valid',
)
export const AuthSessionNotFound = problemKind(404, 'auth_session_not_found', 'Session not found')
export const SignupClosed = problemKind(403, 'auth_signup_closed', 'Sign-up is closed on this installation')
export const InvitationInvalid = problemKind(
  400,
  'auth_invitation_invalid',
  'The invitation is unknown, used or expired',
)
export const EmailTaken = problemKind(
  409,
  'auth_email_taken',
  'A user with this e-mail address already exists',
)
export const PasswordWrong = problemKind(403, 'auth_password_wrong', 'The current password is wrong')
export const PasswordNotUsed = problemKind(
  409,
  'auth_password_not_used',
  'This user logs in through an identity provider and has no password',
)
export const PasswordResetInvalid = problemKind(
  400,
  'auth_password_reset_invalid',
  'The token is unknown, used or expired',
)
export const SelfPasswordResetForbidden = problemKind(
  400,
  'auth_user_self_password_reset_forbidden',
  'You cannot reset your own password',
)
export const SecondFactorCodeRequired = problemKind(
  409,
  'auth_second_factor_code_required',
  'The password is right; this user also needs a code',
)
export const SecondFactorFailed = problemKind(401, 'auth_second_factor_failed', 'The code is not valid')
export const ChallengeExpired = problemKind(401, 'auth_challenge_expired', 'The login has expired')
export const SecondFactorEnabled = problemKind(
  409,
  'auth_second_factor_enabled',
  'The second factor is already enabled',
)
export const SecondFactorNotEnabled = problemKind(
  409,
  'auth_second_factor_not_enabled',
  'The second factor is not enabled',
)
export const SecondFactorMandatory = problemKind(
  409,
  'auth_second_factor_mandatory',
  'The workspace requires a second factor',
)
export const SelfSecondFactorRemovalForbidden = problemKind(
  400,
  'auth_user_self_second_factor_removal_forbidden',
  'You cannot remove your own second factor as an administrator',
)
export const UserDisabled = problemKind(409, 'auth_user_disabled', 'The user is disabled')
export const InvitationNotFound = problemKind(404, 'auth_invitation_not_found', 'Invitation not found')
export const GrantExceedsCaller = problemKind(
  403,
  'auth_grant_exceeds_caller',
  'You cannot grant what you do not hold',
)

export const UserNotFound = problemKind(404, 'auth_user_not_found', 'User not found')
export const InvalidRole = problemKind(
  400,
  'auth_user_invalid_role',
  'The role must be owner, admin or agent',
)
export const SelfRoleChangeForbidden = problemKind(
  400,
  'auth_user_self_role_change_forbidden',
  'You cannot change your own role',
)
export const RoleAssignmentDenied = problemKind(
  403,
  'auth_authz_user_assign_role_denied',
  'You cannot assign this role',
)
export const OwnerChangeForbidden = problemKind(
  403,
  'auth_user_role_assignment_forbidden',
  'Only owners can change owners',
)
export const LastOwner = problemKind(
  409,
  'auth_user_last_owner_required',
  'A workspace must have at least one enabled owner',
)
export const SelfDisableForbidden = problemKind(
  400,
  'auth_user_self_disable_forbidden',
  'You cannot disable your own account',
)

export const TeamNotFound = problemKind(404, 'team_not_found', 'Team not found')
export const TeamNameTaken = problemKind(409, 'team_name_taken', 'A team with this name already exists')
export const TeamInUse = problemKind(
  409,
  'team_in_use',
  'The team is used by an inbox, a bot or an open conversation',
)

export const ServiceAccountNotFound = problemKind(
  404,
  'service_account_not_found',
  'Service account not found',
)
export const ApiKeyNotFound = problemKind(404, 'api_key_not_found', 'API key not found')

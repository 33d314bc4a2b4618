import Type, { type Static } from 'typebox'
import { AnyId, Email, literals, Name, named, nullable, object, Timestamp } from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'
import { roles } from './rights/roles.ts'
import { WorkspaceSettings } from './workspace/workspace-settings.ts'

export const TenantId = idType('tn')
export const UserId = idType('usr')
export const TeamId = idType('team')
export const InvitationId = idType('inv')
export const ServiceAccountId = idType('svc')
export const ApiKeyId = idType('key')
export const AuthSessionId = idType('lgn')
export const AuditEntryId = idType('aud')

export const RoleName = literals(roles)
export const Password = Type.String({ minLength: 10, maxLength: 200 })

export const User = named(
  'User',
  object({
    id: AnyId,
    name: Type.String(),
    email: Type.String(),
    teamIds: Type.Array(AnyId),
    role: RoleName,
    joinedAt: Timestamp,
    avatarUrl: nullable(Type.String()),
    provider: Type.String(),
    emailVerified: Type.Boolean(),
    disabled: Type.Boolean(),
  }),
)

export const ListedUser = named(
  'ListedUser',
  object({
    ...User.properties,
    lastSeenAt: Type.Optional(
      nullable(
        Type.String({
          ...Timestamp,
          description:
            'extension, for callers with `user:update`: when a session of the user was last used, up to five minutes late; null: never, or too long ago',
        }),
      ),
    ),
  }),
)

export const CurrentUser = named(
  'CurrentUser',
  object({
    ...User.properties,
    scopes: Type.Array(Type.String(), { description: 'extension: what the session or token may do' }),
  }),
)

export const AuthSession = named(
  'AuthSession',
  object({
    id: AnyId,
    kind: literals(['browser', 'token'], { description: 'with a cookie, or with access and refresh tokens' }),
    address: nullable(Type.String({ description: 'of the login' })),
    userAgent: nullable(Type.String()),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
    isCurrent: Type.Boolean({ description: 'the session of this request' }),
  }),
)

export const Team = named(
  'Team',
  object({
    id: AnyId,
    name: Type.String(),
    memberIds: Type.Array(AnyId),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

export const ServiceAccount = named(
  'ServiceAccount',
  object({
    id: AnyId,
    tenantId: AnyId,
    name: Type.String(),
    description: nullable(Type.String()),
    isActive: Type.Boolean(),
    role: literals(['admin', 'agent'], { description: 'extension' }),
    scopes: nullable(
      Type.Array(Type.String(), { description: 'extension: null means every scope of the role' }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

export const ServiceAccountName = object({ id: AnyId, name: Type.String() })
export type ServiceAccountName = Static<typeof ServiceAccountName>

const Scopes = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200, uniqueItems: true })
const Description = Type.String({ maxLength: 2000 })

export const ServiceAccountRequest = object({
  name: Name,
  description: Type.Optional(Description),
  role: Type.Optional(literals(['admin', 'agent'])),
  scopes: Type.Optional(Scopes),
})
export const ServiceAccountPatch = object({
  name: Type.Optional(Name),
  description: Type.Optional(nullable(Description)),
  isActive: Type.Optional(
    Type.Boolean({ description: 'false: its keys are refused until it is true again' }),
  ),
  scopes: Type.Optional(nullable(Scopes)),
})

export const ApiKey = named(
  'ApiKey',
  object({
    id: AnyId,
    name: Type.String(),
    keyPrefix: Type.String(),
    serviceAccountId: AnyId,
    tenantId: AnyId,
    expiresAt: nullable(Timestamp),
    lastUsedAt: nullable(
      Type.String({ ...Timestamp, description: 'extension: accurate to a minute; null: not used yet' }),
    ),
    lastUsedFrom: nullable(Type.String({ description: 'extension: the network address of that use' })),
    createdBy: AnyId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

export const ScopeDescription = named(
  'Scope',
  object({
    name: Type.String(),
    description: Type.String(),
    roles: Type.Array(RoleName, { description: 'roles that hold the scope' }),
    operations: Type.Array(
      object({
        operationId: Type.String(),
        method: Type.String(),
        path: Type.String(),
        summary: Type.String(),
      }),
      { description: 'operations that need the scope, some of them only for certain requests' },
    ),
  }),
)

export const Me = named(
  'Me',
  object({
    type: literals(['user', 'serviceAccount']),
    id: AnyId,
    tenantId: AnyId,
    name: Type.String(),
    role: RoleName,
    scopes: Type.Array(Type.String()),
    teamIds: Type.Array(AnyId),
    apiKey: nullable(ApiKey),
  }),
)

const loginProperties = {
  accessToken: Type.String(),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'seconds' }),
  refreshToken: Type.String(),
  user: User,
}

export const LoginResponse = named('Login', object(loginProperties))
export const WorkspaceLoginResponse = named('WorkspaceLogin', object({ tenantId: AnyId, ...loginProperties }))

export const LoginRequest = object({
  email: Email,
  password: Type.String({ minLength: 1, maxLength: 200 }),
  tenantId: Type.Optional(AnyId),
})
export const RefreshRequest = object({ refreshToken: Type.String({ minLength: 1, maxLength: 200 }) })
export const WorkspaceRequest = object({
  name: Name,
  owner: object({ name: Name, email: Email, password: Password }),
})
export const AcceptRequest = object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  name: Name,
  password: Password,
})

export const InvitationRequest = object({
  email: Email,
  role: RoleName,
  teamIds: Type.Optional(Type.Array(AnyId, { maxItems: 100, uniqueItems: true })),
})
export const Invitation = named(
  'Invitation',
  object({
    id: AnyId,
    email: Type.String(),
    role: RoleName,
    teamIds: Type.Array(AnyId),
    createdBy: AnyId,
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
export const IssuedInvitation = object({ invitation: Invitation, token: Type.String() })

export const PasswordChangeRequest = object({
  current: Type.String({ minLength: 1, maxLength: 200 }),
  new: Password,
})
export const PasswordResetRequest = object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  password: Password,
})

export const Workspace = named(
  'Workspace',
  object({
    id: AnyId,
    name: Type.String(),
    secondFactorRequired: Type.Boolean(),
    ...WorkspaceSettings,
    logoUrl: { ...nullable(Type.String()), description: 'a path of this service; see `PUT /workspace/logo`' },
    createdAt: Timestamp,
  }),
)

export const AuditEntry = named(
  'AuditEntry',
  object({
    id: AnyId,
    at: Timestamp,
    actorType: literals(['user', 'service', 'system']),
    actorId: nullable(AnyId),
    action: Type.String(),
    targetType: Type.String(),
    targetId: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
  }),
)

const AvailabilityStatus = literals(['online', 'away', 'busy'])

export const Availability = named(
  'Availability',
  object({
    userId: AnyId,
    status: AvailabilityStatus,
    until: nullable(Type.String({ ...Timestamp, description: 'online from then on; null: until changed' })),
  }),
)
export type Availability = Static<typeof Availability>

export const AvailabilityChange = object({
  status: AvailabilityStatus,
  until: Type.Optional(Type.String({ ...Timestamp, description: 'online from then on' })),
})
export type AvailabilityChange = Static<typeof AvailabilityChange>

export const maxPreferencesBytes = 64 * 1024

/** Preferences of a user: an object that only clients interpret. */
export const Preferences = named(
  'Preferences',
  Type.Record(Type.String(), Type.Unknown(), { description: 'any members; clients define their meaning' }),
)

import type { FastifyRequest } from 'fastify'
import { transact } from '../../platform/db/transact.ts'
import { fail } from '../../platform/errors.ts'
import { anyCell } from '../../platform/http/locate.ts'
import { section } from '../../platform/http/route.ts'
import { locateInvitation, locatePasswordReset, locateRefreshToken } from '../auth/locate.ts'
import { resetPassword } from '../auth/password-changes.ts'
import { assertStrongPassword } from '../auth/password-strength.ts'
import { hashPassword } from '../auth/passwords.ts'
import { createAuthSession, logIn, logOut, refreshTokens } from '../auth/sessions.ts'
import {
  EmailTaken,
  InvitationInvalid,
  LoginFailed,
  PasswordResetInvalid,
  RefreshTokenInvalid,
  SecondFactorCodeRequired,
  SignupClosed,
  TenantRequired,
} from '../errors.ts'
import { everyone } from '../rights/roles.ts'
import {
  AcceptRequest,
  LoginRequest,
  LoginResponse,
  PasswordResetRequest,
  RefreshRequest,
  WorkspaceLoginResponse,
  WorkspaceRequest,
} from '../schemas.ts'
import { acceptInvitation } from '../users/invitations.ts'
import { createWorkspace } from '../workspace/tenants.ts'

const route = section('Sessions', { extension: true })

/** Describes the client of a login, for the list of sessions. */
export const readClient = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>) => ({
  address: ip,
  userAgent: headers['user-agent'],
})

export const authRoutes = [
  route('POST /auth/login', {
    operationId: 'logIn',
    summary: 'Log in with e-mail and password',
    description:
      'Returns an access token for 15 minutes and a refresh token. If the user has a second factor, the answer is a challenge instead: complete the login with `POST /auth/second-factor`.',
    access: 'public',
    locate: anyCell,
    limitPerMinute: 1_200,
    body: LoginRequest,
    example: { email: 'sam@example.com', password: 'plum-Harbor-42-lantern' },
    success: { status: 200, body: LoginResponse },
    errors: [LoginFailed, TenantRequired, SecondFactorCodeRequired],
    handle: context => logIn(context, { ...context.body, ...readClient(context.request) }),
  }),
  route('POST /auth/refresh', {
    operationId: 'refreshTokens',
    summary: 'Exchange a refresh token for a new pair',
    description: 'Each refresh token works once. Reuse of a refresh token revokes the whole session.',
    access: 'public',
    locate: ({ body }, cells) => locateRefreshToken(cells, body.refreshToken),
    limitPerMinute: 600,
    body: RefreshRequest,
    example: { refreshToken: 'prt_replace-with-your-refresh-token' },
    success: { status: 200, body: LoginResponse },
    errors: [RefreshTokenInvalid],
    handle: context => refreshTokens(context, context.body.refreshToken),
  }),
  route('POST /auth/logout', {
    operationId: 'logOut',
    summary: 'Log out',
    description:
      'Revokes the access and refresh tokens of this session immediately. API keys and tokens of external identity providers are not affected.',
    access: { scopes: [], roles: everyone, beforeSecondFactor: true },
    success: { status: 204 },
    handle: async ({ db, caller }) => {
      const { sessionId } = caller
      if (sessionId) await transact(db, tx => logOut(tx, caller.tenantId, sessionId))
    },
  }),
  route('POST /workspaces', {
    operationId: 'createWorkspace',
    summary: 'Create a workspace and its owner',
    description: 'Returns tokens of the owner. Open only where the installation allows sign-up.',
    access: 'public',
    locate: (_, cells) => cells.place(),
    limitPerMinute: 30,
    body: WorkspaceRequest,
    example: {
      name: 'Harbor Lights',
      owner: { name: 'Sam Harbor', email: 'sam@example.com', password: 'plum-Harbor-42-lantern' },
    },
    success: { status: 201, body: WorkspaceLoginResponse },
    errors: [SignupClosed],
    handle: async context => {
      if (context.config.signup !== 'open')
        fail(SignupClosed, 'ask the operator, who can run: parley workspace create')
      const { password, ...owner } = context.body.owner
      assertStrongPassword('owner.password', password, { email: owner.email, workspace: context.body.name })
      const passwordHash = await hashPassword(password)
      const created = await transact(context.db, async tx => {
        const { tenantId, ownerId } = await createWorkspace(tx, {
          name: context.body.name,
          owner: { ...owner, passwordHash },
        })
        const proven = { tenantId, userId: ownerId, address: context.request.ip }
        return { tenantId, ...(await createAuthSession(context, tx, proven)) }
      })
      await context.cells.record(created.tenantId, context)
      return created
    },
  }),
  route('POST /auth/invitations/accept', {
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'Creates the invited user, or enables a disabled one, and logs in.',
    access: 'public',
    locate: ({ body }, cells) => locateInvitation(cells, body.token),
    limitPerMinute: 60,
    body: AcceptRequest,
    example: {
      token: 'inv_replace-with-the-token-of-the-invitation',
      name: 'Kim Ng',
      password: 'plum-Harbor-42-lantern',
    },
    success: { status: 200, body: LoginResponse },
    errors: [InvitationInvalid, EmailTaken],
    handle: context => acceptInvitation(context, { ...context.body, address: context.request.ip }),
  }),
  route('POST /auth/password-reset', {
    operationId: 'resetPassword',
    summary: 'Set a new password with a one-time token',
    description: 'Ends all sessions of the user. Log in with the new password afterwards.',
    access: 'public',
    locate: ({ body }, cells) => locatePasswordReset(cells, body.token),
    limitPerMinute: 60,
    body: PasswordResetRequest,
    example: { token: 'pwr_replace-with-the-one-time-token', password: 'quiet-Maple-77-compass' },
    success: { status: 204 },
    errors: [PasswordResetInvalid],
    handle: context => resetPassword(context, context.body.token, context.body.password),
  }),
]

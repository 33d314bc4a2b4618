/** Browser sessions, and the list of a user's own sessions. */
import Type from 'typebox'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { anyCell } from '../../platform/http/locate.ts'
import { cursorList, cursorPage, toCursorList } from '../../platform/http/page.ts'
import { type Context, Reply, section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import {
  assertNotCrossSite,
  buildSessionCookie,
  CrossSite,
  getSender,
  readSessionCookie,
} from '../../platform/http/session-cookie.ts'
import {
  completeBrowserLogin,
  type IssuedSession,
  logInBrowser,
  revokeOwnSession,
} from '../auth/browser-sessions.ts'
import { locateChallenge } from '../auth/second-factor.ts'
import { logOut } from '../auth/sessions.ts'
import {
  AuthSessionNotFound,
  ChallengeExpired,
  LoginFailed,
  SecondFactorCodeRequired,
  SecondFactorFailed,
  TenantRequired,
} from '../errors.ts'
import { everyone } from '../rights/roles.ts'
import { AuthSession, LoginRequest } from '../schemas.ts'
import { listOpenAuthSessions } from '../store/auth-sessions.ts'

const route = section('Sessions', { extension: true })
const usersRoute = section('Users', { extension: true })
const setsCookie = { status: 204, description: 'Sets the session cookie' }

type BrowserContext = Deps & Pick<Context<undefined, undefined, undefined>, 'request'>

/** Describes the browser of a login. Throws if another site sent the request: it could log its visitor in as another user. */
export function readBrowser({ request, config }: BrowserContext) {
  assertNotCrossSite(request.raw, config)
  const isOwnPage = getSender(request.raw, config) === 'own'
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'],
    replacedToken: isOwnPage ? readSessionCookie(request.raw, config) : undefined,
  }
}

function withCookie({ request, config }: BrowserContext, { token, maxAgeSeconds }: IssuedSession): Reply {
  return new Reply({
    headers: { 'set-cookie': buildSessionCookie(request.raw, config, token, maxAgeSeconds) },
  })
}

export const sessionRoutes = [
  route('POST /auth/sessions', {
    operationId: 'createBrowserSession',
    summary: 'Log in as a browser, with a session cookie',
    description:
      'Sets the cookie `__Host-parley`, which scripts cannot read and which authenticates requests of pages of this service only. The session ends after 30 days without use and 90 days after the login. It is answered like `POST /auth/login`; complete a login that needs a code with `POST /auth/sessions/second-factor`.',
    access: 'public',
    locate: anyCell,
    limitPerMinute: 1_200,
    body: LoginRequest,
    example: { email: 'sam@example.com', password: 'plum-Harbor-42-lantern' },
    success: setsCookie,
    errors: [LoginFailed, TenantRequired, SecondFactorCodeRequired, CrossSite],
    handle: async context => {
      const browser = readBrowser(context)
      return withCookie(context, await logInBrowser(context, { ...context.body, ...browser }))
    },
  }),
  route('POST /auth/sessions/second-factor', {
    operationId: 'completeBrowserLogin',
    summary: 'Complete the login of a browser with the code of the second factor',
    description:
      'As `POST /auth/second-factor`, but sets the session cookie: `challenge` is a member of the response 409 of `POST /auth/sessions`.',
    access: 'public',
    locate: ({ body }, cells) => locateChallenge(cells, body.challenge),
    limitPerMinute: 300,
    body: object({
      challenge: Type.String({ minLength: 1, maxLength: 2000 }),
      code: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    example: { challenge: 'replace-with-the-challenge-of-the-login', code: '123456' },
    success: setsCookie,
    errors: [SecondFactorFailed, ChallengeExpired, LoginFailed, CrossSite],
    handle: async context => {
      const browser = readBrowser(context)
      return withCookie(context, await completeBrowserLogin(context, { ...context.body, ...browser }))
    },
  }),
  route('DELETE /auth/sessions/current', {
    operationId: 'endCurrentSession',
    summary: 'Log out as a browser',
    description: 'Ends the session of this request immediately, closes its sockets and deletes the cookie.',
    access: { scopes: [], roles: everyone, userOnly: true, beforeSecondFactor: true },
    success: { status: 204, description: 'Deletes the session cookie' },
    handle: async context => {
      const { db, caller, request, config } = context
      const { sessionId } = caller
      if (sessionId) await transact(db, tx => logOut(tx, caller.tenantId, sessionId))
      return new Reply({ headers: { 'set-cookie': buildSessionCookie(request.raw, config, '', 0) } })
    },
  }),
  usersRoute('GET /users/me/sessions', {
    operationId: 'listOwnSessions',
    summary: 'List your sessions',
    description:
      'Newest first, without sessions that have ended. `lastUsedAt` is at most five minutes late for browsers; for other clients it is the last refresh.',
    access: { scopes: ['user:read_self'], roles: everyone, userOnly: true },
    page: cursorPage,
    success: { status: 200, body: cursorList(AuthSession) },
    handle: async ({ db, caller, page }) => {
      const found = await listOpenAuthSessions(db, caller.tenantId, caller.id, page)
      const { rows, next } = page.toPage(found, row => [row.id])
      return toCursorList(
        rows.map(row => ({ ...row, isCurrent: row.id === caller.sessionId })),
        next,
      )
    },
  }),
  usersRoute('DELETE /users/me/sessions/{id}', {
    operationId: 'revokeOwnSession',
    summary: 'End one of your sessions',
    description: 'Its tokens and its cookie are refused and its sockets are closed within a second.',
    access: { scopes: ['user:update_self'], roles: everyone, userOnly: true },
    success: { status: 204 },
    errors: [AuthSessionNotFound],
    handle: ({ write, caller, params }) => write(tx => revokeOwnSession(tx, caller, params.id)),
  }),
]

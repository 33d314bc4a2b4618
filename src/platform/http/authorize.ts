/** The first three checks of every request: token or session cookie (401), role (403), scope (403). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { fail, problemKind, RoleMissing, ScopeMissing, Unauthenticated } from '../errors.ts'
import type { Authenticate, AuthenticateVisitor, Caller, Scope, Visitor } from './caller.ts'
import type { Access } from './route.ts'
import {
  assertCookieAllowed,
  buildSessionCookie,
  readSessionCookie,
  sessionTokenPrefix,
} from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
    visitor?: Visitor
    /** The bearer token or the value of the session cookie that authenticated the request. */
    token?: string
  }
}

export const UserRequired = problemKind(
  403,
  'auth_user_required',
  'This operation is for users, not for service accounts',
)

export const SecondFactorMissing = problemKind(
  403,
  'auth_second_factor_missing',
  'The workspace requires a second factor',
)

/** Returns the token of an Authorization header. Throws 401 if it has none. */
export function readBearerToken(header: string | undefined): string {
  if (header === undefined) fail(Unauthenticated, 'send Authorization: Bearer <token>')
  const token = /^Bearer +([\x21-\x7e]{1,8192})$/i.exec(header)?.[1]
  if (token === undefined) fail(Unauthenticated, 'the Authorization header must be: Bearer <token>')
  if (token.startsWith(`${sessionTokenPrefix}_`)) failInvalidToken()
  return token
}

function failInvalidToken(): never {
  return fail(Unauthenticated, 'the token is invalid, expired or revoked')
}

/** Authenticates a request by its Authorization header or, if it has none, by its session cookie. */
export async function authenticateRequest(
  authenticate: Authenticate,
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { authorization } = request.headers
  const cookie = authorization === undefined ? readSessionCookie(request.raw, config) : undefined
  if (cookie !== undefined) assertCookieAllowed(request.raw, config)
  const token = cookie ?? readBearerToken(authorization)
  const caller = (await authenticate(token, request.ip)) ?? failInvalidToken()
  if (cookie !== undefined && caller.cookieSeconds !== undefined)
    reply.header('set-cookie', buildSessionCookie(request.raw, config, cookie, caller.cookieSeconds))
  request.token = token
  request.caller = caller
  return caller
}

/** Authenticates a visitor by the Authorization header. The session cookie of a user has no effect. */
export async function authenticateVisitorRequest(
  authenticate: AuthenticateVisitor,
  request: FastifyRequest,
): Promise<Visitor> {
  const token = readBearerToken(request.headers.authorization)
  const visitor = (await authenticate(token)) ?? failInvalidToken()
  request.token = token
  request.visitor = visitor
  return visitor
}

export function authorize(access: Access, caller: Caller): void {
  if (!access.roles.includes(caller.role))
    fail(RoleMissing, `requires one of the roles ${access.roles.join(', ')}`)
  if (!caller.secondFactorMissing) requireScopes(access.scopes, caller)
  else if (!access.beforeSecondFactor)
    fail(SecondFactorMissing, 'set it up with POST /users/me/second-factor, then confirm it')
  if (access.userOnly && caller.kind !== 'user') fail(UserRequired, 'log in as a user')
}

export function requireScopes(scopes: readonly Scope[], caller: Caller): void {
  const missing = scopes.filter(scope => !caller.scopes.has(scope))
  if (missing.length > 0) fail(ScopeMissing, `the token lacks ${missing.join(', ')}`)
}

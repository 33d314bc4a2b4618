/** Authenticates a connection before it becomes a socket. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Deps } from '../platform/deps.ts'
import { Problem } from '../platform/errors.ts'
import { readBearerToken } from '../platform/http/authorize.ts'
import type { Authenticate, Caller } from '../platform/http/caller.ts'
import { toProblemBody } from '../platform/http/response/problems.ts'
import { RequestId } from '../platform/http/server.ts'
import { assertOwnPage, CrossSite, readSessionCookie } from '../platform/http/session-cookie.ts'
import { redeemTicket } from './tickets.ts'

export interface AdmittedClient {
  token: string
  caller: Caller
  since: number | undefined
}

/**
 * Authenticates a connection by its Authorization header, its ticket or its session cookie, in this order; undefined if
 * it has none that is valid. Throws if another site sent the cookie.
 */
export async function admit(
  deps: Deps,
  authenticate: Authenticate,
  request: IncomingMessage,
): Promise<AdmittedClient | undefined> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const token = await findToken(deps, request, query.get('ticket'))
  const caller = token ? await authenticate(token) : undefined
  if (!token || !caller) return undefined
  const since = query.get('since')
  return { token, caller, since: since !== null && /^\d{1,15}$/.test(since) ? Number(since) : undefined }
}

async function findToken(
  deps: Deps,
  request: IncomingMessage,
  ticket: string | null,
): Promise<string | undefined> {
  const { authorization } = request.headers
  if (authorization !== undefined) return findBearerToken(authorization)
  if (ticket) return redeemTicket(deps, ticket)
  const cookie = readSessionCookie(request, deps.config)
  if (cookie !== undefined) assertOwnPage(request, deps.config)
  return cookie
}

function findBearerToken(authorization: string): string | undefined {
  try {
    return readBearerToken(authorization)
  } catch {
    return undefined
  }
}

/** Ends a connection that was not admitted. Browsers show the status of a refused handshake to the developer only. */
export function refuse(raw: Duplex, error: unknown): void {
  if (!(error instanceof Problem) || error.kind !== CrossSite) return void raw.destroy()
  const body = JSON.stringify(toProblemBody(error, '/v1/realtime', RequestId.create()))
  const head = 'HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nConnection: close\r\n'
  raw.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => raw.destroy())
}

/** Authenticates a connection before it becomes a socket. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Deps } from '../platform/deps.ts'
import { invalid, Problem, violation } from '../platform/errors.ts'
import { readBearerToken } from '../platform/http/authorize.ts'
import type { Authenticate, Caller } from '../platform/http/caller.ts'
import { toProblemBody } from '../platform/http/response/problems.ts'
import { RequestId } from '../platform/http/server.ts'
import { assertOwnPage, readSessionCookie } from '../platform/http/session-cookie.ts'
import { redeemTicket } from './tickets.ts'

export interface AdmittedClient {
  token: string
  caller: Caller
  since: number | undefined
}

/**
 * Authenticates a connection by its Authorization header, its ticket or its session cookie, in this order; undefined if
 * it has none that is valid. Throws if another site sent the cookie, and if `since` is not a number: a client that
 * connects without its position would miss events and not notice.
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
  return { token, caller, since: readSince(query) }
}

export function readSince(query: URLSearchParams): number | undefined {
  const text = query.get('since')
  if (!text) return undefined
  if (!/^\d{1,15}$/.test(text))
    invalid(violation('since', 'invalid_format', 'must be the `seq` of the last frame that you received'))
  return Number(text)
}

/** Returns the token, ticket or session cookie of a connection, in the order of `admit`. */
export function findSocketToken(request: IncomingMessage, config: Deps['config']): string | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) return findBearerToken(authorization)
  const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket')
  return ticket ?? readSessionCookie(request, config)
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
export function refuse(raw: Duplex, error: unknown, path = '/v1/realtime'): void {
  if (!(error instanceof Problem)) return void raw.destroy()
  const { status } = error.kind
  const body = JSON.stringify(toProblemBody(error, path, RequestId.create()))
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nConnection: close\r\n`
  raw.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => raw.destroy())
}

/**
 * The session cookie of browsers, and the rule which requests it authenticates: only those of our own pages. Browsers send
 * cookies to every port of a host and with requests of other pages, so the cookie alone does not show who sent the request.
 */
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Config } from '../config.ts'
import { fail, problemKind } from '../errors.ts'

export const CrossSite = problemKind(
  403,
  'auth_cross_site',
  'The session cookie is accepted from pages of this service only',
)

/** Values of the session cookie start with this prefix. They are refused as bearer tokens. */
export const sessionTokenPrefix = 'ses'

type OriginConfig = Pick<Config, 'publicUrl' | 'trustProxy'>
type Request = Pick<IncomingMessage, 'headers' | 'socket' | 'method'>

const isLoopback = (hostname: string) =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname.toLowerCase())

/** Returns the origin at which the client reached the service. PUBLIC_URL decides the scheme of its own host. */
export function getOwnOrigin({ headers, socket }: Request, config: OriginConfig): URL {
  const forwarded = (name: string) =>
    config.trustProxy === false ? undefined : headers[name]?.toString().replace(/,.*/, '').trim()
  const scheme = forwarded('x-forwarded-proto') ?? ((socket as TLSSocket).encrypted ? 'https' : 'http')
  const text = `${scheme}://${forwarded('x-forwarded-host') ?? headers.host}`
  const own = new URL(URL.canParse(text) ? text : 'http://host.invalid')
  const publicUrl = new URL(config.publicUrl)
  return own.host === publicUrl.host ? publicUrl : own
}

/** Reports where the request comes from: our own pages, other pages, or a client that does not say so. */
export function getSender(request: Request, config: OriginConfig): 'own' | 'other' | 'unknown' {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'own' : site === 'none' ? 'unknown' : 'other'
  const { origin } = request.headers
  if (origin === undefined) return 'unknown'
  return origin === getOwnOrigin(request, config).origin ? 'own' : 'other'
}

export function assertNotCrossSite(request: Request, config: OriginConfig): void {
  if (getSender(request, config) === 'other') fail(CrossSite, 'send the request from a page of this service')
}

/** Throws unless the cookie may authenticate the request: one that changes something must come from our own pages. */
export function assertCookieAllowed(request: Request, config: OriginConfig): void {
  assertNotCrossSite(request, config)
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (!isSafe) assertOwnPage(request, config)
}

export function assertOwnPage(request: Request, config: OriginConfig): void {
  if (getSender(request, config) !== 'own')
    fail(CrossSite, 'a request with the session cookie needs Sec-Fetch-Site: same-origin or our own Origin')
}

/** Only a `__Host-` cookie is safe from other hosts of the domain; browsers accept it over TLS and on loopback. */
function getCookie(request: Request, config: OriginConfig, name: string) {
  const { protocol, hostname } = getOwnOrigin(request, config)
  return protocol === 'https:' || isLoopback(hostname)
    ? { name: `__Host-${name}`, attributes: 'Path=/; Secure; HttpOnly' }
    : { name, attributes: 'Path=/; HttpOnly' }
}

export interface CookieOptions {
  name: string
  value: string
  maxAgeSeconds: number
  sameSite: 'Strict' | 'Lax'
}

/** Returns a Set-Cookie header. A maximum age of 0 deletes the cookie. */
export function buildCookie(request: Request, config: OriginConfig, cookie: CookieOptions): string {
  const { name, attributes } = getCookie(request, config, cookie.name)
  return `${name}=${cookie.value}; ${attributes}; SameSite=${cookie.sameSite}; Max-Age=${cookie.maxAgeSeconds}`
}

export function readCookie(request: Request, config: OriginConfig, name: string): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return undefined
  const start = `${getCookie(request, config, name).name}=`
  return cookie
    .split(';')
    .map(pair => pair.trim())
    .find(pair => pair.startsWith(start))
    ?.slice(start.length)
}

const sessionCookie = 'parley'

export function readSessionCookie(request: Request, config: OriginConfig): string | undefined {
  const value = readCookie(request, config, sessionCookie)
  return value?.startsWith(`${sessionTokenPrefix}_`) && value.length <= 200 ? value : undefined
}

export function buildSessionCookie(
  request: Request,
  config: OriginConfig,
  value: string,
  maxAgeSeconds: number,
): string {
  return buildCookie(request, config, { name: sessionCookie, value, maxAgeSeconds, sameSite: 'Strict' })
}

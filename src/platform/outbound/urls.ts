// Checks URLs without resolving names: when a URL is saved and again on every call. The URL parser converts every
// spelling of an address (decimal, octal, hex, short, percent-encoded, full-width) to the canonical one, so only its
// result is checked. Names are checked at connect time, by the addresses they resolve to.
import { isIPv4 } from 'node:net'
import { type GuardPolicy, getForbiddenReason } from './policy.ts'

export type UrlCheck = { ok: true; url: URL } | { ok: false; code: UrlErrorCode; message: string }
type UrlErrorCode = 'invalid_url' | 'forbidden_address'

const maxUrlLength = 8192
const localNames = new Set(['localhost', 'ip6-localhost', 'ip6-loopback', 'localhost.localdomain'])

export function checkUrl(policy: GuardPolicy, text: string): UrlCheck {
  if (typeof text !== 'string' || text.length > maxUrlLength)
    return invalid(`a URL has at most ${maxUrlLength} characters`)
  // The parser would drop these characters silently.
  if (/[\u0000-\u0020\u007f]/.test(text)) return invalid('a URL has no spaces or control characters')
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return invalid('a URL begins with http:// or https:// and a host')
  // Parsers disagree on backslashes.
  if (/^[^?#]*\\/.test(text)) return invalid('a URL has no backslashes before its query')
  if (!URL.canParse(text)) return invalid('not a valid URL')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || hasUserInfo(text)) {
    return invalid('a URL must not carry a user name or password')
  }
  if (url.port === '0') return invalid('port 0 cannot be called')
  return checkHost(policy, url)
}

function checkHost(policy: GuardPolicy, url: URL): UrlCheck {
  const literal = getLiteralAddress(url)
  const loopbackName = isLoopbackName(url.hostname)
  if (!literal && !loopbackName) return { ok: true, url }
  const reason = getForbiddenReason(policy, literal ?? '127.0.0.1', getPort(url))
  if (!reason) return { ok: true, url }
  const remedy = reason === 'loopback' ? '; the operator can allow it with OUTBOUND_LOOPBACK=on' : ''
  return {
    ok: false,
    code: 'forbidden_address',
    message: `${url.hostname} cannot be called: ${reason}${remedy}`,
  }
}

/** Returns the IP address of the URL without brackets, or null if it has a host name. */
export function getLiteralAddress(url: URL): string | null {
  const host = url.hostname
  if (host.startsWith('[')) return host.slice(1, -1)
  return isIPv4(host) ? host : null
}

/** `localhost` in its usual forms; these names never go to a resolver. */
export function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return localNames.has(name) || name.endsWith('.localhost')
}

export const getPort = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

// `http://@host` and `http://:@host` parse to empty credentials.
const hasUserInfo = (text: string) => /^[^:]+:\/\/[^/\\?#]*@/.test(text)

const invalid = (message: string): UrlCheck => ({ ok: false, code: 'invalid_url', message })

// Validates the methods and headers that users choose. Framing, routing and connection headers are reserved, so that a
// header can neither smuggle a second request nor select another virtual host.

const reservedHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const idempotentMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/
const value = /^[\t\x20-\x7e\x80-\xff]*$/
const maxHeaderBytes = 16 * 1024

export function findMethodError(method: string): string | null {
  return methods.has(method) ? null : `the method must be one of ${[...methods].join(', ')}`
}

/** Reports whether a request is repeated automatically when an idle connection turns out to be closed. */
export const isIdempotent = (method: string): boolean => idempotentMethods.has(method)

export function findHeadersError(headers: Record<string, string>): string | null {
  let bytes = 0
  for (const [name, text] of Object.entries(headers)) {
    const error = findHeaderError(name, text)
    if (error) return error
    bytes += name.length + text.length + 4
  }
  return bytes > maxHeaderBytes ? `the headers have more than ${maxHeaderBytes} bytes` : null
}

function findHeaderError(name: string, text: string): string | null {
  const lower = name.toLowerCase()
  if (!token.test(name)) return `${JSON.stringify(name)} is not a header name`
  if (reservedHeaders.has(lower) || lower.startsWith('proxy-')) return `the header ${lower} cannot be set`
  if (typeof text !== 'string' || !value.test(text)) {
    return `the header ${lower} has characters that a header cannot carry`
  }
  return null
}

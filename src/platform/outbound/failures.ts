// Failures of outbound calls, with stable codes. Messages are shown to the users who chose the URL, so they never
// contain an address that our resolver returned.

export type FailureCode =
  | 'invalid_url' // not an http(s) URL we would ever call
  | 'invalid_request' // method, header or limit refused before anything was sent
  | 'forbidden_address' // the address, or everything the name resolves to, is off limits
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout' // the connect or the total time ran out
  | 'closed' // the other side closed before the response was complete
  | 'response_too_large' // headers over the limit, or a streamed body over maxResponseBytes
  | 'invalid_response' // not HTTP
  | 'busy' // no connection slot became free in time; nothing was sent
  | 'aborted' // by the caller's signal
  | 'shut_down' // the client is closing

export class OutboundError extends Error {
  readonly code: FailureCode
  /** False when no byte of the request was written, so that repeating it is always safe. */
  readonly sent: boolean

  constructor(code: FailureCode, message: string, sent = true) {
    super(message)
    this.name = 'OutboundError'
    this.code = code
    this.sent = sent
  }
}

const knownFailures: Record<string, [FailureCode, string]> = {
  UND_ERR_HEADERS_OVERFLOW: ['response_too_large', 'the response headers are too large'],
  UND_ERR_INVALID_ARG: ['invalid_request', 'the request cannot be sent'],
  UND_ERR_NOT_SUPPORTED: ['invalid_request', 'the request cannot be sent'],
}

/** Converts an error of the exchange. `started` is true if the response had started. */
export function toExchangeFailure(error: unknown, started: boolean): OutboundError {
  if (error instanceof OutboundError) return error
  const { name = '', code = '', message = '' } = error as Error & { code?: string }
  const known = knownFailures[code]
  if (known) return new OutboundError(...known)
  if (isNotHttp({ name, code, message, started })) {
    return new OutboundError('invalid_response', 'the response is not valid HTTP/1.1')
  }
  if (code.startsWith('ERR_SSL_'))
    return new OutboundError('tls_failed', `the TLS connection failed (${code})`)
  return new OutboundError('closed', 'the connection was closed before the response was complete')
}

// The parser also fails when the connection closes within a message; that is reported as closed.
function isNotHttp(error: { name: string; code: string; message: string; started: boolean }): boolean {
  if (error.name === 'HTTPParserError') return !error.message.includes('EOF')
  if (error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return !error.started
  return error.code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')
}

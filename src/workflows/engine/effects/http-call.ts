/** The HTTP node's calls: through the guarded client, outside any transaction, with a limit on what is read. */
import type { Deps } from '../../../platform/deps.ts'
import type { HttpRequest, HttpResult, Json } from '../../nodes/node-type.ts'

const maxResponseBytes = 256 * 1024
const connectTimeoutMs = 5_000

export interface OutboundCall {
  tenantId: string
  idempotencyKey: string
  request: HttpRequest
}

export async function sendHttpRequest(
  deps: Deps,
  { tenantId, idempotencyKey, request }: OutboundCall,
): Promise<HttpResult> {
  const { method, url, headers, body, timeoutMs } = request
  const response = await deps.outbound.request({
    method,
    url,
    headers: { ...withoutIdempotencyKey(headers), 'idempotency-key': idempotencyKey },
    ...(body === null ? {} : { body }),
    timeoutMs,
    connectTimeoutMs: Math.min(timeoutMs, connectTimeoutMs),
    maxResponseBytes: maxResponseBytes,
    group: tenantId,
  })
  if (!response.ok)
    return response.code === 'timeout' || response.code === 'busy'
      ? { type: 'timeout' }
      : { type: 'error', code: response.code, message: response.message }
  if (response.truncated)
    return {
      type: 'error',
      code: 'response_too_large',
      message: `the response has more than ${maxResponseBytes} bytes`,
    }
  return {
    type: 'answered',
    status: response.status,
    headers: flattenHeaders(response.headers),
    body: parseBody(response.body.toString('utf8')),
  }
}

function withoutIdempotencyKey(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key'),
  )
}

function flattenHeaders(headers: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      sanitizeText(Array.isArray(value) ? value.join(', ') : value),
    ]),
  )
}

/** JSON as data, anything else as text that the database can keep. */
function parseBody(text: string): Json {
  const kept = sanitizeText(text)
  try {
    return JSON.parse(kept) as Json
  } catch {
    return kept
  }
}

function sanitizeText(text: string): string {
  return text.replaceAll('\u0000', '').replaceAll('\\u0000', '').toWellFormed()
}

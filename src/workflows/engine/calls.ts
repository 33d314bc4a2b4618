/** The HTTP node's calls: through the guarded client, outside any transaction, with a limit on what is read. */
import type { Deps } from '../../platform/deps.ts'
import type { HttpRequest, HttpResult, Json } from '../nodes/kind.ts'

const mostResponseBytes = 256 * 1024
const connectTimeoutMs = 5_000

export interface Call {
  tenantId: string
  idempotencyKey: string
  request: HttpRequest
}

export async function callOut(deps: Deps, { tenantId, idempotencyKey, request }: Call): Promise<HttpResult> {
  const { method, url, headers, body, timeoutMs } = request
  const response = await deps.outbound.request({
    method,
    url,
    headers: { ...withoutKey(headers), 'idempotency-key': idempotencyKey },
    ...(body === null ? {} : { body }),
    timeoutMs,
    connectTimeoutMs: Math.min(timeoutMs, connectTimeoutMs),
    maxResponseBytes: mostResponseBytes,
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
      message: `the response has more than ${mostResponseBytes} bytes`,
    }
  return {
    type: 'answered',
    status: response.status,
    headers: flat(response.headers),
    body: parsed(response.body.toString('utf8')),
  }
}

function withoutKey(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key'),
  )
}

function flat(headers: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      clean(Array.isArray(value) ? value.join(', ') : value),
    ]),
  )
}

/** JSON as data, anything else as text that the database can keep. */
function parsed(text: string): Json {
  const kept = clean(text)
  try {
    return JSON.parse(kept) as Json
  } catch {
    return kept
  }
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '').replaceAll('\\u0000', '').toWellFormed()
}

/** Sends the requests of the HTTP node: through the guarded client, outside a transaction, with a response size limit. */
import type { Deps } from '../../../platform/deps.ts'
import type { HttpRequest, HttpResult, Json } from '../../nodes/node-type.ts'
import { loadRequestSecrets, type RequestSecrets } from '../../secrets.ts'

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
  const secrets = await loadRequestSecrets(deps.db, deps.keys, tenantId, request.secrets ?? {})
  if (secrets.missing !== undefined) {
    const message = `the secret "${secrets.missing}" was deleted`
    return { type: 'error', code: 'secret_not_found', message }
  }
  const { method, url, headers, body, timeoutMs } = secrets.fill(request)
  const response = await deps.outbound.request({
    method,
    url,
    headers: { ...withoutIdempotencyKey(headers), 'idempotency-key': idempotencyKey },
    ...(body === null ? {} : { body }),
    timeoutMs,
    connectTimeoutMs: Math.min(timeoutMs, connectTimeoutMs),
    maxResponseBytes,
    group: tenantId,
  })
  if (!response.ok)
    return response.code === 'timeout' || response.code === 'busy'
      ? { type: 'timeout' }
      : { type: 'error', code: response.code, message: secrets.redact(response.message) }
  if (response.truncated)
    return {
      type: 'error',
      code: 'response_too_large',
      message: `the response exceeds ${maxResponseBytes} bytes`,
    }
  return {
    type: 'answered',
    status: response.status,
    headers: flattenHeaders(response.headers, secrets),
    body: parseBody(secrets.redact(response.body.toString('utf8'))),
  }
}

function withoutIdempotencyKey(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key'),
  )
}

function flattenHeaders(
  headers: Record<string, string | string[]>,
  secrets: RequestSecrets,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      sanitizeText(secrets.redact(Array.isArray(value) ? value.join(', ') : value)),
    ]),
  )
}

/** Parses JSON; any other body is returned as text. */
function parseBody(body: string): Json {
  const text = sanitizeText(body)
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Removes characters that PostgreSQL cannot store in JSON. */
function sanitizeText(text: string): string {
  return text.replaceAll('\u0000', '').replaceAll('\\u0000', '').toWellFormed()
}

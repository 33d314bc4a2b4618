/** Calls an endpoint: signed, limited in time and size, without redirects. Failures are returned, not thrown. */
import type { Deps } from '../../platform/deps.ts'
import type { OutboundResponse } from '../../platform/outbound/requests.ts'
import { withSpan } from '../../platform/tracing/tracing.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { buildSignedHeaders, type SigningSecret } from './sign.ts'

export interface Endpoint {
  url: string
  keys: readonly SigningSecret[]
}

export interface EndpointCall {
  eventId: string
  body: Buffer
  /** Calls of different groups do not share concurrency limits. */
  group: string
  signal?: AbortSignal
}

export interface CallResult {
  succeeded: boolean
  /** Nothing was sent because of local limits or shutdown. */
  notSent: boolean
  /** Aborted by shutdown. */
  interrupted: boolean
  responseStatus: number | null
  responseBody: string | null
  latencyMs: number | null
  errorText: string | null
  signedWith: number[]
  retryAfterMs: number | undefined
}

/** Result of an unexpected local error. */
export const internalFailure: CallResult = {
  succeeded: false,
  notSent: false,
  interrupted: false,
  responseStatus: null,
  responseBody: null,
  latencyMs: null,
  errorText: 'internal error',
  signedWith: [],
  retryAfterMs: undefined,
}

const timeoutMs = 15_000
const connectTimeoutMs = 10_000
const maxResponseBytes = 16 * 1024

type CallDeps = Pick<Deps, 'outbound' | 'clock' | 'tracing'>

export function callEndpoint(deps: CallDeps, endpoint: Endpoint, call: EndpointCall): Promise<CallResult> {
  const { tracing } = deps
  if (!tracing) return callOnce(deps, endpoint, call)
  const { hostname } = new URL(endpoint.url)
  const attributes = { 'server.address': hostname, 'parley.event_id': call.eventId }
  return withSpan(tracing, { name: 'webhook delivery', kind: 'client', attributes }, async span => {
    const result = await callOnce(deps, endpoint, call)
    if (result.responseStatus !== null) span.setAttribute('http.response.status_code', result.responseStatus)
    if (!result.succeeded) span.fail(String(result.responseStatus ?? 'no response'))
    return result
  })
}

async function callOnce(
  { outbound, clock }: CallDeps,
  endpoint: Endpoint,
  { eventId, body, group, signal }: EndpointCall,
): Promise<CallResult> {
  const now = clock.now()
  const timestamp = Math.floor(now.getTime() / 1000)
  const keys = endpoint.keys.filter(
    ({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime(),
  )
  const response = await outbound.request({
    method: 'POST',
    url: endpoint.url,
    headers: buildSignedHeaders(keys, { id: eventId, timestamp, body }),
    body,
    group,
    timeoutMs,
    connectTimeoutMs,
    maxResponseBytes,
    ...(signal ? { signal } : {}),
  })
  const signedWith = keys.map(key => key.version)
  return { ...toCallResult(response), signedWith, retryAfterMs: retryAfter(response, clock.now()) }
}

function toCallResult(response: OutboundResponse): Omit<CallResult, 'signedWith' | 'retryAfterMs'> {
  const { latencyMs } = response
  if (!response.ok) {
    const { code, message, status } = response
    const interrupted = code === 'aborted' || code === 'shut_down'
    const unsent = code === 'busy' || (interrupted && latencyMs === 0)
    const errorText = interrupted ? 'interrupted' : `${code}: ${message}`
    return {
      succeeded: false,
      notSent: unsent,
      interrupted,
      responseStatus: status ?? null,
      responseBody: null,
      latencyMs,
      errorText,
    }
  }
  const { status } = response
  const arrived = status >= 200 && status < 300
  return {
    succeeded: arrived,
    notSent: false,
    interrupted: false,
    responseStatus: status,
    responseBody: toText(response.body),
    latencyMs,
    errorText: arrived ? null : describeStatus(status),
  }
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `the endpoint answered ${status}; redirects are not followed`
  return `the endpoint answered ${status}`
}

/** Decodes the body without a partial last character and without NUL, which PostgreSQL cannot store. */
function toText(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true }).replaceAll('\0', '\ufffd')
}

function retryAfter(response: OutboundResponse, now: Date): number | undefined {
  return response.ok ? parseRetryAfter(response.headers['retry-after'], now) : undefined
}

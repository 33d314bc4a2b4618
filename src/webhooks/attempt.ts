/** One call to a receiver: signed, bounded in time and size, never redirected, and never an exception. */
import type { Deps } from '../platform/deps.ts'
import type { OutboundResponse } from '../platform/outbound/requests.ts'
import { inSpan } from '../platform/tracing/tracing.ts'
import { retryAfterOf } from './schedule.ts'
import { type SigningSecret, signedHeaders } from './sign.ts'

export interface Receiver {
  url: string
  keys: readonly SigningSecret[]
}

export interface Call {
  eventId: string
  body: Buffer
  /** Calls of different groups do not wait for each other. */
  group: string
  signal?: AbortSignal
}

export interface Outcome {
  arrived: boolean
  /** Nothing was sent, for reasons of our own. */
  unsent: boolean
  /** Cut off by our own end. */
  interrupted: boolean
  responseStatus: number | null
  responseBody: string | null
  latencyMs: number | null
  errorText: string | null
  signedWith: number[]
  retryAfterMs: number | undefined
}

/** A fault of ours. */
export const unexplained: Outcome = {
  arrived: false,
  unsent: false,
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

type Means = Pick<Deps, 'outbound' | 'clock' | 'tracing'>

export function callReceiver(means: Means, receiver: Receiver, call: Call): Promise<Outcome> {
  const { tracing } = means
  if (!tracing) return callOnce(means, receiver, call)
  const { hostname } = new URL(receiver.url)
  const attributes = { 'server.address': hostname, 'parley.event_id': call.eventId }
  return inSpan(tracing, { name: 'webhook delivery', kind: 'client', attributes }, async span => {
    const outcome = await callOnce(means, receiver, call)
    if (outcome.responseStatus !== null) span.set('http.response.status_code', outcome.responseStatus)
    if (!outcome.arrived) span.fail(String(outcome.responseStatus ?? 'no answer'))
    return outcome
  })
}

async function callOnce(
  { outbound, clock }: Means,
  receiver: Receiver,
  { eventId, body, group, signal }: Call,
): Promise<Outcome> {
  const now = clock.now()
  const timestamp = Math.floor(now.getTime() / 1000)
  const keys = receiver.keys.filter(
    ({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime(),
  )
  const response = await outbound.request({
    method: 'POST',
    url: receiver.url,
    headers: signedHeaders(keys, { id: eventId, timestamp, body }),
    body,
    group,
    timeoutMs,
    connectTimeoutMs,
    maxResponseBytes,
    repeatable: true, // receivers deduplicate by webhook-id
    ...(signal ? { signal } : {}),
  })
  const signedWith = keys.map(key => key.version)
  return { ...judge(response), signedWith, retryAfterMs: retryAfter(response, clock.now()) }
}

function judge(response: OutboundResponse): Omit<Outcome, 'signedWith' | 'retryAfterMs'> {
  const { latencyMs } = response
  if (!response.ok) {
    const { code, message, status } = response
    const interrupted = code === 'aborted' || code === 'shut_down'
    const unsent = code === 'busy' || (interrupted && latencyMs === 0)
    const errorText = interrupted ? 'interrupted' : `${code}: ${message}`
    return {
      arrived: false,
      unsent,
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
    arrived,
    unsent: false,
    interrupted: false,
    responseStatus: status,
    responseBody: textOf(response.body),
    latencyMs,
    errorText: arrived ? null : refusal(status),
  }
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `the receiver answered ${status}; redirects are not followed`
  return `the receiver answered ${status}`
}

/** As text, without half a character at the cut and without what a database cannot hold. */
function textOf(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true }).replaceAll('\0', '\ufffd')
}

function retryAfter(response: OutboundResponse, now: Date): number | undefined {
  return response.ok ? retryAfterOf(response.headers['retry-after'], now) : undefined
}

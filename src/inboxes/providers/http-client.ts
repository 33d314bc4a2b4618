/**
 * Calls to providers, whose addresses the operator configured. What matters is what a failure means: refused before a
 * byte of the request left, it may simply be tried again; cut off later, the provider may have accepted it.
 * Redirects are not followed: nothing but the configured address is ever called with a token.
 */
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, request } from 'undici'
import type { Account, Failure, SendResult } from '../provider.ts'

export interface ProviderCall {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer | Readable
  timeoutMs?: number | undefined
  mayCall?: Account['mayCall'] | undefined
}

export interface ProviderResponse {
  status: number
  text: string
  /** What the provider asks us to wait. */
  retryAfterMs: number | undefined
}

const maxResponseBytes = 4 * 1024 * 1024
export const agent = new Agent({
  connections: 128,
  pipelining: 1,
  keepAliveTimeout: 4_000,
  connect: { timeout: 5_000 },
})

/** The provider's clock is not ours, and the times it shows have no milliseconds. */
export const clockSkewMs = 10_000

export class ProviderCallError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Names of what goes wrong while connecting: no address, no route, nobody there, a certificate we do not trust. */
const notSentCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|EPROTO|\w*CERT\w*|ERR_TLS_\w+|UNABLE_TO_\w+|ERR_SSL_\w+)$/

const leaseLost = (): ProviderCallError =>
  new ProviderCallError({ kind: 'retryable', code: 'taken_over', message: 'another worker has taken over' })

interface GuardedOptions extends Dispatcher.DispatchOptions {
  mayCall?: () => boolean
}

/** What waited for a connection, or stood still with its process, may be somebody else's by now: then nothing is written. */
const guardedAgent = agent.compose(dispatch => (options: GuardedOptions, handler) => {
  const { mayCall } = options
  if (!mayCall) return dispatch(options, handler)
  return dispatch(options, {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context)
      if (!mayCall()) controller.abort(leaseLost())
    },
    onResponseStart: (...told) => handler.onResponseStart?.(...told),
    onResponseData: (...told) => handler.onResponseData?.(...told),
    onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
    onResponseError: (...told) => handler.onResponseError?.(...told),
  })
})

export async function callProvider(call: ProviderCall): Promise<ProviderResponse> {
  const { method, url, headers, body, timeoutMs = 15_000, mayCall } = call
  try {
    const answer = await request(url, {
      dispatcher: guardedAgent,
      ...(mayCall ? { mayCall } : {}),
      method,
      headers: headers ?? {},
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'])
    return { status: answer.statusCode, text: await readBounded(answer.body), retryAfterMs }
  } catch (error) {
    throw error instanceof ProviderCallError ? error : new ProviderCallError(toFailure(error))
  }
}

function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3_600) * 1000 : undefined
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxResponseBytes)
      throw new ProviderCallError({
        kind: 'uncertain',
        code: 'provider_error',
        message: 'the answer of the provider is too large',
      })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function toFailure(error: unknown): Failure {
  const { code, name } = error as { code?: string; name?: string }
  if (notSentCodes.test(code ?? ''))
    return {
      kind: 'retryable',
      code: 'provider_unreachable',
      message: `the provider cannot be reached (${code})`,
    }
  const reason = name === 'TimeoutError' ? 'did not answer in time' : `broke the connection (${code ?? name})`
  return { kind: 'uncertain', code: 'provider_silent', message: `the provider ${reason}` }
}

/** Where nothing was asked for that could happen twice, what is uncertain can simply be tried again. */
export async function asIdempotent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderCallError && error.failure.kind === 'uncertain')
      throw new ProviderCallError({ ...error.failure, kind: 'retryable' })
    throw error
  }
}

/** A send by its outcome: the provider's id of the message, or why there is none. */
export async function toSendResult(work: () => Promise<string>): Promise<SendResult> {
  try {
    return { ok: true, channelMessageId: await work() }
  } catch (error) {
    if (error instanceof ProviderCallError) return { ok: false, failure: error.failure }
    throw error
  }
}

/** Two addresses of one origin: what decides whether a token may go along. */
export function isSameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin
}

/** The provider accepted, and did not say as what. */
export const missingMessageId = (): ProviderCallError =>
  new ProviderCallError({
    kind: 'uncertain',
    code: 'provider_error',
    message: 'the provider accepted without telling an id',
  })

export const missingToken = (): ProviderCallError =>
  new ProviderCallError({
    kind: 'auth',
    code: 'auth_expired',
    message: 'there are no credentials for this inbox',
  })

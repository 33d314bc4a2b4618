/**
 * HTTP client for providers, whose base URLs the operator configured. Failures are classified by what is safe next: if
 * no byte of the request was sent, a retry is safe; after that, the provider may have accepted it.
 * Redirects are not followed: tokens are sent to the configured URL only.
 */
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, request } from 'undici'
import type { Account, Failure, SendResult } from './provider.ts'

export interface ProviderCall {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer | Readable
  timeoutMs?: number | undefined
  holdsLease?: Account['holdsLease'] | undefined
}

export interface ProviderResponse {
  status: number
  text: string
  retryAfterMs: number | undefined
}

const maxResponseBytes = 4 * 1024 * 1024
export const agent = new Agent({
  connections: 128,
  pipelining: 1,
  keepAliveTimeout: 4_000,
  connect: { timeout: 5_000 },
})

/** Tolerance for clock differences and for timestamps without milliseconds. */
export const clockSkewMs = 10_000

export class ProviderCallError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Error codes of failures before the request is sent: DNS, routing, connection refused, untrusted certificate. */
const notSentCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|EPROTO|\w*CERT\w*|ERR_TLS_\w+|UNABLE_TO_\w+|ERR_SSL_\w+)$/

const leaseLost = (): ProviderCallError =>
  new ProviderCallError({ kind: 'retryable', code: 'taken_over', message: 'the lease of the job was lost' })

interface GuardedOptions extends Dispatcher.DispatchOptions {
  holdsLease?: () => boolean
}

/** Aborts a request whose job lost its lease while waiting for a connection or while the process was suspended. */
const guardedAgent = agent.compose(dispatch => (options: GuardedOptions, handler) => {
  const { holdsLease } = options
  if (!holdsLease) return dispatch(options, handler)
  return dispatch(options, {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context)
      if (!holdsLease()) controller.abort(leaseLost())
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  })
})

export async function callProvider(call: ProviderCall): Promise<ProviderResponse> {
  const { method, url, headers, body, timeoutMs = 15_000, holdsLease } = call
  try {
    const response = await request(url, {
      dispatcher: guardedAgent,
      ...(holdsLease ? { holdsLease } : {}),
      method,
      headers: headers ?? {},
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'])
    return { status: response.statusCode, text: await readBounded(response.body), retryAfterMs }
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
        message: 'the response of the provider is too large',
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
  const reason =
    name === 'TimeoutError' ? 'did not respond in time' : `closed the connection (${code ?? name})`
  return { kind: 'uncertain', code: 'provider_silent', message: `the provider ${reason}` }
}

/** Runs an idempotent call: an uncertain failure becomes retryable. */
export async function asIdempotent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderCallError && error.failure.kind === 'uncertain')
      throw new ProviderCallError({ ...error.failure, kind: 'retryable' })
    throw error
  }
}

export async function orFailure<T>(work: Promise<T>): Promise<T | { ok: false; failure: Failure }> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProviderCallError) return { ok: false, failure: error.failure }
    throw error
  }
}

export const toSendResult = (work: () => Promise<string>): Promise<SendResult> =>
  orFailure(work().then(channelMessageId => ({ ok: true, channelMessageId })))

export function isSameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin
}

export const missingMessageId = (): ProviderCallError =>
  new ProviderCallError({
    kind: 'uncertain',
    code: 'provider_error',
    message: 'the provider accepted the message without returning an id',
  })

export const missingToken = (): ProviderCallError =>
  new ProviderCallError({
    kind: 'auth',
    code: 'auth_expired',
    message: 'the inbox has no credentials',
  })

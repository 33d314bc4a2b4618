// Runs one call: waits for a slot, reuses or opens a connection, exchanges request and response, releases both.
// Nothing of a call outlives its timeout.
import { type Connection, type ConnectionLimits, createConnection, type ResponseEnd } from './connection.ts'
import { type Dialer, dial } from './dial.ts'
import { type FailureCode, OutboundError } from './failures.ts'
import { findHeadersError, findMethodError, isIdempotent } from './headers.ts'
import type { Pool, Slot } from './pool.ts'
import type { OutboundRequest } from './requests.ts'
import type { HeadSink } from './response-sinks.ts'
import { checkUrl } from './urls.ts'

export interface ClientContext {
  dialer: Dialer
  pool: Pool
  limits: ConnectionLimits
  userAgent: string
}

export interface CallHandle {
  abortController: AbortController
  onStart(): void
}

const maxTimerMs = 2 ** 31 - 1

/** Runs the call. Calls `onStart` when the exchange begins. Throws OutboundError. */
export async function runCall(
  context: ClientContext,
  request: OutboundRequest,
  sink: HeadSink,
  handle: CallHandle,
): Promise<ResponseEnd> {
  const url = checkRequest(context, request)
  const { abortController: cancel } = handle
  const unlink = linkSignal(request.signal, cancel)
  let stopTimer = startTimer(cancel, request.waitMs ?? request.timeoutMs, 'busy', 'no free connection')
  let slot: Slot | undefined
  let connection: Connection | undefined
  try {
    slot = await context.pool.acquire(`${request.group ?? ''} ${url.origin}`, cancel.signal)
    stopTimer()
    stopTimer = startTimer(cancel, request.timeoutMs, 'timeout', 'no complete response')
    handle.onStart()
    const result = await exchange({ context, request, sink, url, slot, abortController: cancel })
    connection = result.connection
    return result.ending
  } finally {
    stopTimer()
    unlink()
    slot?.release(connection)
  }
}

function checkRequest(context: ClientContext, request: OutboundRequest): URL {
  const error = findMethodError(request.method) ?? findHeadersError(request.headers ?? {})
  if (error) throw new OutboundError('invalid_request', error, false)
  const checked = checkUrl(context.dialer.policy, request.url)
  if (!checked.ok) throw new OutboundError(checked.code, checked.message, false)
  return checked.url
}

function linkSignal(signal: AbortSignal | undefined, abortController: AbortController): () => void {
  const onAbort = () => abortController.abort(new OutboundError('aborted', 'the call was aborted'))
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort)
  return () => signal?.removeEventListener('abort', onAbort)
}

function startTimer(
  abortController: AbortController,
  ms: number,
  code: FailureCode,
  problem: string,
): () => void {
  const onTimeout = () =>
    abortController.abort(new OutboundError(code, `${problem} within ${ms} ms`, code === 'timeout'))
  const timer = setTimeout(onTimeout, Math.min(ms, maxTimerMs))
  return () => clearTimeout(timer)
}

interface Attempt {
  context: ClientContext
  request: OutboundRequest
  sink: HeadSink
  url: URL
  slot: Slot
  abortController: AbortController
}

async function exchange(attempt: Attempt): Promise<{ ending: ResponseEnd; connection?: Connection }> {
  for (;;) {
    const reused = attempt.slot.reuse()
    const connection = reused ?? (await openConnection(attempt))
    try {
      const ending = await connection.send(
        buildRequest(attempt),
        attempt.sink,
        attempt.abortController.signal,
      )
      if (ending === 'whole') return { ending, connection }
      connection.destroy()
      return { ending }
    } catch (error) {
      connection.destroy()
      if (!reused || !canRepeat(error, attempt)) throw error
    }
  }
}

// A server may close an idle connection at the moment we write to it.
function canRepeat(error: unknown, { request, sink: receiver }: Attempt): boolean {
  if (!(error instanceof OutboundError) || error.code !== 'closed' || receiver.head()) return false
  return !error.sent || isIdempotent(request.method)
}

async function openConnection({
  context: means,
  request,
  url,
  abortController: cancel,
}: Attempt): Promise<Connection> {
  const timeoutMs = request.connectTimeoutMs
  const stopTimer = startTimer(cancel, timeoutMs, 'timeout', 'no connection')
  try {
    const socket = await dial(means.dialer, url, { timeoutMs, signal: cancel.signal })
    return createConnection(url.origin, socket, means.limits)
  } finally {
    stopTimer()
  }
}

function buildRequest({ context: means, request, url }: Attempt) {
  const headers: Record<string, string> = { ...request.headers, 'accept-encoding': 'identity' }
  if (!Object.keys(headers).some(name => name.toLowerCase() === 'user-agent'))
    headers['user-agent'] = means.userAgent
  return { method: request.method, path: url.pathname + url.search, headers, body: request.body }
}

// One call from beginning to end: wait for a slot, take or open a connection, exchange, give everything back.
// However it ends, nothing of it outlives its clock.
import { type Connection, type ConnectionLimits, createConnection, type Ending } from './connection.ts'
import { type Dialer, dial } from './dial.ts'
import { type FailureCode, OutboundError } from './failures.ts'
import { headersFault, isRepeatable, methodFault } from './headers.ts'
import type { Pool, Slot } from './pool.ts'
import type { Receiving } from './receivers.ts'
import type { OutboundRequest } from './requests.ts'
import { checkUrl } from './urls.ts'

export interface Means {
  dialer: Dialer
  pool: Pool
  limits: ConnectionLimits
  userAgent: string
}

/** The running call, seen from outside. */
export interface Handle {
  cancel: AbortController
  began(): void
}

const longestTimer = 2 ** 31 - 1

/** Runs the call; throws an OutboundError. `began` is called once the exchange begins. */
export async function call(
  means: Means,
  request: OutboundRequest,
  receiver: Receiving,
  handle: Handle,
): Promise<Ending> {
  const url = checkRequest(means, request)
  const { cancel } = handle
  const unfollow = follow(request.signal, cancel)
  let stopTimer = startTimer(cancel, request.waitMs ?? request.timeoutMs, 'busy', 'no free connection')
  let slot: Slot | undefined
  let connection: Connection | undefined
  try {
    slot = await means.pool.acquire(`${request.group ?? ''} ${url.origin}`, cancel.signal)
    stopTimer()
    stopTimer = startTimer(cancel, request.timeoutMs, 'timeout', 'no complete response')
    handle.began()
    const done = await exchange({ means, request, receiver, url, slot, cancel })
    connection = done.connection
    return done.ending
  } finally {
    stopTimer()
    unfollow()
    slot?.release(connection)
  }
}

function checkRequest(means: Means, request: OutboundRequest): URL {
  const fault = methodFault(request.method) ?? headersFault(request.headers ?? {})
  if (fault) throw new OutboundError('invalid_request', fault, false)
  const checked = checkUrl(means.dialer.policy, request.url)
  if (!checked.ok) throw new OutboundError(checked.code, checked.message, false)
  return checked.url
}

function follow(signal: AbortSignal | undefined, cancel: AbortController): () => void {
  const onAbort = () => cancel.abort(new OutboundError('aborted', 'the call was aborted'))
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort)
  return () => signal?.removeEventListener('abort', onAbort)
}

function startTimer(cancel: AbortController, ms: number, code: FailureCode, what: string): () => void {
  const late = () => cancel.abort(new OutboundError(code, `${what} within ${ms} ms`, code === 'timeout'))
  const timer = setTimeout(late, Math.min(ms, longestTimer))
  return () => clearTimeout(timer)
}

interface Attempt {
  means: Means
  request: OutboundRequest
  receiver: Receiving
  url: URL
  slot: Slot
  cancel: AbortController
}

async function exchange(attempt: Attempt): Promise<{ ending: Ending; connection?: Connection }> {
  for (;;) {
    const kept = attempt.slot.reuse()
    const connection = kept ?? (await open(attempt))
    try {
      const ending = await connection.send(sending(attempt), attempt.receiver, attempt.cancel.signal)
      if (ending === 'whole') return { ending, connection }
      connection.destroy()
      return { ending }
    } catch (error) {
      connection.destroy()
      if (!kept || !mayRepeat(error, attempt)) throw error
    }
  }
}

// A server may close a kept connection in the very moment we write to it.
function mayRepeat(error: unknown, { request, receiver }: Attempt): boolean {
  if (!(error instanceof OutboundError) || error.code !== 'closed' || receiver.head()) return false
  return !error.sent || (request.repeatable ?? isRepeatable(request.method))
}

async function open({ means, request, url, cancel }: Attempt): Promise<Connection> {
  const timeoutMs = request.connectTimeoutMs
  const stopTimer = startTimer(cancel, timeoutMs, 'timeout', 'no connection')
  try {
    const socket = await dial(means.dialer, url, { timeoutMs, signal: cancel.signal })
    return createConnection(url.origin, socket, means.limits)
  } finally {
    stopTimer()
  }
}

function sending({ means, request, url }: Attempt) {
  const headers: Record<string, string> = { ...request.headers, 'accept-encoding': 'identity' }
  if (!Object.keys(headers).some(name => name.toLowerCase() === 'user-agent'))
    headers['user-agent'] = means.userAgent
  return { method: request.method, path: url.pathname + url.search, headers, body: request.body }
}

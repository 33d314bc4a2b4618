// One connection that carries one request at a time. undici frames the HTTP on a socket that dial.ts has checked and
// opened. A connection that lost its socket never opens another.
import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { OutboundError, toExchangeFailure } from './failures.ts'

export interface Connection {
  send(request: ConnectionRequest, sink: ResponseSink, signal: AbortSignal): Promise<ResponseEnd>
  isAlive(): boolean
  /** Called when the socket has closed; a later listener replaces an earlier one. */
  onClosed(listener: () => void): void
  destroy(): void
}

interface ConnectionRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

/** Receives the response as it arrives; `data` returns false to stop it. */
export interface ResponseSink {
  start(status: number, headers: ResponseHeaders, flow: Flow): void
  data(chunk: Buffer): boolean
}

/** Names in lower case; a list if a field is repeated. */
export type ResponseHeaders = Record<string, string | string[]>

export type Flow = Pick<Dispatcher.DispatchController, 'pause' | 'resume'>

/** `whole`: the response was read to its end and the connection can be reused. `cut`: the sink stopped it. */
export type ResponseEnd = 'whole' | 'cut'

export interface ConnectionLimits {
  maxHeaderBytes: number
  idleMs: number
}

export function createConnection(origin: string, socket: Socket, limits: ConnectionLimits): Connection {
  const client = new Client(origin, {
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: limits.maxHeaderBytes,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    headersTimeout: 0, // runCall() has one timer for the whole call
    bodyTimeout: 0,
    connect: useSocketOnce(socket),
  })
  let notifyClosed = () => {}
  socket.once('close', () => notifyClosed())
  return {
    send: (request, sink, signal) => sendRequest(client, request, sink, signal),
    isAlive: () => !client.destroyed && !socket.destroyed && socket.readable && socket.writable,
    onClosed(listener) {
      notifyClosed = listener
    },
    destroy() {
      client.destroy().catch(() => {})
      socket.destroy()
    },
  }
}

function useSocketOnce(socket: Socket): buildConnector.connector {
  let used = false
  return (_options, callback) => {
    const closed = new OutboundError('closed', 'the kept connection was closed', false)
    const respond = used ? () => callback(closed, null) : () => callback(null, socket)
    used = true
    // A client that is called back synchronously never writes.
    queueMicrotask(respond)
  }
}

function sendRequest(
  client: Client,
  request: ConnectionRequest,
  sink: ResponseSink,
  signal: AbortSignal,
): Promise<ResponseEnd> {
  return new Promise((resolve, reject) => {
    let started = false
    let settled = false
    const end = (settle: () => void) => {
      settled = true
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(signal.reason))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(controller, status, headers) {
        if (settled || status < 200) return
        started = true
        sink.start(status, headers as ResponseHeaders, controller)
      },
      onResponseData(controller, chunk) {
        if (settled || sink.data(chunk)) return
        end(() => resolve('cut'))
        controller.abort(new Error('cut'))
      },
      onResponseEnd() {
        if (!settled) end(() => resolve('whole'))
      },
      onResponseError(_controller, error) {
        if (!settled) end(() => reject(toExchangeFailure(error, started)))
      },
    })
  })
}

// One connection that carries one request at a time. undici frames the bytes; the socket was opened and judged by
// dial.ts, and a connection that lost its socket never opens another.
import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { exchangeFailure, OutboundError } from './failures.ts'

export interface Connection {
  send(request: Sending, receiver: Receiver, signal: AbortSignal): Promise<Ending>
  isAlive(): boolean
  /** Called when the socket has closed; a later listener replaces an earlier one. */
  onGone(listener: () => void): void
  destroy(): void
}

interface Sending {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

/** Takes the response as it arrives; `data` answers false when it wants no more of it. */
export interface Receiver {
  start(status: number, headers: ResponseHeaders, flow: Flow): void
  data(chunk: Buffer): boolean
}

/** Names in lower case; a list where a field came more than once. */
export type ResponseHeaders = Record<string, string | string[]>

export type Flow = Pick<Dispatcher.DispatchController, 'pause' | 'resume'>

/** `whole`: the response was read to its end, and the connection may be used again. `cut`: the receiver stopped it. */
export type Ending = 'whole' | 'cut'

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
    headersTimeout: 0, // one clock for the whole call runs outside
    bodyTimeout: 0,
    connect: giveOnce(socket),
  })
  let gone = () => {}
  socket.once('close', () => gone())
  return {
    send: (request, receiver, signal) => send(client, request, receiver, signal),
    isAlive: () => !client.destroyed && !socket.destroyed && socket.readable && socket.writable,
    onGone(listener) {
      gone = listener
    },
    destroy() {
      client.destroy().catch(() => {})
      socket.destroy()
    },
  }
}

function giveOnce(socket: Socket): buildConnector.connector {
  let given = false
  return (_options, callback) => {
    const gone = new OutboundError('closed', 'the kept connection was closed', false)
    const answer = given ? () => callback(gone, null) : () => callback(null, socket)
    given = true
    // A client that is called back at once, inside its own loop, never gets to write.
    queueMicrotask(answer)
  }
}

function send(client: Client, request: Sending, receiver: Receiver, signal: AbortSignal): Promise<Ending> {
  return new Promise((resolve, reject) => {
    let begun = false
    let over = false
    const end = (settle: () => void) => {
      over = true
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(signal.reason))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(controller, status, headers) {
        if (over || status < 200) return
        begun = true
        receiver.start(status, headers as ResponseHeaders, controller)
      },
      onResponseData(controller, chunk) {
        if (over || receiver.data(chunk)) return
        end(() => resolve('cut'))
        controller.abort(new Error('cut'))
      },
      onResponseEnd() {
        if (!over) end(() => resolve('whole'))
      },
      onResponseError(_controller, error) {
        if (!over) end(() => reject(exchangeFailure(error, begun)))
      },
    })
  })
}

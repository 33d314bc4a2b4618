/**
 * Manages open sockets. A socket is closed immediately when its caller loses access, and terminated when it does not
 * answer the heartbeat. No state is kept for clients: missed events are read again by sequence number.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Deps } from '../platform/deps.ts'
import { getLatestSeq } from '../platform/events/log.ts'
import { onAdvanced } from '../platform/events/notify.ts'
import type { Authenticate, Caller } from '../platform/http/caller.ts'
import { idType } from '../platform/ids.ts'
import { closeCodes } from './frames.ts'
import { redeemTicket } from './tickets.ts'
import { createUnreadNotifier } from './unread-notifier.ts'
import { createWorkspaceStream, type Socket, send, type WorkspaceStream } from './workspace-stream.ts'

export interface RealtimeOptions {
  authenticate: Authenticate
  /** Returns the unread counts of the caller, with their version. */
  unread: (caller: Caller) => Promise<object>
  /** Subscribes to changes of access in a workspace; returns an unsubscribe function. */
  onAccessChanged: (listener: (tenantId: string) => void) => () => void
  heartbeatMs?: number
}

export interface Realtime {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  count(): number
  stop(): Promise<void>
}

const ConnectionId = idType('rts')
const defaultHeartbeatMs = 25_000

export function startRealtime(deps: Deps, options: RealtimeOptions): Realtime {
  const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  const streams = new Map<string, WorkspaceStream>()
  const heartbeatMs = options.heartbeatMs ?? defaultHeartbeatMs
  const scheduleUnreadCount = createUnreadNotifier(deps, options.unread)
  const reauthenticate = (tenantId: string) =>
    void reauthenticateAll(options.authenticate, streams.get(tenantId))
  const unsubscribers = [
    onAdvanced(
      deps.bus,
      heads => {
        for (const tenantId of Object.keys(heads)) streams.get(tenantId)?.wake()
      },
      () => {
        for (const stream of streams.values()) stream.wake()
      },
    ),
    options.onAccessChanged(reauthenticate),
  ]
  const heartbeat = setInterval(() => {
    for (const [tenantId, stream] of streams) {
      stream.sockets.forEach(ping)
      // Tokens also expire, and notifications between processes may be lost.
      reauthenticate(tenantId)
      stream.wake()
    }
  }, heartbeatMs)

  function getStream(tenantId: string, head: number): WorkspaceStream {
    const known = streams.get(tenantId) ?? createWorkspaceStream(deps, tenantId, head, scheduleUnreadCount)
    streams.set(tenantId, known)
    return known
  }

  async function join(ws: WebSocket, wire: Duplex, { token, caller, since }: AdmittedClient): Promise<void> {
    const socket: Socket = { ws, wire, token, caller, isAlive: true }
    const head = await getLatestSeq(deps.db, caller.tenantId)
    const stream = getStream(caller.tenantId, head)
    ws.on('pong', () => {
      socket.isAlive = true
    })
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      if (!stream.leave(socket) && streams.get(caller.tenantId) === stream) streams.delete(caller.tenantId)
    })
    send(
      socket,
      JSON.stringify({ type: 'hello', data: { session: ConnectionId.create(), seq: head, heartbeatMs } }),
    )
    await stream.join(socket, since, head)
    scheduleUnreadCount(socket)
  }

  return {
    upgrade(request, raw, head) {
      admit(deps, options, request).then(
        admitted =>
          server.handleUpgrade(request, raw, head, ws => {
            if (!admitted) ws.close(closeCodes.unauthenticated, 'a valid token or ticket is required')
            else join(ws, raw, admitted).catch(() => ws.terminate())
          }),
        () => raw.destroy(),
      )
    },
    count: () => [...streams.values()].reduce((sum, { sockets }) => sum + sockets.size, 0),
    async stop() {
      clearInterval(heartbeat)
      for (const end of unsubscribers) end()
      for (const { sockets } of streams.values())
        for (const { ws } of sockets) ws.close(closeCodes.restarting, 'restarting')
      server.close()
    },
  }
}

function ping(socket: Socket): void {
  if (!socket.isAlive) socket.ws.terminate()
  socket.isAlive = false
  socket.ws.ping()
}

async function reauthenticateAll(
  authenticate: Authenticate,
  follower: WorkspaceStream | undefined,
): Promise<void> {
  for (const socket of follower?.sockets ?? []) {
    const caller = await authenticate(socket.token).catch(() => socket.caller)
    if (caller) socket.caller = caller
    else socket.ws.close(closeCodes.unauthenticated, 'the token is no longer valid')
  }
}

interface AdmittedClient {
  token: string
  caller: Caller
  since: number | undefined
}

/** Authenticates a connection by its Authorization header or its ticket; undefined if neither is valid. */
async function admit(
  deps: Deps,
  { authenticate }: RealtimeOptions,
  request: IncomingMessage,
): Promise<AdmittedClient | undefined> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const ticket = query.get('ticket')
  const header = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const token = header ?? (ticket ? await redeemTicket(deps, ticket) : undefined)
  const caller = token ? await authenticate(token) : undefined
  if (!token || !caller?.scopes.has('user:read_self')) return undefined
  const since = query.get('since')
  return { token, caller, since: since !== null && /^\d{1,15}$/.test(since) ? Number(since) : undefined }
}

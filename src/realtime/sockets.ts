/**
 * Manages open sockets. A change of access applies to the next frame, a socket without access is closed, and one that
 * does not answer the heartbeat is terminated. The memory and work that a client can cause is limited. No state is kept
 * for clients: missed events are read again by sequence number.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { onWorkspaceMoved } from '../platform/db/moving.ts'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { getLatestSeq } from '../platform/events/log.ts'
import { onAdvanced } from '../platform/events/notify.ts'
import { onFrame } from '../platform/events/transient-frames.ts'
import type { Authenticate, Caller } from '../platform/http/caller.ts'
import { idType } from '../platform/ids.ts'
import { type AdmittedClient, admit, refuse } from './admission.ts'
import { createUnreadNotifier } from './counts/count-notifier.ts'
import { createViewCounts, type ViewCounter, type ViewCounts } from './counts/view-counts.ts'
import { canConnect, closeCodes, getHiddenConversation } from './frames.ts'
import { type ListVisible, type PlaceKind, toPlace } from './presence/places.ts'
import { Presence } from './presence/presence.ts'
import {
  createWorkspaceStream,
  hasBufferSpace,
  type Socket,
  type StreamListener,
  send,
  type WorkspaceStream,
} from './workspace-stream.ts'

export interface RealtimeOptions {
  /** Must not return cached callers: it is called when access has changed. */
  authenticate: Authenticate
  /** Returns the unread counts of the caller, with their version. */
  unread: (caller: Caller) => Promise<object>
  /** Counts the conversations of filters. */
  views: ViewCounter
  /** Return which of the conversations and workflows the caller may see. */
  listVisible: Record<PlaceKind, ListVisible>
  /** Subscribes to changes of access in one workspace or, without an id, in any; returns an unsubscribe function. */
  onAccessChanged: (listener: (tenantId?: string) => void) => () => void
  heartbeatMs?: number
  /** How long a client may take to answer that its connection is closed. */
  closeTimeoutMs?: number
  /** Returns the console's build, sent in the first frame. */
  getBuild?: () => string | undefined
  /** In this process. A user may have many windows; a service account needs few connections. */
  socketsPerCaller?: number
}

export interface Realtime {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  count(): number
  stop(): Promise<void>
}

const ConnectionId = idType('rts')
const defaultHeartbeatMs = 25_000
const accessCheckConcurrency = 8
const defaultSocketsPerCaller = 50
/** Pings and frames about presence and counts. */
const maxFramesPerHeartbeat = 1_000

const defaultCloseTimeoutMs = 5_000
const serverOptions = { noServer: true, maxPayload: 64 * 1024, autoPong: false }

export function startRealtime(deps: Deps, options: RealtimeOptions): Realtime {
  const closing = { closeTimeout: options.closeTimeoutMs ?? defaultCloseTimeoutMs }
  const server = new WebSocketServer({ ...serverOptions, ...closing })
  const streams = new Map<string, WorkspaceStream>()
  const reserve = limitPerCaller(options.socketsPerCaller ?? defaultSocketsPerCaller)
  const scheduleUnreadCount = createUnreadNotifier(deps, options.unread)
  const presence = new Presence(deps, options.listVisible)
  const { authenticate, heartbeatMs = defaultHeartbeatMs } = options
  const viewCounts = createViewCounts(deps, options.views)
  const access: AccessCheck = { authenticate, onChanged: recheck(presence, viewCounts) }
  const unsubscribers = followChanges(deps, options, access, streams)
  const listener: StreamListener = {
    onUnread: scheduleUnreadCount,
    onConversation: viewCounts.schedule,
    onHidden: (socket, event) => hideConversation(presence, socket, event),
  }
  const heartbeat = setInterval(() => {
    for (const stream of streams.values()) {
      stream.sockets.forEach(ping)
      // Tokens also expire, and notifications between processes may be lost.
      void checkAccessOfAll(access, stream.sockets)
      stream.wake()
    }
  }, heartbeatMs)

  function getStream(tenantId: string, head: number): WorkspaceStream {
    const known = streams.get(tenantId) ?? createWorkspaceStream(deps, tenantId, head, listener)
    streams.set(tenantId, known)
    return known
  }

  function open(ws: WebSocket, wire: Duplex, client: AdmittedClient | undefined): void {
    ws.on('error', () => ws.terminate())
    if (!client) ws.close(closeCodes.unauthenticated, 'a valid token, ticket or session cookie is required')
    else if (!canConnect(client.caller)) closeForbidden(ws)
    else if (!reserve(ws, client.caller)) ws.close(closeCodes.tooMany, 'too many connections of this caller')
    else join(ws, wire, client).catch(() => ws.terminate())
  }

  async function join(ws: WebSocket, wire: Duplex, { token, caller, since }: AdmittedClient): Promise<void> {
    const head = await getLatestSeq(deps.db, caller.tenantId)
    if (ws.readyState !== ws.OPEN) return
    const state = { isAlive: true, framesReceived: 0, position: head, accessCheck: Promise.resolve() }
    const socket: Socket = { ws, wire, token, caller, ...state }
    const stream = getStream(caller.tenantId, head)
    receiveFrames(socket, presence, viewCounts)
    ws.on('close', () => {
      presence.leave(socket)
      if (!stream.leave(socket) && streams.get(caller.tenantId) === stream) streams.delete(caller.tenantId)
    })
    const data = { session: ConnectionId.create(), seq: head, heartbeatMs, build: options.getBuild?.() }
    send(socket, JSON.stringify({ type: 'hello', data }))
    const joined = stream.join(socket, since)
    // A change of access between admission and joining notified nobody.
    await checkAccess(access, socket)
    await joined
    scheduleUnreadCount(socket)
  }

  return {
    upgrade(request, raw, head) {
      raw.on('error', () => raw.destroy())
      admit(deps, authenticate, request).then(
        client => server.handleUpgrade(request, raw, head, ws => open(ws, raw, client)),
        error => refuse(raw, error),
      )
    },
    count: () => [...streams.values()].reduce((sum, { sockets }) => sum + sockets.size, 0),
    async stop() {
      clearInterval(heartbeat)
      for (const end of unsubscribers) end()
      presence.stop()
      for (const { sockets } of streams.values())
        for (const { ws } of sockets) ws.close(closeCodes.restarting, 'restarting')
      server.close()
    },
  }
}

/** Reads the log when it advances, and checks the access of sockets when it changes. */
function followChanges(
  { bus, db }: Deps,
  { onAccessChanged }: RealtimeOptions,
  access: AccessCheck,
  streams: ReadonlyMap<string, WorkspaceStream>,
): (() => void)[] {
  return [
    onAdvanced(
      bus,
      heads => {
        for (const tenantId of Object.keys(heads)) streams.get(tenantId)?.wake()
      },
      () => {
        for (const stream of streams.values()) stream.wake()
      },
    ),
    onWorkspaceMoved(db, tenantId => {
      for (const { ws } of streams.get(tenantId)?.sockets ?? []) ws.close(closeCodes.restarting, 'moved')
    }),
    onFrame(bus, frame => streams.get(frame.tenantId)?.broadcastTransient(frame)),
    onAccessChanged(tenantId => {
      for (const [id, stream] of streams)
        if (tenantId === undefined || id === tenantId)
          stream.holdFor(checkAccessOfAll(access, stream.sockets))
    }),
  ]
}

/** Returns a function that counts a connection until it closes, or returns false if its caller has too many. */
function limitPerCaller(max: number): (ws: WebSocket, caller: Caller) => boolean {
  const openByCaller = new Map<string, number>()
  return (ws, { id }) => {
    const open = openByCaller.get(id) ?? 0
    if (open >= max) return false
    openByCaller.set(id, open + 1)
    ws.on('close', () => {
      const left = openByCaller.get(id)! - 1
      if (left > 0) openByCaller.set(id, left)
      else openByCaller.delete(id)
    })
    return true
  }
}

function ping(socket: Socket): void {
  if (!socket.isAlive) socket.ws.terminate()
  socket.isAlive = false
  socket.framesReceived = 0
  if (hasBufferSpace(socket)) socket.ws.ping()
}

function receiveFrames(socket: Socket, presence: Presence, viewCounts: ViewCounts): void {
  const { ws } = socket
  ws.on('pong', () => {
    socket.isAlive = true
  })
  ws.on('ping', data => {
    if (countFrame(socket) && hasBufferSpace(socket)) ws.pong(data)
  })
  ws.on('message', (data, isBinary) => {
    if (!countFrame(socket) || isBinary) return
    const frame = data.toString()
    if (!viewCounts.receive(socket, frame)) presence.receive(socket, frame)
  })
}

/** Closes a socket that sends too much and returns false. */
function countFrame(socket: Socket): boolean {
  if (++socket.framesReceived <= maxFramesPerHeartbeat) return true
  socket.ws.close(closeCodes.tooMany, 'too many frames')
  socket.ws.pause()
  return false
}

function recheck(presence: Presence, viewCounts: ViewCounts) {
  return (socket: Socket) => {
    presence.recheck(socket)
    viewCounts.schedule(socket)
  }
}

function hideConversation(presence: Presence, socket: Socket, event: LogEvent): void {
  const conversationId = getHiddenConversation(event)
  if (conversationId !== undefined) presence.hide(socket, toPlace('conversation', conversationId))
}

function closeForbidden(ws: WebSocket): void {
  ws.close(closeCodes.forbidden, 'the token needs user:read_self and conversation:read or contact:read')
}

interface AccessCheck {
  authenticate: Authenticate
  /** The role or teams of the socket's user have changed. */
  onChanged: (socket: Socket) => void
}

function isSameAccess(before: Caller, after: Caller): boolean {
  return before.role === after.role && before.teamIds.join() === after.teamIds.join()
}

/** Loads the callers again, a few at a time. */
async function checkAccessOfAll(access: AccessCheck, sockets: ReadonlySet<Socket>): Promise<void> {
  const waiting = [...sockets]
  await Promise.all(
    Array.from({ length: accessCheckConcurrency }, async () => {
      for (let socket = waiting.pop(); socket; socket = waiting.pop()) await checkAccess(access, socket)
    }),
  )
}

/** Checks of a socket run one after the other, so that the result of the last one stays. */
function checkAccess({ authenticate, onChanged }: AccessCheck, socket: Socket): Promise<void> {
  socket.accessCheck = socket.accessCheck.then(async () => {
    const before = socket.caller
    const caller = await authenticate(socket.token).catch(() => socket.caller)
    if (!caller) socket.ws.close(closeCodes.unauthenticated, 'the token is no longer valid')
    else if (!canConnect(caller)) closeForbidden(socket.ws)
    else socket.caller = caller
    if (caller && !isSameAccess(before, caller)) onChanged(socket)
  })
  return socket.accessCheck
}

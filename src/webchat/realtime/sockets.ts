/**
 * Sockets of visitors. A connection is admitted by a ticket; a visitor receives the frames of its own conversation and
 * nothing else. The memory and work that a client can cause is limited, and no state is kept for clients: missed frames
 * are read again by sequence number.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { onWorkspaceMoved } from '../../platform/db/moving.ts'
import type { Deps } from '../../platform/deps.ts'
import { getLatestSeq } from '../../platform/events/log.ts'
import { onAdvanced } from '../../platform/events/notify.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { readSince, refuse } from '../../realtime/admission.ts'
import { closeCodes } from '../../realtime/frames.ts'
import { hasBufferSpace, type LogStream, send } from '../../realtime/log-stream.ts'
import type { Realtime } from '../../realtime/sockets.ts'
import { redeemTicket } from '../../realtime/tickets.ts'
import { reportTyping } from '../messages/typing.ts'
import { findConversationOf } from '../visitors/sessions.ts'
import { findVisitor, findVisitorOfToken, onVisitorChanged, visitorToApi } from '../visitors/visitors.ts'
import { Audience, type VisitorSocket } from './audience.ts'
import { type AgentTyping, watchAgentTyping } from './typing.ts'
import { createVisitorStream } from './visitor-stream.ts'

export interface VisitorRealtimeOptions {
  heartbeatMs?: number
}

const defaultHeartbeatMs = 25_000
const maxFramesPerHeartbeat = 200
const socketsPerVisitor = 10
const checkConcurrency = 8
const serverOptions = { noServer: true, maxPayload: 4 * 1024, autoPong: false, closeTimeout: 5_000 }

interface Workspace {
  audience: Audience
  stream: LogStream<VisitorSocket>
}

export function startVisitorRealtime(deps: Deps, options: VisitorRealtimeOptions = {}): Realtime {
  const { heartbeatMs = defaultHeartbeatMs } = options
  const server = new WebSocketServer(serverOptions)
  const workspaces = new Map<string, Workspace>()
  const typing = watchAgentTyping(
    deps,
    (tenantId, id) => (workspaces.get(tenantId)?.audience.ofConversation(id).size ?? 0) > 0,
    frame => sendTyping(workspaces.get(frame.tenantId), frame),
  )
  const unsubscribers = [...followChanges(deps, workspaces), typing.stop]
  const heartbeat = setInterval(() => {
    for (const workspace of workspaces.values()) {
      workspace.stream.sockets.forEach(ping)
      void refreshAll(deps, workspace)
      workspace.stream.wake()
    }
  }, heartbeatMs)

  async function join(ws: WebSocket, wire: Duplex, visitor: Visitor, since: number | undefined) {
    const { tenantId } = visitor
    const [head, conversation] = await Promise.all([
      getLatestSeq(deps.db, tenantId),
      findConversationOf(deps, visitor),
    ])
    if (ws.readyState !== ws.OPEN) return
    const workspace = getWorkspace(deps, workspaces, tenantId, head)
    if (workspace.audience.ofVisitor(visitor.id).length >= socketsPerVisitor)
      return ws.close(closeCodes.tooMany, 'too many connections of this visitor')
    const state = { isAlive: true, framesReceived: 0, position: head }
    const socket: VisitorSocket = { ws, wire, visitor, conversationId: conversation?.id, ...state }
    workspace.audience.add(socket)
    receiveFrames(deps, socket)
    ws.on('close', () => leave(workspaces, workspace, socket))
    send(socket, JSON.stringify({ type: 'hello', data: { seq: head, heartbeatMs } }))
    await workspace.stream.join(socket, since)
    // The site may have identified the visitor between admission and joining.
    await refresh(deps, workspace, socket)
    typing.ask(tenantId)
  }

  function open(ws: WebSocket, wire: Duplex, visitor: Visitor | undefined, since: number | undefined): void {
    ws.on('error', () => ws.terminate())
    if (!visitor) ws.close(closeCodes.unauthenticated, 'a valid ticket is required')
    else join(ws, wire, visitor, since).catch(() => ws.terminate())
  }

  return {
    upgrade(request, raw, head) {
      raw.on('error', () => raw.destroy())
      const query = new URL(request.url ?? '/', 'http://localhost').searchParams
      admit(deps, query).then(
        ({ visitor, since }) => server.handleUpgrade(request, raw, head, ws => open(ws, raw, visitor, since)),
        error => refuse(raw, error, visitorSocketPath),
      )
    },
    count: () => [...workspaces.values()].reduce((sum, { stream }) => sum + stream.sockets.size, 0),
    async stop() {
      clearInterval(heartbeat)
      for (const end of unsubscribers) end()
      for (const { stream } of workspaces.values())
        for (const { ws } of stream.sockets) ws.close(closeCodes.restarting, 'restarting')
      server.close()
    },
  }
}

function getWorkspace(
  deps: Deps,
  workspaces: Map<string, Workspace>,
  tenantId: string,
  head: number,
): Workspace {
  const known = workspaces.get(tenantId)
  if (known) return known
  const audience = new Audience()
  const workspace = { audience, stream: createVisitorStream(deps, tenantId, head, audience) }
  workspaces.set(tenantId, workspace)
  return workspace
}

function leave(workspaces: Map<string, Workspace>, workspace: Workspace, socket: VisitorSocket): void {
  const { tenantId } = socket.visitor
  workspace.audience.remove(socket)
  if (!workspace.stream.leave(socket) && workspaces.get(tenantId) === workspace) workspaces.delete(tenantId)
}

/** Reads the log when it advances, and visitors again when they change. */
function followChanges(deps: Deps, workspaces: ReadonlyMap<string, Workspace>): (() => void)[] {
  return [
    onAdvanced(
      deps.bus,
      heads => {
        for (const tenantId of Object.keys(heads)) workspaces.get(tenantId)?.stream.wake()
      },
      () => {
        for (const { stream } of workspaces.values()) stream.wake()
      },
    ),
    onWorkspaceMoved(deps.db, tenantId => {
      for (const { ws } of workspaces.get(tenantId)?.stream.sockets ?? [])
        ws.close(closeCodes.restarting, 'moved')
    }),
    onVisitorChanged(deps.bus, ({ tenantId, address }) => {
      const workspace = workspaces.get(tenantId)
      for (const socket of workspace?.audience.ofAddress(address) ?? [])
        void refresh(deps, workspace!, socket).catch(() => socket.ws.terminate())
    }),
  ]
}

function sendTyping(workspace: Workspace | undefined, { conversationId, isTyping, name }: AgentTyping): void {
  const frame = JSON.stringify({ type: 'typing', data: { isTyping, name } })
  for (const socket of workspace?.audience.ofConversation(conversationId) ?? []) send(socket, frame)
}

/** The path of visitors' sockets. */
export const visitorSocketPath = '/v1/widget/realtime'

export const isVisitorSocket = ({ url }: IncomingMessage): boolean => url?.split('?')[0] === visitorSocketPath

async function admit(
  deps: Deps,
  query: URLSearchParams,
): Promise<{ visitor: Visitor | undefined; since: number | undefined }> {
  const ticket = query.get('ticket')
  const token = ticket ? await redeemTicket(deps, ticket) : undefined
  const visitor = token === undefined ? undefined : await findVisitorOfToken(deps, token)
  return { visitor, since: visitor && readSince(query) }
}

/** Reads the visitor again. Closes the socket of one that was deleted, such as with its inbox. */
async function refresh(deps: Deps, { audience }: Workspace, socket: VisitorSocket): Promise<void> {
  const visitor = await findVisitor(deps.db, socket.visitor.tenantId, socket.visitor.id)
  if (!visitor) return socket.ws.close(closeCodes.unauthenticated, 'the session has ended')
  const conversation = await findConversationOf(deps, visitor)
  if (socket.ws.readyState !== socket.ws.OPEN) return
  const isChanged = visitor.isBlocked !== socket.visitor.isBlocked
  audience.update(socket, visitor, conversation?.id)
  if (isChanged) send(socket, JSON.stringify({ type: 'visitor', data: visitorToApi(visitor) }))
}

/** A few at a time: notifications between processes may be lost, and inboxes are deleted. */
async function refreshAll(deps: Deps, workspace: Workspace): Promise<void> {
  const waiting = [...workspace.stream.sockets]
  await Promise.all(
    Array.from({ length: checkConcurrency }, async () => {
      for (let socket = waiting.pop(); socket; socket = waiting.pop())
        await refresh(deps, workspace, socket).catch(() => {})
    }),
  )
}

function ping(socket: VisitorSocket): void {
  if (!socket.isAlive) socket.ws.terminate()
  socket.isAlive = false
  socket.framesReceived = 0
  if (hasBufferSpace(socket)) socket.ws.ping()
}

function receiveFrames(deps: Deps, socket: VisitorSocket): void {
  const { ws } = socket
  ws.on('pong', () => {
    socket.isAlive = true
  })
  ws.on('ping', data => {
    if (countFrame(socket) && hasBufferSpace(socket)) ws.pong(data)
  })
  ws.on('message', (data, isBinary) => {
    if (!countFrame(socket) || isBinary) return
    const isTyping = readTyping(data.toString())
    if (isTyping !== undefined && !socket.visitor.isBlocked)
      reportTyping(deps, socket.visitor, isTyping).catch(error =>
        deps.log.warn({ err: error }, 'visitor typing was not shown'),
      )
  })
}

/** Other frames are ignored. */
function readTyping(text: string): boolean | undefined {
  try {
    const { type, data } = JSON.parse(text) as { type?: unknown; data?: { isTyping?: unknown } }
    return type === 'typing' && typeof data?.isTyping === 'boolean' ? data.isTyping : undefined
  } catch {
    return undefined
  }
}

/** Closes a socket that sends too much and returns false. */
function countFrame(socket: VisitorSocket): boolean {
  if (++socket.framesReceived <= maxFramesPerHeartbeat) return true
  socket.ws.close(closeCodes.tooMany, 'too many frames')
  socket.ws.pause()
  return false
}

/** The sockets of users and service accounts of one workspace in this process: who receives which event of its log. */
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import type { TransientFrame } from '../platform/events/transient-frames.ts'
import type { Caller } from '../platform/http/caller.ts'
import {
  affectsCounts,
  affectsUnread,
  canReceive,
  encodeTextFrame,
  getHiddenConversation,
  isHiddenNow,
  isPublished,
  toFrame,
  toHiddenFrame,
} from './frames.ts'
import { createLogStream, type LogStream, type StreamSocket, send, sendBytes } from './log-stream.ts'

export { hasBufferSpace, send } from './log-stream.ts'

export interface Socket extends StreamSocket {
  token: string
  caller: Caller
  isAlive: boolean
  /** Since the last heartbeat. */
  framesReceived: number
  /** The last check of the caller's access. */
  accessCheck: Promise<void>
}

export interface WorkspaceStream extends LogStream<Socket> {
  /** Sends a frame that is not in the log. */
  broadcastTransient(frame: TransientFrame): void
}

export interface StreamListener {
  /** The unread counts of the socket's user may have changed. */
  onUnread(socket: Socket): void
  /** A conversation changed, which the socket's user may or may not see. */
  onConversation(socket: Socket): void
  /** The socket's user may not receive the event. */
  onHidden(socket: Socket, event: LogEvent): void
}

export function createWorkspaceStream(
  deps: Deps,
  tenantId: string,
  start: number,
  listener: StreamListener,
): WorkspaceStream {
  const stream = createLogStream<Socket>(deps, tenantId, start, {
    prepare: () => (sockets, event) => {
      if (isPublished(event)) deliver(listener, sockets, event)
    },
    replay: socket => event => {
      if (!isPublished(event)) return []
      if (isReceiver(listener, socket, event)) return [toFrame(event)]
      return isHiddenNow(socket.caller, event) ? [toHiddenFrame(event)] : []
    },
  })
  return {
    ...stream,
    broadcastTransient: frame => sendTransient(stream.sockets, frame, deps.clock.now()),
  }
}

function deliver(listener: StreamListener, sockets: ReadonlySet<Socket>, event: LogEvent): void {
  const bytes = encodeTextFrame(toFrame(event))
  const changesUnread = affectsUnread(event)
  const changesCounts = affectsCounts(event)
  const isAboutConversation = getHiddenConversation(event) !== undefined
  for (const socket of sockets) {
    if (event.seq <= socket.position) continue
    const isAllowed = isReceiver(listener, socket, event)
    if (isAllowed) sendBytes(socket, bytes)
    else if (isHiddenNow(socket.caller, event)) send(socket, toHiddenFrame(event))
    if (isAllowed && changesUnread) listener.onUnread(socket)
    // A conversation that became hidden leaves the views of the user.
    if (changesCounts && (isAllowed || isAboutConversation)) listener.onConversation(socket)
  }
}

function isReceiver({ onHidden }: StreamListener, socket: Socket, event: LogEvent): boolean {
  if (canReceive(socket.caller, event)) return true
  onHidden(socket, event)
  return false
}

function sendTransient(sockets: ReadonlySet<Socket>, transient: TransientFrame, now: Date): void {
  const { type, data } = transient
  const frame = JSON.stringify({ type, timestamp: now.toISOString(), data })
  for (const socket of sockets) if (canReceiveTransient(socket.caller, transient)) send(socket, frame)
}

function canReceiveTransient(caller: Caller, { scope, userIds, teamIds }: TransientFrame): boolean {
  if (!caller.scopes.has(scope) || (userIds && !userIds.includes(caller.id))) return false
  return !teamIds || caller.role !== 'agent' || teamIds.some(id => caller.teamIds.includes(id))
}

/**
 * The sockets of one workspace in this process; they follow its event log together. A socket that joins first receives
 * the events it missed, then continues with the others. Its position ensures that it receives no event twice.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { getLatestSeq, getOldestSeq, readLog } from '../platform/events/log.ts'
import type { TransientFrame } from '../platform/events/transient-frames.ts'
import type { Caller } from '../platform/http/caller.ts'
import {
  affectsUnread,
  canReceive,
  closeCodes,
  encodeTextFrame,
  getHiddenConversation,
  isPublished,
  toFrame,
} from './frames.ts'

export interface Socket {
  ws: WebSocket
  /** The stream below the WebSocket. */
  wire: Duplex
  token: string
  caller: Caller
  isAlive: boolean
  /** Since the last heartbeat. */
  framesReceived: number
  /** The last check of the caller's access. */
  accessCheck: Promise<void>
  /** Sequence number of the last event that the client has seen. May be ahead of the stream, which reads in batches. */
  position: number
}

export interface WorkspaceStream {
  /** Includes sockets that are still catching up. */
  readonly sockets: ReadonlySet<Socket>
  /** Adds a socket, and sends the events after `since` to one that resumes. */
  join(socket: Socket, since: number | undefined): Promise<void>
  /** Removes the socket; returns whether others remain. */
  leave(socket: Socket): boolean
  /** Sends a frame that is not in the log. */
  broadcastTransient(frame: TransientFrame): void
  /** Reads the log for new events. */
  wake(): void
  /** Sends no new events until access has been checked again. */
  holdFor(accessChecked: Promise<void>): void
}

export interface StreamListener {
  /** The unread counts of the socket's user may have changed. */
  onUnread(socket: Socket): void
  /** A conversation changed, which the socket's user may or may not see. */
  onConversation(socket: Socket): void
  /** The socket's user may not receive the event. */
  onHidden(socket: Socket, event: LogEvent): void
}

const maxBufferedBytes = 1024 * 1024
const maxMissedEvents = 1_000
const pageSize = 500
const retryDelayMs = 500

/** Closes a socket that reads too slowly and returns false; the client can reconnect and catch up. */
export function hasBufferSpace({ ws }: Socket): boolean {
  if (ws.bufferedAmount <= maxBufferedBytes) return true
  ws.close(closeCodes.tooSlow, 'too slow')
  return false
}

export function send(socket: Socket, frame: string): void {
  if (hasBufferSpace(socket)) socket.ws.send(frame)
}

/** Writes an encoded frame: encoding it again for each socket would take longer than sending it. */
function sendBytes(socket: Socket, bytes: Buffer): void {
  if (socket.ws.readyState === WebSocket.OPEN && hasBufferSpace(socket)) socket.wire.write(bytes)
}

export function createWorkspaceStream(
  deps: Deps,
  tenantId: string,
  start: number,
  listener: StreamListener,
): WorkspaceStream {
  const sockets = new Set<Socket>()
  const caughtUp = new Set<Socket>()
  let seq = start
  let isReading = false
  let hasMore = false
  let accessChecked: Promise<void> | undefined

  function broadcast(event: LogEvent): void {
    seq = event.seq
    if (isPublished(event)) deliver(listener, caughtUp, event)
  }

  async function readNewEvents(): Promise<void> {
    isReading = true
    try {
      while (hasMore) {
        hasMore = false
        const events = await readLog(deps.db, tenantId, { after: seq, limit: pageSize })
        await accessChecked
        for (const event of events) broadcast(event)
        hasMore ||= events.length === pageSize
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'reading the event log failed')
      setTimeout(wake, retryDelayMs).unref()
    }
    isReading = false
  }

  function wake(): void {
    hasMore = true
    if (!isReading) void readNewEvents()
  }

  /** Sends missed events no faster than the client reads them, because they may exceed the buffer limit. */
  async function replay(socket: Socket, events: readonly LogEvent[]): Promise<void> {
    for (const event of events) {
      if (isPublished(event) && isReceiver(listener, socket, event)) send(socket, toFrame(event))
      socket.position = event.seq
      if (socket.wire.writableNeedDrain) await waitForDrain(socket.wire)
      if (!sockets.has(socket)) return
    }
  }

  /** Sends what a socket missed, then adds it to the others in the same tick, so that no event is missed. */
  async function catchUp(socket: Socket): Promise<void> {
    while (socket.position < seq && sockets.has(socket)) {
      const events = await readLog(deps.db, tenantId, { after: socket.position, limit: pageSize })
      await replay(socket, events)
      if (events.length === 0) socket.position = seq
    }
    if (sockets.has(socket)) caughtUp.add(socket)
  }

  return {
    sockets,
    wake,
    broadcastTransient: frame => sendTransient(sockets, frame, deps.clock.now()),
    holdFor(checked) {
      accessChecked = checked
    },
    async join(socket, since) {
      sockets.add(socket)
      if (since !== undefined && (await isOutOfRange(deps, tenantId, since))) {
        socket.position = seq
        send(socket, JSON.stringify({ type: 'resync', data: { seq } }))
      } else socket.position = since ?? socket.position
      await catchUp(socket)
      wake()
    },
    leave(socket) {
      caughtUp.delete(socket)
      sockets.delete(socket)
      return sockets.size > 0
    },
  }
}

function deliver(listener: StreamListener, sockets: ReadonlySet<Socket>, event: LogEvent): void {
  const bytes = encodeTextFrame(toFrame(event))
  const changesUnread = affectsUnread(event)
  const isAboutConversation = getHiddenConversation(event) !== undefined
  for (const socket of sockets) {
    if (event.seq <= socket.position) continue
    const isAllowed = isReceiver(listener, socket, event)
    if (isAllowed) sendBytes(socket, bytes)
    if (isAllowed && changesUnread) listener.onUnread(socket)
    // A conversation that became hidden leaves the views of the user.
    if (changesUnread && (isAllowed || isAboutConversation)) listener.onConversation(socket)
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

function waitForDrain(wire: Duplex): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      wire.off('drain', done).off('close', done)
      resolve()
    }
    wire.on('drain', done).on('close', done)
  })
}

/** Reports whether `since` cannot be resumed from: too old, too far behind, or beyond the head of the log. */
async function isOutOfRange(deps: Deps, tenantId: string, since: number): Promise<boolean> {
  const [head, oldest] = await Promise.all([getLatestSeq(deps.db, tenantId), getOldestSeq(deps.db, tenantId)])
  return since > head || since + 1 < oldest || head - since > maxMissedEvents
}

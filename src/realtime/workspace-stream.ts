/**
 * One workspace's sockets in this process, following its event log together. A socket that joins first gets what it
 * missed, and is among the others from exactly the event where they are.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { getLatestSeq, getOldestSeq, readLog } from '../platform/events/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { affectsUnread, canReceive, closeCodes, encodeTextFrame, isPublished, toFrame } from './frames.ts'

export interface Socket {
  ws: WebSocket
  /** What it speaks over. */
  wire: Duplex
  token: string
  caller: Caller
  isAlive: boolean
}

export interface WorkspaceStream {
  /** Those that are catching up included. */
  readonly sockets: ReadonlySet<Socket>
  /** From what it has seen, or from the head of the log as it was told. */
  join(socket: Socket, since: number | undefined, head: number): Promise<void>
  /** Gives whether anybody is left. */
  leave(socket: Socket): boolean
  /** The log may have grown. */
  wake(): void
}

const maxBufferedBytes = 1024 * 1024
const maxMissedEvents = 1_000
const pageSize = 500
const retryDelayMs = 500

/** Who cannot keep up is dropped, and can ask for what it missed when it comes back. */
function closeIfTooSlow({ ws }: Socket): boolean {
  if (ws.bufferedAmount <= maxBufferedBytes) return true
  ws.close(closeCodes.tooSlow, 'too slow')
  return false
}

export function send(socket: Socket, frame: string): void {
  if (closeIfTooSlow(socket)) socket.ws.send(frame)
}

/** To one of many who get the same bytes: making a frame anew for each would take longer than sending it. */
function sendBytes(socket: Socket, bytes: Buffer): void {
  if (socket.ws.readyState === WebSocket.OPEN && closeIfTooSlow(socket)) socket.wire.write(bytes)
}

export function createWorkspaceStream(
  deps: Deps,
  tenantId: string,
  start: number,
  onUnread: (socket: Socket) => void,
): WorkspaceStream {
  const sockets = new Set<Socket>()
  const caughtUp = new Set<Socket>()
  let seq = start
  let isReading = false
  let hasMore = false

  function broadcast(event: LogEvent): void {
    seq = event.seq
    if (!isPublished(event)) return
    const bytes = encodeTextFrame(toFrame(event))
    const changesUnread = affectsUnread(event)
    for (const socket of caughtUp) {
      if (!canReceive(socket.caller, event)) continue
      sendBytes(socket, bytes)
      if (changesUnread) onUnread(socket)
    }
  }

  async function readNewEvents(): Promise<void> {
    isReading = true
    try {
      while (hasMore) {
        hasMore = false
        const events = await readLog(deps.db, tenantId, { after: seq, limit: pageSize })
        for (const event of events) broadcast(event)
        hasMore ||= events.length === pageSize
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'could not read the event log')
      setTimeout(wake, retryDelayMs).unref()
    }
    isReading = false
  }

  function wake(): void {
    hasMore = true
    if (!isReading) void readNewEvents()
  }

  /** What was missed may be more than may wait for anybody, so it goes out as fast as it is read. */
  async function replay(socket: Socket, events: readonly LogEvent[]): Promise<void> {
    for (const event of events) {
      if (isPublished(event) && canReceive(socket.caller, event)) send(socket, toFrame(event))
      if (socket.wire.writableNeedDrain) await waitForDrain(socket.wire)
      if (!sockets.has(socket)) return
    }
  }

  /** Up to where the others are, and on with them from the same turn: nothing can come in between. */
  async function catchUp(socket: Socket, since: number): Promise<void> {
    for (let at = since; at < seq && sockets.has(socket); ) {
      const events = await readLog(deps.db, tenantId, { after: at, limit: pageSize })
      await replay(socket, events)
      at = events.at(-1)?.seq ?? seq
    }
    if (sockets.has(socket)) caughtUp.add(socket)
  }

  return {
    sockets,
    wake,
    async join(socket, since, head) {
      sockets.add(socket)
      if (since !== undefined && (await isOutOfRange(deps, tenantId, since))) {
        send(socket, JSON.stringify({ type: 'resync', data: { seq } }))
        await catchUp(socket, seq)
      } else await catchUp(socket, since ?? head)
      wake()
    },
    leave(socket) {
      caughtUp.delete(socket)
      sockets.delete(socket)
      return sockets.size > 0
    },
  }
}

/** Once there is room again, or nobody there. */
function waitForDrain(wire: Duplex): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      wire.off('drain', done).off('close', done)
      resolve()
    }
    wire.on('drain', done).on('close', done)
  })
}

/** Too old, too much, or from another life of this workspace. */
async function isOutOfRange(deps: Deps, tenantId: string, since: number): Promise<boolean> {
  const [head, oldest] = await Promise.all([getLatestSeq(deps.db, tenantId), getOldestSeq(deps.db, tenantId)])
  return since > head || since + 1 < oldest || head - since > maxMissedEvents
}

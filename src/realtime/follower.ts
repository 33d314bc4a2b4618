/**
 * One workspace's sockets in this process, following its event log together. A socket that joins first gets what it
 * missed, and is among the others from exactly the event where they are.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { headSeq, oldestSeq, readLog } from '../platform/events/store/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { asSent, closeCodes, frameOf, isShown, mayHear, touchesUnread } from './frames.ts'

export interface Socket {
  ws: WebSocket
  /** What it speaks over. */
  wire: Duplex
  token: string
  caller: Caller
  alive: boolean
}

export interface Follower {
  /** Those that are catching up included. */
  readonly sockets: ReadonlySet<Socket>
  /** From what it has seen, or from the head of the log as it was told. */
  join(socket: Socket, since: number | undefined, head: number): Promise<void>
  /** Gives whether anybody is left. */
  part(socket: Socket): boolean
  /** The log may have grown. */
  wake(): void
}

const mostBuffered = 1024 * 1024
const mostMissed = 1_000
const pageSize = 500
const tryAgainMs = 500

/** Who cannot keep up is dropped, and can ask for what it missed when it comes back. */
function keepsUp({ ws }: Socket): boolean {
  if (ws.bufferedAmount <= mostBuffered) return true
  ws.close(closeCodes.tooSlow, 'too slow')
  return false
}

export function send(socket: Socket, frame: string): void {
  if (keepsUp(socket)) socket.ws.send(frame)
}

/** To one of many who get the same bytes: making a frame anew for each would take longer than sending it. */
function pass(socket: Socket, bytes: Buffer): void {
  if (socket.ws.readyState === WebSocket.OPEN && keepsUp(socket)) socket.wire.write(bytes)
}

export function createFollower(
  deps: Deps,
  tenantId: string,
  start: number,
  onUnread: (socket: Socket) => void,
): Follower {
  const sockets = new Set<Socket>()
  const upToDate = new Set<Socket>()
  let seq = start
  let busy = false
  let again = false

  function tell(event: LogEvent): void {
    seq = event.seq
    if (!isShown(event)) return
    const bytes = asSent(frameOf(event))
    const isUnread = touchesUnread(event)
    for (const socket of upToDate) {
      if (!mayHear(socket.caller, event)) continue
      pass(socket, bytes)
      if (isUnread) onUnread(socket)
    }
  }

  async function follow(): Promise<void> {
    busy = true
    try {
      while (again) {
        again = false
        const events = await readLog(deps.db, tenantId, { after: seq, limit: pageSize })
        for (const event of events) tell(event)
        again ||= events.length === pageSize
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'could not read the event log')
      setTimeout(wake, tryAgainMs).unref()
    }
    busy = false
  }

  function wake(): void {
    again = true
    if (!busy) void follow()
  }

  /** What was missed may be more than may wait for anybody, so it goes out as fast as it is read. */
  async function replay(socket: Socket, events: readonly LogEvent[]): Promise<void> {
    for (const event of events) {
      if (isShown(event) && mayHear(socket.caller, event)) send(socket, frameOf(event))
      if (socket.wire.writableNeedDrain) await drained(socket.wire)
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
    if (sockets.has(socket)) upToDate.add(socket)
  }

  return {
    sockets,
    wake,
    async join(socket, since, head) {
      sockets.add(socket)
      if (since !== undefined && (await isGone(deps, tenantId, since))) {
        send(socket, JSON.stringify({ type: 'resync', data: { seq } }))
        await catchUp(socket, seq)
      } else await catchUp(socket, since ?? head)
      wake()
    },
    part(socket) {
      upToDate.delete(socket)
      sockets.delete(socket)
      return sockets.size > 0
    },
  }
}

/** Once there is room again, or nobody there. */
function drained(wire: Duplex): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      wire.off('drain', done).off('close', done)
      resolve()
    }
    wire.on('drain', done).on('close', done)
  })
}

/** Too old, too much, or from another life of this workspace. */
async function isGone(deps: Deps, tenantId: string, since: number): Promise<boolean> {
  const [head, oldest] = await Promise.all([headSeq(deps.db, tenantId), oldestSeq(deps.db, tenantId)])
  return since > head || since + 1 < oldest || head - since > mostMissed
}

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
  readonly sockets: ReadonlySet<Socket>
  join(socket: Socket, since: number | undefined): Promise<void>
  /** Gives whether anybody is left. */
  part(socket: Socket): boolean
  /** The log may have grown. */
  wake(): void
}

const mostBuffered = 1024 * 1024
const mostMissed = 1_000
const pageSize = 500

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
  /** Those that are up to date, and all with those that are catching up. */
  const sockets = new Set<Socket>()
  const members = new Set<Socket>()
  let seq = start
  let busy = false
  let again = false

  function tell(event: LogEvent): void {
    seq = event.seq
    if (!isShown(event)) return
    const bytes = asSent(frameOf(event))
    const isUnread = touchesUnread(event)
    for (const socket of sockets) {
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
    }
    busy = false
  }

  function wake(): void {
    again = true
    if (!busy) void follow()
  }

  /** Up to where the others are. */
  async function replay(socket: Socket, since: number): Promise<void> {
    let at = since
    while (at < seq) {
      const events = await readLog(deps.db, tenantId, { after: at, limit: pageSize })
      if (events.length === 0) return
      for (const event of events.filter(one => isShown(one) && mayHear(socket.caller, one)))
        send(socket, frameOf(event))
      at = events.at(-1)!.seq
    }
  }

  return {
    sockets,
    wake,
    async join(socket, since) {
      members.add(socket)
      if (since !== undefined && (await isGone(deps, tenantId, since)))
        send(socket, JSON.stringify({ type: 'resync', data: { seq } }))
      else if (since !== undefined) await replay(socket, since)
      if (members.has(socket)) sockets.add(socket)
      wake()
    },
    part(socket) {
      sockets.delete(socket)
      members.delete(socket)
      return members.size > 0
    },
  }
}

/** Too old, too much, or from another life of this workspace. */
async function isGone(deps: Deps, tenantId: string, since: number): Promise<boolean> {
  const [head, oldest] = await Promise.all([headSeq(deps.db, tenantId), oldestSeq(deps.db, tenantId)])
  return since > head || since + 1 < oldest || head - since > mostMissed
}

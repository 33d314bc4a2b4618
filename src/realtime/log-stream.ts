/**
 * Sockets of one workspace in this process that follow its event log together. A socket that joins first receives the
 * events it missed, then continues with the others. Its position ensures that it receives no event twice.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { getLatestSeq, getOldestSeq, readLog } from '../platform/events/log.ts'
import { yieldEvery } from '../platform/yield.ts'
import { closeCodes } from './frames.ts'

export interface StreamSocket {
  ws: WebSocket
  /** The stream below the WebSocket. */
  wire: Duplex
  /** Sequence number of the last event that the client has seen. May be ahead of the stream, which reads in batches. */
  position: number
}

export interface LogStream<S> {
  /** Includes sockets that are still catching up. */
  readonly sockets: ReadonlySet<S>
  /** Adds a socket, and sends the events after `since` to one that resumes. */
  join(socket: S, since: number | undefined): Promise<void>
  /** Removes the socket; returns whether others remain. */
  leave(socket: S): boolean
  /** Reads the log for new events. */
  wake(): void
  /** Sends no new events until this has ended. */
  holdFor(checked: Promise<void>): void
}

/** Returns the frames of an event: none for one that the socket does not receive at this moment. */
export type ToFrames = (event: LogEvent) => readonly string[]

/** Sends an event to the sockets whose position is before it. */
export type Broadcast<S> = (sockets: ReadonlySet<S>, event: LogEvent) => void

export interface StreamHandler<S> {
  /** Loads what new events need, and returns a function that sends one of them. */
  prepare(events: readonly LogEvent[]): Broadcast<S> | Promise<Broadcast<S>>
  /** Prepares missed events for one socket. */
  replay(socket: S, events: readonly LogEvent[]): ToFrames | Promise<ToFrames>
  /** A client that missed more events than this reads everything again. */
  maxMissed?: number
}

const maxBufferedBytes = 1024 * 1024
const defaultMaxMissed = 1_000
const pageSize = 500
const retryDelayMs = 500

/** Closes a socket that reads too slowly and returns false; the client can reconnect and catch up. */
export function hasBufferSpace({ ws }: Pick<StreamSocket, 'ws'>): boolean {
  if (ws.bufferedAmount <= maxBufferedBytes) return true
  ws.close(closeCodes.tooSlow, 'too slow')
  return false
}

export function send(socket: Pick<StreamSocket, 'ws'>, frame: string): void {
  if (hasBufferSpace(socket)) socket.ws.send(frame)
}

/** Writes an encoded frame: encoding it again for each socket would take longer than sending it. */
export function sendBytes(socket: StreamSocket, bytes: Buffer): void {
  if (socket.ws.readyState === WebSocket.OPEN && hasBufferSpace(socket)) socket.wire.write(bytes)
}

export function createLogStream<S extends StreamSocket>(
  deps: Deps,
  tenantId: string,
  start: number,
  handler: StreamHandler<S>,
): LogStream<S> {
  const sockets = new Set<S>()
  const caughtUp = new Set<S>()
  let seq = start
  let isReading = false
  let hasMore = false
  let checked: Promise<void> | undefined

  async function readNewEvents(): Promise<void> {
    isReading = true
    try {
      while (hasMore) {
        hasMore = false
        const events = await readLog(deps.db, tenantId, { after: seq, limit: pageSize })
        if (events.length > 0) await sendAll(events, await handler.prepare(events))
        hasMore ||= events.length === pageSize
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'reading the event log failed')
      setTimeout(wake, retryDelayMs).unref()
    }
    isReading = false
  }

  /** Lets others run between events: there may be hundreds, for many sockets. */
  async function sendAll(events: readonly LogEvent[], broadcast: Broadcast<S>): Promise<void> {
    const giveWay = yieldEvery()
    await checked
    for (const event of events) {
      const turn = giveWay()
      if (turn) await turn.then(() => checked)
      // In one tick: a socket that catches up meanwhile has the event from one of the two.
      broadcast(caughtUp, event)
      seq = event.seq
    }
  }

  function wake(): void {
    hasMore = true
    if (!isReading) void readNewEvents()
  }

  /** Sends missed events no faster than the client reads them, because they may exceed the buffer limit. */
  async function replay(socket: S, events: readonly LogEvent[]): Promise<void> {
    const toFrames = await handler.replay(socket, events)
    const giveWay = yieldEvery()
    for (const event of events) {
      for (const frame of toFrames(event)) send(socket, frame)
      socket.position = event.seq
      if (socket.wire.writableNeedDrain) await waitForDrain(socket.wire)
      await giveWay()
      if (!sockets.has(socket)) return
    }
  }

  /** Sends what a socket missed, then adds it to the others in the same tick, so that no event is missed. */
  async function catchUp(socket: S): Promise<void> {
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
    holdFor(check) {
      checked = check
    },
    async join(socket, since) {
      sockets.add(socket)
      const maxMissed = handler.maxMissed ?? defaultMaxMissed
      if (since !== undefined && (await isOutOfRange(deps, tenantId, since, maxMissed))) {
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
async function isOutOfRange(
  deps: Deps,
  tenantId: string,
  since: number,
  maxMissed: number,
): Promise<boolean> {
  const [head, oldest] = await Promise.all([getLatestSeq(deps.db, tenantId), getOldestSeq(deps.db, tenantId)])
  return since > head || since + 1 < oldest || head - since > maxMissed
}

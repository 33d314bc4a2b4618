// What becomes of a response body: kept in memory and cut at a limit, or handed on as a stream that pauses the
// connection while its reader is slow and fails when it grows over the limit.
import { Readable } from 'node:stream'
import type { Flow, Receiver, ResponseHeaders } from './connection.ts'
import { OutboundError } from './failures.ts'

export interface Head {
  status: number
  headers: ResponseHeaders
}

/** A receiver that remembers how the response began. */
export interface Receiving extends Receiver {
  head(): Head | undefined
}

export interface Collector extends Receiving {
  body(): Buffer
}

export function collect(mostBytes: number): Collector {
  let head: Head | undefined
  // One growing buffer: a list of one-byte chunks would take a hundred times their size.
  let buffer = Buffer.alloc(0)
  let size = 0
  const grow = (wanted: number) => {
    const bigger = Buffer.alloc(Math.min(mostBytes, Math.max(wanted, buffer.length * 2)))
    buffer.copy(bigger, 0, 0, size)
    buffer = bigger
  }
  return {
    start(status, headers) {
      head = { status, headers }
    },
    data(chunk) {
      const kept = Math.min(chunk.length, mostBytes - size)
      if (size + kept > buffer.length) grow(size + kept)
      chunk.copy(buffer, size, 0, kept)
      size += kept
      return kept === chunk.length
    },
    head: () => head,
    body: () => buffer.subarray(0, size),
  }
}

export interface Streamer extends Receiving {
  /** Ends the stream, with an error when the response did not arrive whole. */
  finish(error?: Error): void
}

export function streamTo(
  mostBytes: number,
  onStart: (head: Head, body: Readable) => void,
  onClose: () => void,
): Streamer {
  let head: Head | undefined
  let flow: Flow | undefined
  let size = 0
  const body = new Readable({
    read: () => flow?.resume(),
    destroy(error, callback) {
      onClose()
      callback(error)
    },
  })
  return {
    start(status, headers, control) {
      head = { status, headers }
      flow = control
      onStart(head, body)
    },
    data(chunk) {
      size += chunk.length
      if (size > mostBytes) return false
      if (!body.push(chunk)) flow?.pause()
      return true
    },
    head: () => head,
    finish(error) {
      flow = undefined
      if (!head) return // nobody has the stream
      if (error) body.destroy(error)
      else body.push(null)
    },
  }
}

export const overLimit = (mostBytes: number) =>
  new OutboundError('response_too_large', `the response has more than ${mostBytes} bytes`)

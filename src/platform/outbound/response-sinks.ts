// Sinks of response bodies: in memory and truncated at a limit, or a stream that pauses the connection while its reader
// is slow and fails beyond the limit.
import { Readable } from 'node:stream'
import type { Flow, ResponseHeaders, ResponseSink } from './connection.ts'
import { OutboundError } from './failures.ts'

export interface ResponseHead {
  status: number
  headers: ResponseHeaders
}

export interface HeadSink extends ResponseSink {
  head(): ResponseHead | undefined
}

export interface BodyCollector extends HeadSink {
  body(): Buffer
}

export function createCollector(maxBytes: number): BodyCollector {
  let head: ResponseHead | undefined
  // One growing buffer: a list of one-byte chunks would use a hundred times the memory.
  let buffer = Buffer.alloc(0)
  let size = 0
  const grow = (minSize: number) => {
    const larger = Buffer.alloc(Math.min(maxBytes, Math.max(minSize, buffer.length * 2)))
    buffer.copy(larger, 0, 0, size)
    buffer = larger
  }
  return {
    start(status, headers) {
      head = { status, headers }
    },
    data(chunk) {
      const accepted = Math.min(chunk.length, maxBytes - size)
      if (size + accepted > buffer.length) grow(size + accepted)
      chunk.copy(buffer, size, 0, accepted)
      size += accepted
      return accepted === chunk.length
    },
    head: () => head,
    body: () => buffer.subarray(0, size),
  }
}

export interface BodyStream extends HeadSink {
  /** Ends the stream, with an error if the response is incomplete. */
  finish(error?: Error): void
}

export function createBodyStream(
  maxBytes: number,
  onStart: (head: ResponseHead, body: Readable) => void,
  onClose: () => void,
): BodyStream {
  let head: ResponseHead | undefined
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
      if (size > maxBytes) return false
      if (!body.push(chunk)) flow?.pause()
      return true
    },
    head: () => head,
    finish(error) {
      flow = undefined
      if (!head) return // the stream was never handed out
      if (error) body.destroy(error)
      else body.push(null)
    },
  }
}

export const buildTooLargeError = (maxBytes: number) =>
  new OutboundError('response_too_large', `the response has more than ${maxBytes} bytes`)

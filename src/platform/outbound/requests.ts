// What a caller asks of the outbound client and what it gets back.
import type { Readable } from 'node:stream'
import type { ResponseHeaders } from './connection.ts'
import type { FailureCode } from './failures.ts'

export interface OutboundRequest {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange: connecting, sending, and the response to its last byte. */
  timeoutMs: number
  /** For name resolution, TCP and TLS together. */
  connectTimeoutMs: number
  maxResponseBytes: number
  /** How long to wait before that for other calls to the same receiver; by default as long as timeoutMs. */
  waitMs?: number
  signal?: AbortSignal
  /** Callers of different groups share no connections and do not wait for each other: the workspace. */
  group?: string
  /** Whether it may be sent again when a kept connection dies under it. By default only what HTTP calls idempotent. */
  isRepeatable?: boolean
}

export interface OutboundFailure {
  ok: false
  code: FailureCode
  message: string
  /** The status, where the response had begun. */
  status?: number
  /** Since the exchange began; 0 when it did not. */
  latencyMs: number
}

interface OutboundSuccess {
  ok: true
  status: number
  headers: ResponseHeaders
  latencyMs: number
}

export type OutboundResponse = (OutboundSuccess & { body: Buffer; truncated: boolean }) | OutboundFailure
/** The stream fails with an OutboundError when the time runs out, the limit is passed or the other side closes. */
export type OutboundDownload = (OutboundSuccess & { body: Readable }) | OutboundFailure

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
  /** Maximum time to wait for a slot before the exchange; timeoutMs by default. */
  waitMs?: number
  signal?: AbortSignal
  /** The workspace. Groups share no connections and do not wait for each other. */
  group?: string
}

export interface OutboundFailure {
  ok: false
  code: FailureCode
  message: string
  status?: number
  /** Since the exchange started; 0 if it did not. */
  latencyMs: number
}

interface OutboundSuccess {
  ok: true
  status: number
  headers: ResponseHeaders
  latencyMs: number
}

export type OutboundResponse = (OutboundSuccess & { body: Buffer; truncated: boolean }) | OutboundFailure
/** The stream fails with an OutboundError on timeout, beyond the size limit, or when the other side closes. */
export type OutboundDownload = (OutboundSuccess & { body: Readable }) | OutboundFailure

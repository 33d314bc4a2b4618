// The HTTP client for URLs that users choose: webhook endpoints, workflow calls, media downloads. A call ends within its
// timeout, follows no redirects, never reaches an address that the policy forbids, and uses bounded memory. Failures are
// values with a code, not exceptions.
import { type CallHandle, type ClientContext, runCall } from './call.ts'
import type { ResponseEnd } from './connection.ts'
import { type Connect, openSocket } from './dial.ts'
import { OutboundError } from './failures.ts'
import { checkPolicy, type GuardPolicy } from './policy.ts'
import { Pool } from './pool.ts'
import type { OutboundDownload, OutboundFailure, OutboundRequest, OutboundResponse } from './requests.ts'
import { createLookup, type Lookup } from './resolver.ts'
import { buildTooLargeError, createBodyStream, createCollector, type HeadSink } from './response-sinks.ts'
import { checkUrl, type UrlCheck } from './urls.ts'

export interface Outbound {
  /** Returns the response with its body in memory, truncated at maxResponseBytes. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** Returns the response as a stream, for large bodies. Read it to its end or destroy it. */
  download(request: OutboundRequest): Promise<OutboundDownload>
  /** Refuses new calls, lets calls in flight end within graceMs, then aborts them. */
  close(options?: { graceMs?: number }): Promise<void>
  counts(): { lanes: number; active: number; idle: number; waiting: number }
  /** Checks a URL without calling it, for when a user saves it. */
  checkUrl(url: string): UrlCheck
}

export interface OutboundOptions {
  policy: GuardPolicy
  lookup?: Lookup
  connect?: Connect
  ca?: string | string[]
  userAgent?: string
  connectionsPerOrigin?: number
  connections?: number
  maxHeaderBytes?: number
  idleMs?: number
}

export function createOutbound(options: OutboundOptions): Outbound {
  checkPolicy(options.policy)
  const context = createClientContext(options)
  const running = new Set<CallHandle>()
  let closing = false
  let onDrained = () => {}

  const run: Run = async (request, receiver, handle) => {
    if (closing) throw new OutboundError('shut_down', 'the service is shutting down', false)
    running.add(handle)
    try {
      return await runCall(context, request, receiver, handle)
    } finally {
      running.delete(handle)
      if (running.size === 0) onDrained()
    }
  }

  return {
    request: request => requestInMemory(request, run),
    download: request => downloadStream(request, run),
    async close({ graceMs = 5000 } = {}) {
      closing = true
      context.pool.close()
      if (running.size === 0) return
      const abort = () => {
        for (const { abortController: cancel } of running)
          cancel.abort(new OutboundError('shut_down', 'the service is shutting down'))
      }
      const timer = setTimeout(abort, graceMs)
      await new Promise<void>(resolve => {
        onDrained = resolve
      })
      clearTimeout(timer)
    },
    counts: () => context.pool.counts(),
    checkUrl: url => checkUrl(options.policy, url),
  }
}

function createClientContext(options: OutboundOptions): ClientContext {
  return {
    dialer: {
      policy: options.policy,
      lookup: options.lookup ?? createLookup(),
      connect: options.connect ?? openSocket,
      ca: options.ca,
    },
    pool: new Pool({ perLane: options.connectionsPerOrigin ?? 16, total: options.connections ?? 1024 }),
    limits: { maxHeaderBytes: options.maxHeaderBytes ?? 16 * 1024, idleMs: options.idleMs ?? 4000 },
    userAgent: options.userAgent ?? 'Parley',
  }
}

type Run = (request: OutboundRequest, receiver: HeadSink, handle: CallHandle) => Promise<ResponseEnd>

async function requestInMemory(request: OutboundRequest, run: Run): Promise<OutboundResponse> {
  const watch = startStopwatch()
  const collector = createCollector(request.maxResponseBytes)
  try {
    const ending = await run(request, collector, {
      abortController: new AbortController(),
      onStart: watch.start,
    })
    const { status, headers } = collector.head()!
    return {
      ok: true,
      status,
      headers,
      body: collector.body(),
      truncated: ending === 'cut',
      latencyMs: watch.read(),
    }
  } catch (error) {
    return toFailure(error, collector, watch.read())
  }
}

function downloadStream(request: OutboundRequest, run: Run): Promise<OutboundDownload> {
  const watch = startStopwatch()
  const cancel = new AbortController()
  return new Promise((resolve, reject) => {
    const streamer = createBodyStream(
      request.maxResponseBytes,
      (head, body) => resolve({ ok: true, ...head, body, latencyMs: watch.read() }),
      () => cancel.abort(new OutboundError('aborted', 'the reader stopped')),
    )
    run(request, streamer, { abortController: cancel, onStart: watch.start })
      .then(
        ending =>
          streamer.finish(ending === 'cut' ? buildTooLargeError(request.maxResponseBytes) : undefined),
        error => {
          streamer.finish(error)
          resolve(toFailure(error, streamer, watch.read()))
        },
      )
      .catch(reject)
  })
}

function toFailure(error: unknown, receiver: HeadSink, latencyMs: number): OutboundFailure {
  if (!(error instanceof OutboundError)) throw error
  const { code, message } = error
  return { ok: false, code, message, status: receiver.head()?.status, latencyMs }
}

function startStopwatch() {
  let startedAt: number | undefined
  return {
    start: () => {
      startedAt = performance.now()
    },
    read: () => (startedAt === undefined ? 0 : Math.round(performance.now() - startedAt)),
  }
}

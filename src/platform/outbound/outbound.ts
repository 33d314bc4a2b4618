// The one HTTP client for calls to addresses that users choose: webhook receivers, workflow calls, media downloads.
// Every call ends within its time, never follows a redirect, never reaches an address the policy forbids, and holds
// no more memory than its limits; what goes wrong is a value with a code, not an exception.
import { call, type Handle, type Means } from './call.ts'
import type { Ending } from './connection.ts'
import { type Connect, openSocket } from './dial.ts'
import { OutboundError } from './failures.ts'
import { checkPolicy, type GuardPolicy } from './policy.ts'
import { Pool } from './pool.ts'
import { collect, overLimit, type Receiving, streamTo } from './receivers.ts'
import type { OutboundDownload, OutboundFailure, OutboundRequest, OutboundResponse } from './requests.ts'
import { createLookup, type Lookup } from './resolver.ts'
import { checkUrl, type UrlCheck } from './urls.ts'

export interface Outbound {
  /** The response in memory, its body cut at maxResponseBytes. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** The response as a stream, for bodies too big to hold. Read it to its end or destroy it. */
  download(request: OutboundRequest): Promise<OutboundDownload>
  /** Takes no new calls, lets those under way end for graceMs, then aborts them. */
  close(options?: { graceMs?: number }): Promise<void>
  counts(): { lanes: number; active: number; idle: number; waiting: number }
  /** What can be said about a URL before it is called: for when somebody saves one. */
  check(url: string): UrlCheck
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
  const means = meansOf(options)
  const running = new Set<Handle>()
  let closing = false
  let drained = () => {}

  const run: Run = async (request, receiver, handle) => {
    if (closing) throw new OutboundError('shut_down', 'the service is shutting down', false)
    running.add(handle)
    try {
      return await call(means, request, receiver, handle)
    } finally {
      running.delete(handle)
      if (running.size === 0) drained()
    }
  }

  return {
    request: request => receive(request, run),
    download: request => download(request, run),
    async close({ graceMs = 5000 } = {}) {
      closing = true
      means.pool.close()
      if (running.size === 0) return
      const abort = () => {
        for (const { cancel } of running)
          cancel.abort(new OutboundError('shut_down', 'the service is shutting down'))
      }
      const timer = setTimeout(abort, graceMs)
      await new Promise<void>(resolve => {
        drained = resolve
      })
      clearTimeout(timer)
    },
    counts: () => means.pool.counts(),
    check: url => checkUrl(options.policy, url),
  }
}

function meansOf(options: OutboundOptions): Means {
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

type Run = (request: OutboundRequest, receiver: Receiving, handle: Handle) => Promise<Ending>

async function receive(request: OutboundRequest, run: Run): Promise<OutboundResponse> {
  const watch = stopwatch()
  const collector = collect(request.maxResponseBytes)
  try {
    const ending = await run(request, collector, { cancel: new AbortController(), began: watch.start })
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
    return failure(error, collector, watch.read())
  }
}

function download(request: OutboundRequest, run: Run): Promise<OutboundDownload> {
  const watch = stopwatch()
  const cancel = new AbortController()
  return new Promise((resolve, reject) => {
    const streamer = streamTo(
      request.maxResponseBytes,
      (head, body) => resolve({ ok: true, ...head, body, latencyMs: watch.read() }),
      () => cancel.abort(new OutboundError('aborted', 'the reader stopped')),
    )
    run(request, streamer, { cancel, began: watch.start })
      .then(
        ending => streamer.finish(ending === 'cut' ? overLimit(request.maxResponseBytes) : undefined),
        error => {
          streamer.finish(error)
          resolve(failure(error, streamer, watch.read()))
        },
      )
      .catch(reject)
  })
}

function failure(error: unknown, receiver: Receiving, latencyMs: number): OutboundFailure {
  if (!(error instanceof OutboundError)) throw error
  const { code, message } = error
  return { ok: false, code, message, status: receiver.head()?.status, latencyMs }
}

function stopwatch() {
  let began: number | undefined
  return {
    start: () => {
      began = performance.now()
    },
    read: () => (began === undefined ? 0 : Math.round(performance.now() - began)),
  }
}

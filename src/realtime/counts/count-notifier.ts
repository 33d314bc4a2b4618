/**
 * Sends counts to sockets. A burst of changes causes one count; sockets with the same key are counted once for all. Few
 * counts run concurrently, and workspaces take turns. Each key is counted again only after a pause that is a multiple of the
 * time the last count took: under load counts come later and the database stays free.
 */
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { fairQueue } from '../../platform/limits/fair-queue.ts'
import { type Socket, send } from '../workspace-stream.ts'

export interface CountKind {
  /** Type of the frame. */
  type: string
  /** Sockets with the same key have the same counts; one without a key receives none. */
  toKey: (socket: Socket) => string | undefined
  count: (socket: Socket) => Promise<object>
  /** Shortest time between two counts of a key; the first change after it is counted almost immediately. */
  intervalMs?: number
  /** Returns the data for one socket, or undefined if it needs none. */
  forSocket?: (socket: Socket, counts: object) => object | undefined
}

const debounceMs = 50
const concurrency = 4
const pauseFactor = 10
const retryDelayMs = 1_000

export function createCountNotifier(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  { type, toKey, count, intervalMs = 0, forSocket = (_, counts) => counts }: CountKind,
): (socket: Socket) => void {
  const waiting = new Map<string, Set<Socket>>()
  const turns = fairQueue({
    what: 'counts',
    slots: concurrency,
    // The next workspace finds a free slot.
    share: () => concurrency / 2,
    maxWaiting: Number.POSITIVE_INFINITY,
  })
  const last = new LRUCache<string, { at: number; tookMs: number }>({ max: 10_000 })
  const sentAt = new WeakMap<Socket, number>()

  async function countAndSend(key: string): Promise<void> {
    const all = waiting.get(key)!
    waiting.delete(key)
    const sockets = [...all].filter(
      socket => socket.ws.readyState === socket.ws.OPEN && toKey(socket) === key,
    )
    const [first] = sockets
    if (!first) return
    const startedAt = performance.now()
    const counts = await count(first).catch(error => {
      log.warn({ err: error }, `${type} failed`)
      last.set(key, { at: startedAt, tookMs: retryDelayMs / pauseFactor })
      sockets.forEach(schedule)
    })
    if (!counts) return
    last.set(key, { at: startedAt, tookMs: performance.now() - startedAt })
    for (const socket of sockets) if (toKey(socket) === key) sendCounts(socket, counts, startedAt)
  }

  function sendCounts(socket: Socket, counts: object, startedAt: number): void {
    // A slow count may end after a later one.
    if ((sentAt.get(socket) ?? 0) > startedAt) return
    sentAt.set(socket, startedAt)
    const data = forSocket(socket, counts)
    if (data) send(socket, JSON.stringify({ type, timestamp: clock.now().toISOString(), data }))
  }

  function schedule(socket: Socket): void {
    const key = toKey(socket)
    if (key === undefined) return
    const others = waiting.get(key)
    if (others) {
      others.add(socket)
      return
    }
    waiting.set(key, new Set([socket]))
    const { at, tookMs } = last.get(key) ?? { at: -Infinity, tookMs: 0 }
    const remainingMs = at + intervalMs - performance.now()
    const pauseMs = Math.max(debounceMs, pauseFactor * tookMs, remainingMs)
    setTimeout(() => void turns.run(socket.caller.tenantId, () => countAndSend(key)), pauseMs).unref()
  }

  return schedule
}

/** Sends users their unread counts. */
export function createUnreadNotifier(
  deps: Pick<Deps, 'log' | 'clock'>,
  unread: (caller: Caller) => Promise<object>,
): (socket: Socket) => void {
  return createCountNotifier(deps, {
    type: 'unread_count_update',
    toKey: ({ caller }) => (caller.kind === 'user' ? `${caller.tenantId}/${caller.id}` : undefined),
    count: ({ caller }) => unread(caller),
  })
}

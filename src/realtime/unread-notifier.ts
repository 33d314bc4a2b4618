/**
 * Sends unread counts to users. A burst of changes causes one count; a user with several sockets is counted once for
 * all. Few counts run concurrently, and each user is counted again only after a pause that is a multiple of the time the
 * last count took: under load counts come later and the database stays free.
 */
import { LRUCache } from 'lru-cache'
import type { Deps } from '../platform/deps.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type Socket, send } from './workspace-stream.ts'

const debounceMs = 50
const concurrency = 4
const pauseFactor = 10
const retryDelayMs = 1_000

export function createUnreadNotifier(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  unread: (caller: Caller) => Promise<object>,
): (socket: Socket) => void {
  const waiting = new Map<string, Set<Socket>>()
  const queue: string[] = []
  const durationMs = new LRUCache<string, number>({ max: 10_000 })
  let running = 0

  async function count(key: string): Promise<void> {
    const sockets = waiting.get(key)!
    waiting.delete(key)
    const [first] = [...sockets].filter(({ ws }) => ws.readyState === ws.OPEN)
    if (!first) return
    const startedAt = performance.now()
    const data = await unread(first.caller).catch(error => {
      log.warn({ err: error }, 'unread count failed')
      durationMs.set(key, retryDelayMs / pauseFactor)
      sockets.forEach(schedule)
    })
    if (!data) return
    durationMs.set(key, performance.now() - startedAt)
    const frame = JSON.stringify({
      type: 'unread_count_update',
      timestamp: clock.now().toISOString(),
      data,
    })
    for (const socket of sockets) send(socket, frame)
  }

  function pump(): void {
    while (running < concurrency && queue.length > 0) {
      running++
      void count(queue.shift()!).finally(() => {
        running--
        pump()
      })
    }
  }

  function schedule(socket: Socket): void {
    if (socket.caller.kind !== 'user') return
    const key = `${socket.caller.tenantId}/${socket.caller.id}`
    const others = waiting.get(key)
    if (others) {
      others.add(socket)
      return
    }
    waiting.set(key, new Set([socket]))
    const pauseMs = Math.max(debounceMs, pauseFactor * (durationMs.get(key) ?? 0))
    setTimeout(() => {
      queue.push(key)
      pump()
    }, pauseMs).unref()
  }

  return schedule
}

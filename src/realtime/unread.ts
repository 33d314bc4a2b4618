/**
 * Telling people how much they have not read. A burst of changes is one count, when it has settled; somebody with many
 * windows is counted once for all; and however many people there are, only a few are counted at once and nobody again
 * before a rest that is long beside the count. So under load the number comes later, and the database stays free.
 */
import { LRUCache } from 'lru-cache'
import type { Deps } from '../platform/deps.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type Socket, send } from './follower.ts'

const settleMs = 50
const countedAtOnce = 4
const restFactor = 10
const tryAgainMs = 1_000

export function unreadTeller(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  unread: (caller: Caller) => Promise<object>,
): (socket: Socket) => void {
  const waiting = new Map<string, Set<Socket>>()
  const due: string[] = []
  const tookMs = new LRUCache<string, number>({ max: 10_000 })
  let running = 0

  async function count(key: string): Promise<void> {
    const sockets = waiting.get(key)!
    waiting.delete(key)
    const [first] = [...sockets].filter(({ ws }) => ws.readyState === ws.OPEN)
    if (!first) return
    const began = performance.now()
    const data = await unread(first.caller).catch(error => {
      log.warn({ err: error }, 'could not count what is unread')
      tookMs.set(key, tryAgainMs / restFactor)
      sockets.forEach(countSoon)
    })
    if (!data) return
    tookMs.set(key, performance.now() - began)
    const frame = JSON.stringify({
      type: 'unread_count_update',
      timestamp: clock.now().toISOString(),
      data,
    })
    for (const socket of sockets) send(socket, frame)
  }

  function pump(): void {
    while (running < countedAtOnce && due.length > 0) {
      running++
      void count(due.shift()!).finally(() => {
        running--
        pump()
      })
    }
  }

  function countSoon(socket: Socket): void {
    if (socket.caller.kind !== 'user') return
    const key = `${socket.caller.tenantId}/${socket.caller.id}`
    const others = waiting.get(key)
    if (others) {
      others.add(socket)
      return
    }
    waiting.set(key, new Set([socket]))
    const rest = Math.max(settleMs, restFactor * (tookMs.get(key) ?? 0))
    setTimeout(() => {
      due.push(key)
      pump()
    }, rest).unref()
  }

  return countSoon
}

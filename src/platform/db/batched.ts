/**
 * Group commit: `batched()` coalesces concurrent calls without adding delay. Calls that arrive while a batch is in flight
 * form the next batch. A batch that fails is retried item by item, so that one bad item does not fail its neighbours.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { defineCache } from '../caches.ts'
import type { Db } from './db.ts'

/** A batch serves many callers: it must not become part of the trace of the caller that started it. */
const outsideAnySpan = AsyncLocalStorage.snapshot()

interface QueuedItem<I, O> {
  item: I
  resolve: (result: O) => void
  reject: (error: unknown) => void
}

interface Queue<I, O> {
  waiting: QueuedItem<I, O>[]
  running: number
}

export interface BatchOptions<I> {
  batchSize: number
  /** Batches in flight at the same time. */
  concurrency: number
  /** Only items with the same key share a batch. */
  keyOf?: (item: I) => string
}

export function batched<I, O>(
  { batchSize, concurrency, keyOf }: BatchOptions<I>,
  run: (db: Db, items: readonly I[]) => Promise<readonly O[]>,
): (db: Db, item: I) => Promise<O> {
  const findQueue = defineCache((): Queue<I, O> => ({ waiting: [], running: 0 }))

  /** Takes the oldest item, and those behind it that may share its batch. */
  function takeBatch(queue: Queue<I, O>): QueuedItem<I, O>[] {
    if (!keyOf) return queue.waiting.splice(0, batchSize)
    const key = keyOf(queue.waiting[0]!.item)
    const batch = queue.waiting.filter(({ item }) => keyOf(item) === key).slice(0, batchSize)
    const taken = new Set(batch)
    queue.waiting = queue.waiting.filter(queued => !taken.has(queued))
    return batch
  }

  async function attempt(db: Db, batch: readonly QueuedItem<I, O>[]): Promise<void> {
    try {
      const items = batch.map(queued => queued.item)
      const results = await run(db, items)
      for (const [i, queued] of batch.entries()) queued.resolve(results[i]!)
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error)
      else await Promise.all(batch.map(queued => attempt(db, [queued])))
    }
  }

  return (db, item) => {
    const queue = findQueue(db)
    const start = () => {
      while (queue.running < concurrency && queue.waiting.length > 0) {
        queue.running++
        void attempt(db, takeBatch(queue)).finally(() => {
          queue.running--
          start()
        })
      }
    }
    return new Promise((resolve, reject) => {
      queue.waiting.push({ item, resolve, reject })
      // Calls of the same tick share a batch.
      if (db.tracing) outsideAnySpan(() => setImmediate(start))
      else setImmediate(start)
    })
  }
}

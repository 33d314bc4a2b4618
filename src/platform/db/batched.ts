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
  /** Batches in flight by owner. */
  byOwner: Map<string, number>
}

export interface BatchOptions<I> {
  batchSize: number
  /** Batches in flight at the same time; with `ownerOf`, those of one owner. */
  concurrency: number
  /** Only items with the same key share a batch. */
  keyOf?: (item: I) => string
  /**
   * The workspace of an item. While a batch of a workspace is in flight, its next items have batches of their own, so that
   * nobody else waits for its rows, which may be locked, or for its turn.
   */
  ownerOf?: (item: I) => string
}

/** With owners, a queue has this many times the batches of one owner in flight. */
const ownersAtOnce = 4

export function batched<I, O>(
  { batchSize, concurrency, keyOf = () => '', ownerOf = () => '' }: BatchOptions<I>,
  run: (db: Db, items: readonly I[]) => Promise<readonly O[]>,
): (db: Db, item: I) => Promise<O> {
  const findQueue = defineCache(
    (): Queue<I, O> => ({ waiting: [], running: 0, byOwner: new Map<string, number>() }),
  )
  const maxRunning = concurrency * ownersAtOnce

  /** Takes the oldest item that may run, and those behind it that may share its batch. */
  function takeBatch(queue: Queue<I, O>): QueuedItem<I, O>[] {
    const countInFlight = ({ item }: QueuedItem<I, O>) => queue.byOwner.get(ownerOf(item)) ?? 0
    const first = queue.waiting.find(queued => countInFlight(queued) < concurrency)
    if (!first || queue.running >= maxRunning) return []
    const [key, owner, isBusy] = [keyOf(first.item), ownerOf(first.item), countInFlight(first) > 0]
    const mayShare = (queued: QueuedItem<I, O>) =>
      keyOf(queued.item) === key && (isBusy ? ownerOf(queued.item) === owner : countInFlight(queued) === 0)
    const batch: QueuedItem<I, O>[] = []
    queue.waiting = queue.waiting.filter(queued => {
      if (batch.length === batchSize || !mayShare(queued)) return true
      batch.push(queued)
      return false
    })
    return batch
  }

  function count(queue: Queue<I, O>, owners: ReadonlySet<string>, by: 1 | -1): void {
    queue.running += by
    for (const owner of owners) {
      const inFlight = (queue.byOwner.get(owner) ?? 0) + by
      if (inFlight > 0) queue.byOwner.set(owner, inFlight)
      else queue.byOwner.delete(owner)
    }
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
      for (let batch = takeBatch(queue); batch.length > 0; batch = takeBatch(queue)) {
        const owners = new Set(batch.map(queued => ownerOf(queued.item)))
        count(queue, owners, 1)
        void attempt(db, batch).finally(() => {
          count(queue, owners, -1)
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

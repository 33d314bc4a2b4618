/**
 * Many small writes as one: what is asked for while a batch is under way goes out together with the next; nothing waits
 * when nothing is under way. A batch that fails is tried one by one, so that one bad item does not fail its neighbours.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './db.ts'

/** A batch is everybody's: it must not count as the work of whoever happened to start it. */
const outsideAnySpan = AsyncLocalStorage.snapshot()

interface QueuedItem<I, O> {
  item: I
  resolve: (answer: O) => void
  reject: (error: unknown) => void
}

export interface BatchLimits {
  /** Items in one batch, and batches at once. */
  batchSize: number
  concurrency: number
}

export function batched<I, O>(
  { batchSize: most, concurrency: atOnce }: BatchLimits,
  run: (db: Db, items: readonly I[]) => Promise<readonly O[]>,
): (db: Db, item: I) => Promise<O> {
  const lines = new WeakMap<Db, { waiting: QueuedItem<I, O>[]; running: number }>()

  async function attempt(db: Db, batch: readonly QueuedItem<I, O>[]): Promise<void> {
    try {
      const answers = await run(
        db,
        batch.map(one => one.item),
      )
      batch.forEach((one, i) => {
        one.resolve(answers[i]!)
      })
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error)
      else await Promise.all(batch.map(one => attempt(db, [one])))
    }
  }

  return (db, item) => {
    const line = lines.get(db) ?? { waiting: [], running: 0 }
    lines.set(db, line)
    const pump = () => {
      while (line.running < atOnce && line.waiting.length > 0) {
        line.running++
        void attempt(db, line.waiting.splice(0, most)).finally(() => {
          line.running--
          pump()
        })
      }
    }
    return new Promise((resolve, reject) => {
      line.waiting.push({ item, resolve, reject })
      // What is asked for in the same turn goes together.
      if (db.tracing) outsideAnySpan(() => setImmediate(pump))
      else setImmediate(pump)
    })
  }
}

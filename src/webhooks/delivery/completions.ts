/** Writes completions in batches; completions added while a statement is in flight form the next batch. */
import { countNow } from '../../platform/counters.ts'
import type { Db } from '../../platform/db/db.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Logger } from '../../platform/log.ts'
import { type Completion, completeDeliveries } from '../store/completions.ts'

export interface CompletionWriter {
  /** Calls `done` once the completion is stored. */
  add(completion: Completion, done: () => void): void
  /** Settles when all added completions are stored. */
  flushed(): Promise<void>
}

export interface CompletionWriterOptions {
  db: Db
  /** Of the process, which counts attempts: the deliverer has connections of its own. */
  signals: Db['signals']
  log: Logger
  ensurePartitions(): Promise<void>
}

type Entry = [Completion, () => void]

const batchSize = 250
const retryMs = 200
const deferMs = 60_000

export function openCompletionWriter({
  db,
  signals,
  log,
  ensurePartitions,
}: CompletionWriterOptions): CompletionWriter {
  let waiting: Entry[] = []
  let flushing: Promise<void> | undefined
  const retryAt = () => new Date(db.clock.now().getTime() + deferMs).toISOString()

  async function flush(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // collects completions of the same turn
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      waiting = waiting.slice(batchSize)
      await store(batch)
      for (const [{ attempt, outcome }, done] of batch) {
        if (attempt) countNow({ signals }, 'parley_webhook_attempts_total', { outcome })
        done()
      }
    }
  }

  async function store(batch: Entry[]): Promise<void> {
    for (;;) {
      try {
        await ensurePartitions()
        return await completeDeliveries(
          db,
          batch.map(([completion]) => completion),
        )
      } catch (error) {
        if (!isDatabaseUnavailable(error)) return storeEach(batch, error)
        log.warn({ err: error }, 'writing webhook completions failed; retrying')
        await new Promise(resolve => setTimeout(resolve, retryMs))
      }
    }
  }

  /** Isolates a completion that cannot be stored: its delivery is returned and retried later. */
  async function storeEach(batch: Entry[], error: unknown): Promise<void> {
    if (batch.length > 1) {
      for (const entry of batch) await store([entry])
      return
    }
    const [completion, done] = batch[0]!
    const { tenantId, id, attempt } = completion
    log.error({ err: error, tenantId, deliveryId: id }, 'writing a webhook completion failed')
    if (attempt)
      await store([[{ ...completion, outcome: 'returned', nextAt: retryAt(), attempt: null }, done]])
  }

  function start(): void {
    flushing ??= flush().finally(() => {
      flushing = undefined
      if (waiting.length > 0) start()
    })
  }

  return {
    add(completion, done) {
      waiting.push([completion, done])
      start()
    },
    async flushed() {
      while (flushing) await flushing
    },
  }
}

/** Writes down how attempts went, many in one statement: what is reported while one is under way goes with the next. */
import { type Db, isConnectionLost } from '../../platform/db/db.ts'
import type { Logger } from '../../platform/log.ts'
import { type Completion, completeDeliveries } from '../store/completions.ts'

export interface CompletionWriter {
  /** `done` is called once it is stored. */
  add(settlement: Completion, done: () => void): void
  /** Everything reported is stored. */
  flushed(): Promise<void>
}

export interface CompletionWriterOptions {
  db: Db
  log: Logger
  /** Makes sure that there is a place for today's attempts. */
  ensurePartitions(): Promise<void>
}

type Entry = [Completion, () => void]

const batchSize = 250
const retryMs = 200
const deferMs = 60_000

export function openCompletionWriter({
  db,
  log,
  ensurePartitions: makeRoom,
}: CompletionWriterOptions): CompletionWriter {
  let waiting: Entry[] = []
  let flushing: Promise<void> | undefined
  const inAWhile = () => new Date(db.clock.now().getTime() + deferMs).toISOString()

  async function flush(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // what ends in the same turn goes together
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      waiting = waiting.slice(batchSize)
      await store(batch)
      for (const [, done] of batch) done()
    }
  }

  async function store(batch: Entry[]): Promise<void> {
    for (;;) {
      try {
        await makeRoom()
        return await completeDeliveries(
          db,
          batch.map(([settlement]) => settlement),
        )
      } catch (error) {
        if (!isConnectionLost(error)) return storeEach(batch, error)
        log.warn({ err: error }, 'could not write down how deliveries went; trying again')
        await new Promise(resolve => setTimeout(resolve, retryMs))
      }
    }
  }

  /** One that cannot be stored must not keep the others from it; it is tried again later. */
  async function storeEach(batch: Entry[], error: unknown): Promise<void> {
    if (batch.length > 1) {
      for (const entry of batch) await store([entry])
      return
    }
    const [settlement, done] = batch[0]!
    const { tenantId, id, attempt } = settlement
    log.error({ err: error, tenantId, deliveryId: id }, 'could not write down how a delivery went')
    if (attempt) await store([[{ ...settlement, outcome: 'back', nextAt: inAWhile(), attempt: null }, done]])
  }

  function start(): void {
    flushing ??= flush().finally(() => {
      flushing = undefined
      if (waiting.length > 0) start()
    })
  }

  return {
    add(settlement, done) {
      waiting.push([settlement, done])
      start()
    },
    async flushed() {
      while (flushing) await flushing
    },
  }
}

/** Writes down how attempts went, many in one statement: what is reported while one is under way goes with the next. */
import { type Db, isConnectionLost } from '../../platform/db/db.ts'
import type { Logger } from '../../platform/log.ts'
import { type Settlement, settleDeliveries } from '../store/settling.ts'

export interface Settler {
  /** `done` is called once it is stored. */
  report(settlement: Settlement, done: () => void): void
  /** Everything reported is stored. */
  drained(): Promise<void>
}

export interface SettlerOptions {
  db: Db
  log: Logger
  /** Makes sure that there is a place for today's attempts. */
  makeRoom(): Promise<void>
}

type Entry = [Settlement, () => void]

const perStatement = 250
const retryMs = 200
const whileMs = 60_000

export function openSettler({ db, log, makeRoom }: SettlerOptions): Settler {
  let waiting: Entry[] = []
  let flushing: Promise<void> | undefined
  const inAWhile = () => new Date(db.clock.now().getTime() + whileMs).toISOString()

  async function flush(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // what ends in the same turn goes together
    while (waiting.length > 0) {
      const batch = waiting.slice(0, perStatement)
      waiting = waiting.slice(perStatement)
      await store(batch)
      for (const [, done] of batch) done()
    }
  }

  async function store(batch: Entry[]): Promise<void> {
    for (;;) {
      try {
        await makeRoom()
        return await settleDeliveries(
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
    report(settlement, done) {
      waiting.push([settlement, done])
      start()
    },
    async drained() {
      while (flushing) await flushing
    },
  }
}

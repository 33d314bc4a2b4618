/**
 * Writes how lanes ended, many in one statement: lanes reported while a statement is in flight go out with the next. A
 * lane that the statement skipped is lost or locked at this moment: it goes out once more with the next batch, and then
 * alone, waiting for the lock.
 */
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Logger } from '../log.ts'
import type { LaneLeases, LeasedLane } from './lanes.ts'
import { type Completion, completeMany, completeOne } from './store/completions.ts'

const batchSize = 200
const retryDelayMs = 200

export interface CompletionWriterOptions {
  db: Db
  log: Logger
  leases: LaneLeases
  /** `remaining` is undefined when the lease was lost and nothing was written. */
  onWritten: (lane: LeasedLane, completion: Completion, remaining: number | undefined) => void
}

export interface CompletionWriter {
  /** Queues the lane's doneId, step and delay for writing. */
  report(lane: LeasedLane): void
  /** Resolves when everything reported is written. */
  drain(): Promise<void>
}

export function openCompletionWriter({
  db,
  log,
  leases,
  onWritten,
}: CompletionWriterOptions): CompletionWriter {
  const reported = new Set<LeasedLane>()
  const skippedOnce = new WeakSet<LeasedLane>()
  /** Lanes to be written alone. */
  const single = new Set<LeasedLane>()
  let writingBatches: Promise<void> | undefined
  let writingSingle: Promise<void> | undefined

  function nextBatch(): [LeasedLane, Completion][] {
    const lanes = [...reported].filter(lane => !single.has(lane)).slice(0, batchSize)
    for (const lane of lanes) reported.delete(lane)
    return lanes.map(lane => [lane, toCompletion(lane)])
  }

  async function writeBatches(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // lanes that end in the same tick share a batch
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const completions = batch.map(([, completion]) => completion)
      const rows = await retrying(() => completeMany(db, completions))
      const remaining = new Map(rows.map(row => [row.id, row.remaining]))
      for (const [lane, completion] of batch) {
        if (remaining.has(lane.id)) onWritten(lane, completion, remaining.get(lane.id))
        else onSkipped(lane)
      }
    }
  }

  function onSkipped(lane: LeasedLane): void {
    if (!leases.has(lane)) return
    if (skippedOnce.has(lane)) single.add(lane)
    else reported.add(lane)
    skippedOnce.add(lane)
  }

  async function writeSingle(): Promise<void> {
    for (const lane of single) {
      reported.delete(lane)
      const completion = toCompletion(lane)
      const row = await retrying(() => transact(db, tx => completeOne(tx, completion)))
      single.delete(lane)
      onWritten(lane, completion, row?.remaining)
    }
  }

  async function retrying<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.warn({ err: error }, 'writing job completions failed; retrying')
        await new Promise(resolve => setTimeout(resolve, retryDelayMs))
      }
    }
  }

  function start(): void {
    if ([...reported].some(lane => !single.has(lane)))
      writingBatches ??= writeBatches().finally(() => {
        writingBatches = undefined
        start()
      })
    if (single.size > 0)
      writingSingle ??= writeSingle().finally(() => {
        writingSingle = undefined
        start()
      })
  }

  return {
    report(lane) {
      if (!leases.has(lane)) return
      reported.add(lane)
      start()
    },
    async drain() {
      while (writingBatches || writingSingle) await Promise.all([writingBatches, writingSingle])
    },
  }
}

function toCompletion({ id, token, doneId, step, delayMs }: LeasedLane): Completion {
  return { id, token, doneId, step, delayMs }
}

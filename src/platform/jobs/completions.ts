/**
 * Writes down how lanes went, many in one statement: what is reported while one is under way goes out with the next.
 * A lane that was not written is lost, or locked by someone this moment: it goes out once more with the next ones, and
 * then alone, where it may be waited for.
 */
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Logger } from '../log.ts'
import type { LeasedLane } from './leases.ts'
import { type Completion, completeMany, completeOne } from './store/completions.ts'

const batchSize = 200
const retryDelayMs = 200

export interface CompletionWriterOptions {
  db: Db
  log: Logger
  /** `remaining` is undefined when the lease had been lost and nothing was written. */
  onWritten: (held: LeasedLane, written: Completion, remaining: number | undefined) => void
}

export interface CompletionWriter {
  /** The lane's doneId, step and delay are to be written. */
  report(held: LeasedLane): void
  /** Resolves once all that was reported is written. */
  drain(): Promise<void>
}

export function openCompletionWriter({
  db,
  log,
  onWritten: settled,
}: CompletionWriterOptions): CompletionWriter {
  const reported = new Set<LeasedLane>()
  const missedOnce = new WeakSet<LeasedLane>()
  const unwritten = new Set<LeasedLane>()
  let together: Promise<void> | undefined
  let alone: Promise<void> | undefined

  function nextBatch(): [LeasedLane, Completion][] {
    const lanes = [...reported].filter(held => !unwritten.has(held)).slice(0, batchSize)
    for (const held of lanes) reported.delete(held)
    return lanes.map(held => [held, toCompletion(held)])
  }

  async function writeTogether(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // what ends in the same turn goes together
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const rows = await retrying(() =>
        completeMany(
          db,
          batch.map(([, entry]) => entry),
        ),
      )
      const remaining = new Map(rows.map(row => [row.id, row.remaining]))
      for (const [held, entry] of batch) {
        if (remaining.has(held.id)) settled(held, entry, remaining.get(held.id))
        else missed(held)
      }
    }
  }

  function missed(held: LeasedLane): void {
    if (held.lost) return
    if (missedOnce.has(held)) unwritten.add(held)
    else reported.add(held)
    missedOnce.add(held)
  }

  async function writeAlone(): Promise<void> {
    for (const held of unwritten) {
      reported.delete(held)
      const entry = toCompletion(held)
      const row = await retrying(() => transact(db, tx => completeOne(tx, entry)))
      unwritten.delete(held)
      settled(held, entry, row?.remaining)
    }
  }

  async function retrying<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.warn({ err: error }, 'could not write down the outcome of jobs')
        await new Promise(resolve => setTimeout(resolve, retryDelayMs))
      }
    }
  }

  function start(): void {
    const writable = [...reported].some(held => !unwritten.has(held))
    if (writable) together ??= writeTogether().finally(() => ended(() => (together = undefined)))
    if (unwritten.size > 0) alone ??= writeAlone().finally(() => ended(() => (alone = undefined)))
  }

  function ended(forget: () => void): void {
    forget()
    start()
  }

  return {
    report(held) {
      if (held.lost) return
      reported.add(held)
      start()
    },
    async drain() {
      while (together || alone) await Promise.all([together, alone])
    },
  }
}

function toCompletion({ id, token, doneId, step, delayMs }: LeasedLane): Completion {
  return { id, token, doneId, step, delayMs }
}

/**
 * Writes down how lanes went, many in one statement: what is reported while one is under way goes out with the next.
 * A lane that was not written is lost, or locked by someone this moment: it goes out once more with the next ones, and
 * then alone, where it may be waited for.
 */
import type { Db } from '../db/db.ts'
import { transact } from '../db/transact.ts'
import type { Logger } from '../log.ts'
import type { Held } from './leases.ts'
import { type Settlement, settleMany, settleOne } from './store/settle.ts'

const perStatement = 200
const pauseMs = 200

export interface SettlerOptions {
  db: Db
  log: Logger
  /** `remaining` is undefined when the lease had been lost and nothing was written. */
  settled: (held: Held, written: Settlement, remaining: number | undefined) => void
}

export interface Settler {
  /** The lane's doneId, step and delay are to be written. */
  report(held: Held): void
  /** Resolves once all that was reported is written. */
  drain(): Promise<void>
}

export function openSettler({ db, log, settled }: SettlerOptions): Settler {
  const reported = new Set<Held>()
  const missedOnce = new WeakSet<Held>()
  const unwritten = new Set<Held>()
  let together: Promise<void> | undefined
  let alone: Promise<void> | undefined

  function nextBatch(): [Held, Settlement][] {
    const lanes = [...reported].filter(held => !unwritten.has(held)).slice(0, perStatement)
    for (const held of lanes) reported.delete(held)
    return lanes.map(held => [held, settlementOf(held)])
  }

  async function writeTogether(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // what ends in the same turn goes together
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const rows = await retrying(() =>
        settleMany(
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

  function missed(held: Held): void {
    if (held.gone) return
    if (missedOnce.has(held)) unwritten.add(held)
    else reported.add(held)
    missedOnce.add(held)
  }

  async function writeAlone(): Promise<void> {
    for (const held of unwritten) {
      reported.delete(held)
      const entry = settlementOf(held)
      const row = await retrying(() => transact(db, tx => settleOne(tx, entry)))
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
        await new Promise(resolve => setTimeout(resolve, pauseMs))
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
      if (held.gone) return
      reported.add(held)
      start()
    },
    async drain() {
      while (together || alone) await Promise.all([together, alone])
    },
  }
}

function settlementOf({ id, token, doneId, step, delayMs }: Held): Settlement {
  return { id, token, doneId, step, delayMs }
}

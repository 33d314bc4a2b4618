/**
 * The id above which the outbox must be read. Reading it from the beginning is correct but visits every row deleted since
 * the last vacuum, and an old snapshot can prevent vacuum. An id may be skipped forever once no transaction that was
 * writing when the id was seen can still commit a lower one: transactions get their number when they lock the rows an
 * event describes, before they draw an id. Events emitted without locking a row first are found by a full read once a
 * second.
 */
import type { SequencerPass } from './store/outbox.ts'

export interface OutboxWatermark {
  /** Read above this; 0 for everything. */
  readAbove(now: number): number
  update(pass: SequencerPass, drained: boolean): void
}

const sweepEveryMs = 1_000
const maxMarks = 64

export function outboxWatermark(): OutboxWatermark {
  let above = 0
  let sweptAt = Number.NEGATIVE_INFINITY
  const marks: { id: number; xid: number }[] = []
  return {
    readAbove(now) {
      if (now - sweptAt < sweepEveryMs) return above
      sweptAt = now
      return 0
    },
    update({ lastId: last, xid, xmin }, drained) {
      const settled = (mark: { id: number; xid: number }) =>
        mark.xid <= xmin && (drained || mark.id <= (last ?? 0))
      while (marks[0] && settled(marks[0])) above = Math.max(above, marks.shift()!.id)
      if (last === null || xid === null) return
      // While one long transaction writes, no mark settles: the newest mark then replaces those before it.
      if (marks.length === maxMarks) marks.pop()
      marks.push({ id: last, xid })
    },
  }
}

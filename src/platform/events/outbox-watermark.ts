/**
 * From which id on the outbox must be read. Reading it from the beginning each time is right but walks over every row
 * deleted since the last vacuum, and while somebody holds an old snapshot there is none. An id may be passed over for
 * good once no transaction that was writing when it was seen can still commit a lower one: transactions get their number
 * when they lock the rows they speak of, before they draw an id. Somebody who emitted without locking anything first is
 * found by the full sweep that still happens once a second.
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
      // While one long transaction writes, nothing settles: then the newest mark speaks for those before it.
      if (marks.length === maxMarks) marks.pop()
      marks.push({ id: last, xid })
    },
  }
}

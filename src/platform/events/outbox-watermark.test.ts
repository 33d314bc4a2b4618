import { describe, expect, test } from 'vitest'
import { outboxWatermark } from './outbox-watermark.ts'

const pass = (lastId: number | null, xid: number | null, xmin: number) => ({
  latestSeqs: {},
  consumers: [],
  moved: 0,
  lastId,
  xid,
  xmin,
})

describe('the watermark of the outbox', () => {
  test('rises past ids that no running transaction can still go below', () => {
    const low = outboxWatermark()
    expect(low.readAbove(0)).toBe(0)
    low.update(pass(100, 50, 45), true)
    expect(low.readAbove(1)).toBe(0) // 45 to 49 may still commit lower ids
    low.update(pass(120, 60, 51), true)
    expect(low.readAbove(2)).toBe(100)
    low.update(pass(null, null, 61), true)
    expect(low.readAbove(3)).toBe(120)
  })

  test('stays while a transaction that was writing then still runs', () => {
    const low = outboxWatermark()
    low.readAbove(0)
    low.update(pass(100, 50, 45), true)
    for (let n = 1; n < 500; n++) low.update(pass(100 + n, 50 + n, 45), true)
    expect(low.readAbove(1)).toBe(0)
    low.update(pass(null, null, 1_000), true)
    expect(low.readAbove(2)).toBe(599)
  })

  test('does not pass rows that a full batch left behind', () => {
    const low = outboxWatermark()
    low.readAbove(0)
    low.update(pass(100, 50, 50), true)
    low.update(pass(90, 60, 60), false) // those of a transaction that has just committed, and there are more
    expect(low.readAbove(1)).toBe(0)
    low.update(pass(130, 70, 70), false)
    expect(low.readAbove(2)).toBe(100)
  })

  test('is ignored once a second', () => {
    const low = outboxWatermark()
    expect(low.readAbove(0)).toBe(0)
    low.update(pass(100, 50, 45), true)
    low.update(pass(null, null, 60), true)
    expect([low.readAbove(999), low.readAbove(1_000), low.readAbove(1_001)]).toEqual([100, 0, 100])
  })
})

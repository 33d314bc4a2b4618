import type { Clock } from '../../src/platform/clock.ts'

export interface MovableClock extends Clock {
  advance(ms: number): void
}

export function movableClock(): MovableClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    offsetMs: () => offset,
    advance: ms => {
      offset += ms
    },
  }
}

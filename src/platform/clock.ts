/** The one source of time for business rules. Tests move it; production never does. */
export interface Clock {
  now(): Date
  /** How far the clock is from the machine's, for statements that compare with the database's own time. */
  offsetMs(): number
}

export interface MovableClock extends Clock {
  advance(ms: number): void
}

export const systemClock: Clock = { now: () => new Date(), offsetMs: () => 0 }

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

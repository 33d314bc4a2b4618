/** The time of business rules. Tests can advance it. */
export interface Clock {
  now(): Date
  /** Offset from the machine's clock, for statements that compare with the database's time. */
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

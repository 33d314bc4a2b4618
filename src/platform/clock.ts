/** The time of business rules. Tests can advance it. */
export interface Clock {
  now(): Date
  /** Offset from the machine's clock, for statements that compare with the database's time. */
  offsetMs(): number
}

export const systemClock: Clock = { now: () => new Date(), offsetMs: () => 0 }

/**
 * How fast a campaign may go: by its own rate, and by what its inbox has left for all its campaigns together. A tenth of
 * the inbox's rate is kept for people. Kept in the database, so that any number of processes share one rate.
 */
const campaignShare = 0.9
const burstMs = 100

export function getCampaignShare(rate: number | null): number | null {
  return rate === null ? null : rate * campaignShare
}

/** The slower of the two; null: no limit is known. */
export function minRate(...rates: (number | null)[]): number | null {
  const known = rates.filter(rate => rate !== null)
  return known.length === 0 ? null : Math.min(...known)
}

export interface RateAllowance {
  /** How many may go now. */
  available: number
  /** Until one more may. */
  waitMs: number
  /** Up to when the rate is used up once so many have gone. */
  limitedUntil(sent: number): number
}

export function computeAllowance(rate: number, pacedTo: number, now: number): RateAllowance {
  const interval = 1_000 / rate
  // What was not used is not saved up, beyond one moment's worth.
  const from = Math.max(pacedTo, now - Math.max(burstMs, interval))
  const room = Math.max(0, Math.floor((now - from) / interval + 1e-6))
  return {
    available: room,
    waitMs: Math.max(1, from + interval - now),
    limitedUntil: sent => from + sent * interval,
  }
}

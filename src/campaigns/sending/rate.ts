/**
 * Campaign rate limits: the campaign's own rate, and 90 % of the inbox's rate shared by all its campaigns; the rest is
 * reserved for agents. The state is in the database and shared by all processes.
 */
const campaignShare = 0.9
const burstMs = 100

export function getCampaignShare(rate: number | null): number | null {
  return rate === null ? null : rate * campaignShare
}

/** Null: unlimited. */
export function minRate(...rates: (number | null)[]): number | null {
  const known = rates.filter(rate => rate !== null)
  return known.length === 0 ? null : Math.min(...known)
}

export interface RateAllowance {
  /** Messages allowed now. */
  available: number
  /** Time until the next message is allowed. */
  waitMs: number
  /** Returns the time until which the rate is used up after sending this many messages. */
  limitedUntil(sent: number): number
}

export function computeAllowance(rate: number, pacedTo: number, now: number): RateAllowance {
  const interval = 1_000 / rate
  // Unused capacity accumulates for one burst only.
  const from = Math.max(pacedTo, now - Math.max(burstMs, interval))
  const room = Math.max(0, Math.floor((now - from) / interval + 1e-6))
  return {
    available: room,
    waitMs: Math.max(1, from + interval - now),
    limitedUntil: sent => from + sent * interval,
  }
}

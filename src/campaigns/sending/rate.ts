/**
 * Campaign rate limits: the campaign's own rate, and 90 % of the inbox's rate shared by all its campaigns; the rest is
 * reserved for agents. The state is in the database and shared by all processes.
 */
import { type BucketReading, readBucket } from '../../platform/limits/token-bucket.ts'

const campaignShare = 0.9
const burstSeconds = 0.1

export function getCampaignShare(rate: number | null): number | null {
  return rate === null ? null : rate * campaignShare
}

/** Null: unlimited. */
export function minRate(...rates: (number | null)[]): number | null {
  const known = rates.filter(rate => rate !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Reads the bucket of a rate in messages per second. Unused capacity accumulates for one burst only. */
export function readRate(rate: number, reservedUntil: number, now: number): BucketReading {
  return readBucket({ perSecond: rate, burst: Math.max(1, rate * burstSeconds) }, reservedUntil, now)
}

/** Messages allowed now; tolerates rounding. */
export const countAllowed = ({ tokens }: BucketReading): number => Math.max(0, Math.floor(tokens + 1e-6))

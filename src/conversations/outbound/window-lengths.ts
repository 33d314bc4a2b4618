/** How long after the customer's last message free-form content may be sent. */
import type { Channel } from '../../platform/config.ts'

const day = 24 * 3_600_000

/** null: always. */
export const windowLengths: Record<Channel, { agent: number | null; automated: number | null }> = {
  chatapp: { agent: day, automated: day },
  socialapp: { agent: 7 * day, automated: day },
  sms: { agent: null, automated: null },
  webchat: { agent: null, automated: null },
}

/** Null where the channel has no window, and when the customer has not written yet. */
export function getWindowExpiry(channel: Channel, lastCustomerAt: string | null): string | null {
  const lengthMs = windowLengths[channel].automated
  if (lengthMs === null || lastCustomerAt === null) return null
  return new Date(Date.parse(lastCustomerAt) + lengthMs).toISOString()
}

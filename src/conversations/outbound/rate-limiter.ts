/**
 * Limits how fast an inbox sends, and how fast it sends to one recipient, so that providers do not refuse messages.
 * Reservations are rows in the database, shared by all processes; each process reserves 50 ms at a time, so that a fast
 * inbox does not wait for the database. The lenient sandbox has no limits.
 */
import { LRUCache } from 'lru-cache'
import type { Account } from '../../inboxes/providers/provider.ts'
import { defineCache } from '../../platform/caches.ts'
import type { Deps } from '../../platform/deps.ts'
import { RetryLater } from '../../platform/jobs/job.ts'
import { getReservedMs, reserveTime, takeToken } from '../../platform/limits/stored-buckets.ts'

/** Limit of the chat provider: 45 messages to one recipient immediately, then one every six seconds. */
export const recipientLimit = { perSecond: 1 / 6, burst: 45 }
const reservationMs = 50
/** Longer waits go back into the queue. */
const maxInlineWaitMs = 15
/** Unused slots expire: an inbox that was idle must not catch up. */
const unusedSlotTtlMs = 200
/** A message that misses its slot by more needs a new one: delayed messages must not leave in a burst. */
const maxSlotAgeMs = 1_000

const inboxLimited = 'the inbox has reached its send rate'
const recipientLimited = 'the recipient has reached the rate limit of the channel'

interface Reservation {
  /** Time of the next slot, on the monotonic clock. */
  nextAt: number
  remaining: number
}

interface RateLimiterState {
  reservations: Map<string, Promise<Reservation>>
  /** Slots of messages that wait, by message id. */
  slots: LRUCache<string, number>
}

const stateCache = defineCache(
  (): RateLimiterState => ({
    reservations: new Map(),
    slots: new LRUCache({ max: 200_000, ttl: 3_600_000 }),
  }),
)

type SendingInbox = Pick<Account, 'tenantId' | 'inboxId' | 'channel' | 'rate'>

const isUnlimited = ({ channels }: Pick<Deps, 'channels'>, { channel }: SendingInbox): boolean =>
  channels[channel].isLenient

/** Returns the key of the bucket of an inbox, or of an inbox with one recipient. */
export function toBucketKey(inbox: Pick<Account, 'tenantId' | 'inboxId'>, conversationId = ''): string {
  return `send ${inbox.tenantId} ${inbox.inboxId} ${conversationId}`
}

/** Waits for the message's slot, or throws RetryLater when that takes long. */
export async function acquireInboxSlot(deps: Deps, inbox: SendingInbox, messageId: string): Promise<void> {
  if (inbox.rate === null || isUnlimited(deps, inbox)) return
  const { slots } = stateCache(deps)
  const reserved = slots.get(messageId)
  const isMissed = reserved === undefined || reserved < performance.now() - maxSlotAgeMs
  const dueAt = isMissed ? await getNextSlot(deps, inbox, inbox.rate) : reserved
  const waitMs = dueAt - performance.now()
  slots.set(messageId, dueAt)
  if (waitMs > maxInlineWaitMs) throw new RetryLater(waitMs, inboxLimited)
  if (waitMs > 0) await new Promise(resolve => setTimeout(resolve, waitMs))
}

/** Returns the time of the next free slot. Concurrent callers share a reservation. */
async function getNextSlot(deps: Deps, inbox: SendingInbox, rate: number): Promise<number> {
  const { reservations } = stateCache(deps)
  const intervalMs = 1000 / rate
  for (;;) {
    const pending = reservations.get(inbox.inboxId)
    const reservation = await pending?.catch(() => undefined)
    if (
      reservation &&
      reservation.remaining > 0 &&
      reservation.nextAt > performance.now() - unusedSlotTtlMs
    ) {
      const dueAt = reservation.nextAt
      reservation.nextAt += intervalMs
      reservation.remaining--
      return dueAt
    }
    // Of several callers that found the reservation used up, the first makes the next one.
    if (reservations.get(inbox.inboxId) === pending)
      reservations.set(inbox.inboxId, reserveSlots(deps, inbox, intervalMs))
  }
}

async function reserveSlots(
  { db }: Deps,
  { tenantId, inboxId }: SendingInbox,
  intervalMs: number,
): Promise<Reservation> {
  const count = Math.max(1, Math.floor(reservationMs / intervalMs))
  const waitMs = await reserveTime(db, toBucketKey({ tenantId, inboxId }), count * intervalMs)
  return { nextAt: performance.now() + waitMs, remaining: count }
}

/** Called right before the send: uses one of the recipient's slots, or throws RetryLater. */
export async function acquireRecipientSlot(
  deps: Deps,
  inbox: SendingInbox,
  message: { id: string; conversationId: string },
): Promise<void> {
  const { conversationId } = message
  if (inbox.channel === 'chatapp' && !isUnlimited(deps, inbox)) {
    if (!(await takeToken(deps.db, toBucketKey(inbox, conversationId), recipientLimit)))
      throw new RetryLater(await getRecipientWait(deps, inbox, conversationId), recipientLimited)
  }
  stateCache(deps).slots.delete(message.id)
}

async function getRecipientWait(
  { db }: Pick<Deps, 'db'>,
  inbox: SendingInbox,
  conversationId: string,
): Promise<number> {
  const reservedMs = await getReservedMs(db, toBucketKey(inbox, conversationId))
  return Math.max(0, reservedMs - ((recipientLimit.burst - 1) * 1_000) / recipientLimit.perSecond)
}

const minReportedWaitMs = 1_000

/** Returns why and for how long a message would wait; undefined when it could be sent now. */
export async function getSendDelay(
  deps: Deps,
  inbox: SendingInbox,
  conversationId: string | undefined,
): Promise<{ code: string; message: string; waitMs: number } | undefined> {
  if (isUnlimited(deps, inbox)) return undefined
  if (inbox.channel === 'chatapp' && conversationId) {
    const waitMs = await getRecipientWait(deps, inbox, conversationId)
    if (waitMs > 0) return { code: 'pair_rate_limited', message: recipientLimited, waitMs }
  }
  const waitMs = inbox.rate === null ? 0 : await getReservedMs(deps.db, toBucketKey(inbox))
  return waitMs > minReportedWaitMs ? { code: 'rate_limited', message: inboxLimited, waitMs } : undefined
}

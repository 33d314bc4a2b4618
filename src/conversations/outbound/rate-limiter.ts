/**
 * How fast an inbox sends, and how fast to one person: what the provider would refuse is not tried before its time. The
 * booking is in the database, so that all processes together keep to it; each books a twentieth of a second at once, so
 * that a fast inbox is no bottleneck. A number of the sandbox has no limits unless the sandbox is strict.
 */
import { LRUCache } from 'lru-cache'
import type { Account } from '../../inboxes/provider.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { RetryLater } from '../../platform/jobs/job.ts'
import { getReservedMs, reserveInbox, reserveRecipient } from '../store/rate-limits.ts'

/** The chat provider lets 45 go to one person at once, and then one every six seconds. */
const recipientLimit = { everyMs: 6_000, aheadMs: 45 * 6_000 }
const reservationMs = 50
/** A wait this short is not worth going back into the queue for. */
const maxInlineWaitMs = 15
/** Slots that nobody used by then are gone: an inbox that was quiet does not make up for it. */
const unusedSlotTtlMs = 200
/** So long after its turn a message must ask for another: those that were held up must not leave all at once. */
const maxSlotAgeMs = 1_000

interface Reservation {
  /** When the next slot is, by the monotonic clock. */
  nextAt: number
  remaining: number
}

interface RateLimiterState {
  reservations: Map<string, Promise<Reservation>>
  /** When a message that was told to wait may go. */
  slots: LRUCache<string, number>
}

const states = new WeakMap<Db, RateLimiterState>()

function getState({ db }: Pick<Deps, 'db'>): RateLimiterState {
  let book = states.get(db)
  if (!book) {
    book = { reservations: new Map(), slots: new LRUCache({ max: 200_000, ttl: 3_600_000 }) }
    states.set(db, book)
  }
  return book
}

type SendingInbox = Pick<Account, 'tenantId' | 'inboxId' | 'channel' | 'rate'>

const isUnlimited = ({ channels }: Pick<Deps, 'channels'>, { channel }: SendingInbox): boolean =>
  channels[channel].isLenient

/** Comes back when it is this message's turn, or throws RetryLater until then. */
export async function acquireInboxSlot(deps: Deps, inbox: SendingInbox, messageId: string): Promise<void> {
  if (inbox.rate === null || isUnlimited(deps, inbox)) return
  const { slots: promised } = getState(deps)
  const earlier = promised.get(messageId)
  const missed = earlier === undefined || earlier < performance.now() - maxSlotAgeMs
  const due = missed ? await getNextSlot(deps, inbox, inbox.rate) : earlier
  const wait = due - performance.now()
  promised.set(messageId, due)
  if (wait > maxInlineWaitMs) throw new RetryLater(wait, 'the inbox sends as fast as it may')
  if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
}

/** The next free slot; whoever comes while a booking is under way waits for that one. */
async function getNextSlot(deps: Deps, inbox: SendingInbox, rate: number): Promise<number> {
  const { reservations: inboxes } = getState(deps)
  const everyMs = 1000 / rate
  for (;;) {
    const booking = inboxes.get(inbox.inboxId)
    const booked = await booking?.catch(() => undefined)
    if (booked && booked.remaining > 0 && booked.nextAt > performance.now() - unusedSlotTtlMs) {
      const due = booked.nextAt
      booked.nextAt += everyMs
      booked.remaining--
      return due
    }
    // Of those who found it used up together, the first books anew for all.
    if (inboxes.get(inbox.inboxId) === booking) inboxes.set(inbox.inboxId, reserveSlots(deps, inbox, everyMs))
  }
}

async function reserveSlots(
  { db }: Deps,
  { tenantId, inboxId }: SendingInbox,
  everyMs: number,
): Promise<Reservation> {
  const count = Math.max(1, Math.floor(reservationMs / everyMs))
  const wait = await reserveInbox(db, tenantId, inboxId, count * everyMs)
  return { nextAt: performance.now() + wait, remaining: count }
}

/** Right before the send: takes one of those that may go to this person, or throws RetryLater. */
export async function acquireRecipientSlot(
  deps: Deps,
  inbox: SendingInbox,
  message: { id: string; conversationId: string },
): Promise<void> {
  const { conversationId } = message
  if (inbox.channel === 'chatapp' && !isUnlimited(deps, inbox)) {
    const pair = { inboxId: inbox.inboxId, conversationId }
    if (!(await reserveRecipient(deps.db, inbox.tenantId, pair, recipientLimit)))
      throw new RetryLater(
        await getRecipientWait(deps, inbox, conversationId),
        'this person is written to as fast as one may',
      )
  }
  getState(deps).slots.delete(message.id)
}

async function getRecipientWait(
  { db }: Pick<Deps, 'db'>,
  { tenantId, inboxId }: SendingInbox,
  conversationId: string,
): Promise<number> {
  const booked = await getReservedMs(db, tenantId, inboxId, conversationId)
  return Math.max(0, booked - (recipientLimit.aheadMs - recipientLimit.everyMs))
}

const minReportedWaitMs = 1_000

/** For those who want to know beforehand: why it would have to wait, and until when. */
export async function getSendDelay(
  deps: Deps,
  inbox: SendingInbox,
  conversationId: string | undefined,
): Promise<{ code: string; message: string; waitMs: number } | undefined> {
  if (isUnlimited(deps, inbox)) return undefined
  if (inbox.channel === 'chatapp' && conversationId) {
    const waitMs = await getRecipientWait(deps, inbox, conversationId)
    if (waitMs > 0)
      return { code: 'pair_rate_limited', message: 'this person is written to as fast as one may', waitMs }
  }
  const waitMs = inbox.rate === null ? 0 : await getReservedMs(deps.db, inbox.tenantId, inbox.inboxId)
  return waitMs > minReportedWaitMs
    ? { code: 'rate_limited', message: 'the inbox sends as fast as it may', waitMs }
    : undefined
}

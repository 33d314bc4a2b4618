/**
 * How fast an inbox sends, and how fast to one person: what the provider would refuse is not tried before its time. The
 * booking is in the database, so that all processes together keep to it; each books a twentieth of a second at once, so
 * that a fast inbox is no bottleneck. A number of the sandbox has no limits unless the sandbox is strict.
 */
import { LRUCache } from 'lru-cache'
import type { Account } from '../inboxes/provider.ts'
import type { Db } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { RetryLater } from '../platform/jobs/job.ts'
import { bookedFor, bookInbox, takePair } from './store/pace.ts'

/** The chat provider lets 45 go to one person at once, and then one every six seconds. */
const pairs = { everyMs: 6_000, aheadMs: 45 * 6_000 }
const bookedAtOnceMs = 50
/** A wait this short is not worth going back into the queue for. */
const shortMs = 15
/** Slots that nobody used by then are gone: an inbox that was quiet does not make up for it. */
const keptMs = 200
/** So long after its turn a message must ask for another: those that were held up must not leave all at once. */
const lateMs = 1_000

interface Booked {
  /** When the next slot is, by the monotonic clock. */
  next: number
  left: number
}

interface Book {
  inboxes: Map<string, Promise<Booked>>
  /** When a message that was told to wait may go. */
  promised: LRUCache<string, number>
}

const books = new WeakMap<Db, Book>()

function bookOf({ db }: Pick<Deps, 'db'>): Book {
  let book = books.get(db)
  if (!book) {
    book = { inboxes: new Map(), promised: new LRUCache({ max: 200_000, ttl: 3_600_000 }) }
    books.set(db, book)
  }
  return book
}

type Sender = Pick<Account, 'tenantId' | 'inboxId' | 'channel' | 'rate'>

const isFree = ({ channels }: Pick<Deps, 'channels'>, { channel }: Sender): boolean =>
  channels[channel].isLenient

/** Comes back when it is this message's turn, or throws RetryLater until then. */
export async function awaitTurn(deps: Deps, inbox: Sender, messageId: string): Promise<void> {
  if (inbox.rate === null || isFree(deps, inbox)) return
  const { promised } = bookOf(deps)
  const earlier = promised.get(messageId)
  const missed = earlier === undefined || earlier < performance.now() - lateMs
  const due = missed ? await slotOf(deps, inbox, inbox.rate) : earlier
  const wait = due - performance.now()
  promised.set(messageId, due)
  if (wait > shortMs) throw new RetryLater(wait, 'the inbox sends as fast as it may')
  if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
}

/** The next free slot; whoever comes while a booking is under way waits for that one. */
async function slotOf(deps: Deps, inbox: Sender, rate: number): Promise<number> {
  const { inboxes } = bookOf(deps)
  const everyMs = 1000 / rate
  for (;;) {
    const booking = inboxes.get(inbox.inboxId)
    const booked = await booking?.catch(() => undefined)
    if (booked && booked.left > 0 && booked.next > performance.now() - keptMs) {
      const due = booked.next
      booked.next += everyMs
      booked.left--
      return due
    }
    // Of those who found it used up together, the first books anew for all.
    if (inboxes.get(inbox.inboxId) === booking) inboxes.set(inbox.inboxId, book(deps, inbox, everyMs))
  }
}

async function book({ db }: Deps, { tenantId, inboxId }: Sender, everyMs: number): Promise<Booked> {
  const count = Math.max(1, Math.floor(bookedAtOnceMs / everyMs))
  const wait = await bookInbox(db, tenantId, inboxId, count * everyMs)
  return { next: performance.now() + wait, left: count }
}

/** Right before the send: takes one of those that may go to this person, or throws RetryLater. */
export async function takeTurn(
  deps: Deps,
  inbox: Sender,
  message: { id: string; conversationId: string },
): Promise<void> {
  const { conversationId } = message
  if (inbox.channel === 'chatapp' && !isFree(deps, inbox)) {
    const pair = { inboxId: inbox.inboxId, conversationId }
    if (!(await takePair(deps.db, inbox.tenantId, pair, pairs)))
      throw new RetryLater(
        await pairWait(deps, inbox, conversationId),
        'this person is written to as fast as one may',
      )
  }
  bookOf(deps).promised.delete(message.id)
}

async function pairWait(
  { db }: Pick<Deps, 'db'>,
  { tenantId, inboxId }: Sender,
  conversationId: string,
): Promise<number> {
  const booked = await bookedFor(db, tenantId, inboxId, conversationId)
  return Math.max(0, booked - (pairs.aheadMs - pairs.everyMs))
}

const noticeableMs = 1_000

/** For those who want to know beforehand: why it would have to wait, and until when. */
export async function delayOf(
  deps: Deps,
  inbox: Sender,
  conversationId: string | undefined,
): Promise<{ code: string; message: string; waitMs: number } | undefined> {
  if (isFree(deps, inbox)) return undefined
  if (inbox.channel === 'chatapp' && conversationId) {
    const waitMs = await pairWait(deps, inbox, conversationId)
    if (waitMs > 0)
      return { code: 'pair_rate_limited', message: 'this person is written to as fast as one may', waitMs }
  }
  const waitMs = inbox.rate === null ? 0 : await bookedFor(deps.db, inbox.tenantId, inbox.inboxId)
  return waitMs > noticeableMs
    ? { code: 'rate_limited', message: 'the inbox sends as fast as it may', waitMs }
    : undefined
}

/**
 * Limits of visitors, of their networks and of inboxes. Each process counts separately. RATE_LIMIT=0 turns them off, like
 * the limits of callers. An inbox with an unusual number of new visitors admits those who say who they are.
 */
import { defineCache } from '../platform/caches.ts'
import type { Deps } from '../platform/deps.ts'
import { Problem } from '../platform/errors.ts'
import type { Visitor } from '../platform/http/caller.ts'
import { createRateLimit, type RateLimit, toClientNetwork } from '../platform/http/rate-limit.ts'
import { PreChatRequired } from './errors.ts'

const perMinute = (name: string, count: number, burst = count): RateLimit =>
  createRateLimit({ name, perSecond: count / 60, burst })

const limits = defineCache(() => ({
  newVisitors: { network: perMinute('address', 60), inbox: perMinute('inbox', 600) },
  /** For new visitors with a name and an address, once the inbox is above its limit. */
  namedVisitors: { network: perMinute('address', 6), inbox: perMinute('inbox', 120) },
  messages: {
    visitor: perMinute('visitor', 30),
    network: perMinute('address', 300),
    inbox: perMinute('inbox', 6_000),
  },
  uploads: {
    visitor: perMinute('visitor', 6, 10),
    network: perMinute('address', 60),
    inbox: perMinute('inbox', 600),
  },
  identities: { visitor: perMinute('visitor', 12), network: perMinute('address', 120) },
  /** Reading, typing, read state, tickets. */
  requests: { visitor: perMinute('visitor', 300), network: perMinute('address', 6_000) },
}))

type LimitedAction = 'messages' | 'uploads' | 'identities' | 'requests'
interface Limits {
  visitor: RateLimit
  network: RateLimit
  /** Only for what costs storage or the time of agents. */
  inbox?: RateLimit
}
type LimitDeps = Pick<Deps, 'config' | 'caches'>

/** Throws 429 when the visitor, its network or the visitors of the inbox together do too much. */
export function limitVisitor(
  deps: LimitDeps,
  action: LimitedAction,
  { id, inboxId }: Pick<Visitor, 'id' | 'inboxId'>,
  address: string,
): void {
  if (!deps.config.rateLimit) return
  const { visitor, network, inbox }: Limits = limits(deps)[action]
  visitor.take(id)
  network.take(toClientNetwork(address))
  inbox?.take(inboxId)
}

/** Throws 429 when the network or the inbox has too many new visitors. */
export function admitNewVisitor(
  deps: LimitDeps,
  inbox: { id: string },
  { network, contact }: { network: string; contact?: unknown },
): void {
  if (!deps.config.rateLimit) return
  const { newVisitors, namedVisitors } = limits(deps)
  newVisitors.network.take(network)
  try {
    newVisitors.inbox.take(inbox.id)
  } catch (error) {
    if (!contact)
      throw new Problem(PreChatRequired, {
        detail: 'send `contact` with name and email',
        headers: error instanceof Problem ? (error.extras.headers ?? {}) : {},
      })
    namedVisitors.network.take(network)
    namedVisitors.inbox.take(inbox.id)
  }
}

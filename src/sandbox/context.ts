/** Everything the three providers share: their memory, their clock, their bad days. */
import type { Logger } from '../platform/log.ts'
import type { CallbackClient } from './callbacks/http-client.ts'
import { type PlannedCallback, planSteps } from './callbacks/plan.ts'
import type { CallbackQueue } from './callbacks/queue.ts'
import type { AccountRef } from './channels.ts'
import type { SandboxClock } from './clock.ts'
import type { ConversationState } from './conversation-state.ts'
import type { Behaviour } from './failure-modes.ts'
import type { FaultInjector } from './faults.ts'
import { toMessageId } from './identifiers.ts'
import type { MagicNumbers } from './magic-numbers.ts'
import type { MediaStore } from './media/media-store.ts'
import type { Inbound } from './schemas.ts'
import type { Entry, Ledger } from './store/ledger.ts'
import type { Registry } from './store/registry.ts'
import type { TokenBuckets } from './token-buckets.ts'

export interface SandboxContext {
  strict: boolean
  appSecret: string
  verifyToken: string
  /** where this sandbox is reached, for addresses that callbacks carry */
  url: string
  log: Logger
  clock: SandboxClock
  registry: Registry
  ledger: Ledger
  conversations: ConversationState
  callbacks: CallbackQueue
  httpClient: CallbackClient
  faults: FaultInjector
  magicNumbers: MagicNumbers
  media: MediaStore
  recipientLimits: TokenBuckets
  numberLimits: TokenBuckets
  fastNumberLimits: TokenBuckets
  /** A customer does something; answers the provider's id of it. */
  simulateInbound(account: AccountRef, inbound: Inbound): Promise<string>
}

export const getEpoch = (world: SandboxContext): number => world.registry.get<number>('epoch') ?? 0

export function getMessageId(world: SandboxContext, entry: Entry): string {
  const given = entry.metadata.id
  if (typeof given === 'string') return given
  return toMessageId(entry.channel, getEpoch(world), entry.n, entry.metadata.media === true)
}

export interface NewEntry {
  kind: Entry['kind']
  account: AccountRef
  peer: string
  about: Record<string, unknown>
  payload: string | Buffer
  callbacks: PlannedCallback[]
  behaviour?: Behaviour
  /** how long until the provider gets round to it */
  queueDelayMs?: number
}

/** Puts something into the ledger together with the callbacks it will cause. When this settles, it has happened. */
export async function recordEntry(world: SandboxContext, happening: NewEntry): Promise<Entry> {
  const { kind, account, peer, about, behaviour = {}, queueDelayMs: queuedMs = 0 } = happening
  const at = world.clock.now(account)
  const name = `${account.channel}/${account.account}/${world.ledger.last + 1}`
  const steps = planSteps(
    { faults: world.faults, account, name },
    happening.callbacks,
    behaviour,
    at + queuedMs,
  )
  const { channel, account: id } = account
  const { entry, written } = world.ledger.append(
    { kind, channel, account: id, customer: peer, at, steps, metadata: about },
    happening.payload,
  )
  world.conversations.apply(entry)
  world.callbacks.track(entry)
  try {
    await written
  } catch (error) {
    world.callbacks.untrack(entry)
    throw error
  }
  world.callbacks.schedule(entry)
  return entry
}

/** State shared by the three simulated providers, and the function that records a message or event. */

import type { TokenBuckets } from '../platform/limits/token-bucket.ts'
import type { Logger } from '../platform/log.ts'
import type { CallbackClient } from './callbacks/http-client.ts'
import { type PlannedCallback, planSteps } from './callbacks/plan.ts'
import type { CallbackQueue } from './callbacks/queue.ts'
import type { SandboxClock } from './clock.ts'
import type { ConversationState } from './conversation-state.ts'
import type { Behaviour } from './failure-modes.ts'
import type { FaultInjector } from './faults.ts'
import { type AccountRef, parseMessageId, toMessageId } from './identifiers.ts'
import type { MagicNumbers } from './magic-numbers.ts'
import type { MediaStore } from './media/media-store.ts'
import type { Inbound } from './schemas.ts'
import type { SendQueues } from './sms/segments.ts'
import type { Entry, Ledger, StoredEntry } from './store/ledger.ts'
import type { Registry } from './store/registry.ts'

export interface SandboxContext {
  strict: boolean
  appSecret: string
  verifyToken: string
  /** base URL of this sandbox, for file URLs in callbacks */
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
  smsQueues: SendQueues
  /** Simulates a customer action and returns the provider's message id. */
  simulateInbound(account: AccountRef, inbound: Inbound): Promise<string>
}

export const getEpoch = (context: SandboxContext): number => context.registry.get<number>('epoch') ?? 0

export function getMessageId(context: SandboxContext, entry: Entry): string {
  const { id } = entry.metadata
  if (typeof id === 'string') return id
  return toMessageId(entry.channel, getEpoch(context), entry.position, entry.metadata.media === true)
}

export async function findMessage(context: SandboxContext, id: string): Promise<StoredEntry | undefined> {
  const position = parseMessageId(getEpoch(context), id)
  return position === undefined ? undefined : context.ledger.find(position)
}

export interface NewEntry {
  kind: Entry['kind']
  account: AccountRef
  customer: string
  metadata: Record<string, unknown>
  payload: string | Buffer
  callbacks: PlannedCallback[]
  behaviour?: Behaviour
  /** time the message waits in the provider's send queue */
  queueDelayMs?: number
}

/** Appends an entry with its planned callbacks to the ledger and schedules the callbacks once the entry is written. */
export async function recordEntry(context: SandboxContext, newEntry: NewEntry): Promise<Entry> {
  const { kind, account, customer, metadata, behaviour = {}, queueDelayMs = 0 } = newEntry
  const at = context.clock.now(account)
  const name = `${account.channel}/${account.account}/${context.ledger.last + 1}`
  const steps = planSteps(
    { faults: context.faults, account, name },
    newEntry.callbacks,
    behaviour,
    at + queueDelayMs,
  )
  const { entry, written } = context.ledger.append(
    { kind, ...account, customer, at, steps, metadata },
    newEntry.payload,
  )
  context.conversations.apply(entry)
  context.callbacks.track(entry)
  try {
    await written
  } catch (error) {
    context.callbacks.untrack(entry)
    throw error
  }
  context.callbacks.schedule(entry)
  return entry
}

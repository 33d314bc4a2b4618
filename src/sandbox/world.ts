/** Everything the three providers share: their memory, their clock, their bad days. */
import type { Logger } from '../platform/log.ts'
import type { Buckets } from './buckets.ts'
import type { Callbacks } from './callbacks/callbacks.ts'
import type { Caller } from './callbacks/calls.ts'
import { plan, type Telling } from './callbacks/plan.ts'
import type { AccountRef } from './channels.ts'
import type { Conversations } from './conversations.ts'
import type { FaultBook } from './faults.ts'
import { messageId } from './identifiers.ts'
import type { Magic } from './magic.ts'
import type { MediaShelf } from './media-shelf.ts'
import type { Inbound } from './schemas.ts'
import type { Entry, Ledger } from './store/ledger.ts'
import type { Registry } from './store/registry.ts'
import type { Behaviour } from './symptoms.ts'
import type { Time } from './time.ts'

export interface World {
  strict: boolean
  appSecret: string
  verifyToken: string
  /** where this sandbox is reached, for addresses that callbacks carry */
  url: string
  log: Logger
  time: Time
  registry: Registry
  ledger: Ledger
  conversations: Conversations
  callbacks: Callbacks
  caller: Caller
  faults: FaultBook
  magic: Magic
  media: MediaShelf
  pairs: Buckets
  numbers: Buckets
  fastNumbers: Buckets
  /** A customer does something; answers the provider's id of it. */
  customer(account: AccountRef, inbound: Inbound): Promise<string>
}

export const epochOf = (world: World): number => world.registry.get<number>('epoch') ?? 0

export function idOf(world: World, entry: Entry): string {
  const given = entry.about.id
  if (typeof given === 'string') return given
  return messageId(entry.channel, epochOf(world), entry.n, entry.about.media === true)
}

export interface Happening {
  kind: Entry['kind']
  account: AccountRef
  peer: string
  about: Record<string, unknown>
  payload: string | Buffer
  tellings: Telling[]
  behaviour?: Behaviour
  /** how long until the provider gets round to it */
  queuedMs?: number
}

/** Puts something into the ledger together with the callbacks it will cause. When this settles, it has happened. */
export async function record(world: World, happening: Happening): Promise<Entry> {
  const { kind, account, peer, about, behaviour = {}, queuedMs = 0 } = happening
  const at = world.time.now(account)
  const name = `${account.channel}/${account.account}/${world.ledger.last + 1}`
  const steps = plan({ faults: world.faults, account, name }, happening.tellings, behaviour, at + queuedMs)
  const { channel, account: id } = account
  const { entry, written } = world.ledger.append(
    { kind, channel, account: id, peer, at, steps, about },
    happening.payload,
  )
  world.conversations.remember(entry)
  world.callbacks.owe(entry)
  try {
    await written
  } catch (error) {
    world.callbacks.forgive(entry)
    throw error
  }
  world.callbacks.begin(entry)
  return entry
}

/** Per conversation: time of the last inbound message, and opt-out. */
import type { Channel } from './identifiers.ts'
import type { Entry } from './store/ledger.ts'

const toKey = (channel: Channel, account: string, customer: string) => `${channel}/${account}/${customer}`

export class ConversationState {
  readonly #lastInbound = new Map<string, number>()
  readonly #optedOut = new Set<string>()

  /** Applies a ledger entry, when it is recorded and when the ledger is loaded. */
  apply({ kind, channel, account, customer, at, metadata }: Entry): void {
    if (kind !== 'received') return
    const key = toKey(channel, account, customer)
    if (metadata.opensWindow !== false) this.#lastInbound.set(key, at)
    if (metadata.optOut === 'STOP') this.#optedOut.add(key)
    if (metadata.optOut === 'START') this.#optedOut.delete(key)
  }

  lastInboundAt(channel: Channel, account: string, customer: string): number | undefined {
    return this.#lastInbound.get(toKey(channel, account, customer))
  }

  isOptedOut(channel: Channel, account: string, customer: string): boolean {
    return this.#optedOut.has(toKey(channel, account, customer))
  }

  clear(): void {
    this.#lastInbound.clear()
    this.#optedOut.clear()
  }
}

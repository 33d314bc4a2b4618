/** What the rules need to know of past messages: when someone last wrote, and who asked to be left alone. */
import type { Channel } from './channels.ts'
import type { Entry } from './store/ledger.ts'

const name = (channel: Channel, account: string, peer: string) => `${channel}/${account}/${peer}`

export class ConversationState {
  readonly #lastWritten = new Map<string, number>()
  readonly #optedOut = new Set<string>()

  /** Called for every entry of the ledger, when it is made and again when the sandbox starts. */
  apply({ kind, channel, account, customer: peer, at, metadata: about }: Entry): void {
    if (kind !== 'received') return
    const key = name(channel, account, peer)
    if (about.opensWindow !== false) this.#lastWritten.set(key, at)
    if (about.optOut === 'STOP') this.#optedOut.add(key)
    if (about.optOut === 'START') this.#optedOut.delete(key)
  }

  lastInboundAt(channel: Channel, account: string, peer: string): number | undefined {
    return this.#lastWritten.get(name(channel, account, peer))
  }

  isOptedOut(channel: Channel, account: string, peer: string): boolean {
    return this.#optedOut.has(name(channel, account, peer))
  }

  clear(): void {
    this.#lastWritten.clear()
    this.#optedOut.clear()
  }
}

/** Reads the conversation from the service: pages of messages, and the frames of the socket. */
import type { Acknowledgements } from './acknowledgements.ts'
import type { Api } from './api.ts'
import type { Bridge } from './bridge.ts'
import type { Outbox } from './outbox.ts'
import { countUnread, isInbound, mergeMessages, type Store } from './store.ts'
import type { Message, MessagePage, SocketFrame } from './types.ts'
import { TypingDisplay } from './typing.ts'

const pageSize = 50

interface FeedParts {
  store: Store
  api: Api
  outbox: Outbox
  bridge: Bridge
  acknowledgements: Acknowledgements
}

export class Feed {
  readonly #parts: FeedParts
  readonly #typing: TypingDisplay
  #unreadLabel = ''
  /** Where the socket continues. */
  since = 0

  constructor(parts: FeedParts) {
    this.#parts = parts
    this.#typing = new TypingDisplay(parts.store)
    parts.store.subscribe(() => this.#reportUnread())
  }

  /** Loads the latest page. */
  async load(): Promise<void> {
    const { store, api } = this.#parts
    const { since } = this
    const page = await api.request<MessagePage>('GET', `messages?limit=${pageSize}`)
    // A frame that came meanwhile is newer than the page.
    if (this.since !== since && this.since > page.seq) return this.load()
    this.since = page.seq
    const known = new Set(store.state.messages.map(({ id }) => id))
    // More was missed than a page has: what is older is loaded again, so that there is no gap.
    if (page.hasMore && !page.messages.some(({ id }) => known.has(id))) store.set({ messages: [] })
    store.set({ hasMore: page.hasMore, conversation: page.conversation })
    this.#show(page.messages)
  }

  async loadEarlier(): Promise<void> {
    const { store, api } = this.#parts
    const before = store.state.messages[0]?.id ?? ''
    const page = await api.request<MessagePage>('GET', `messages?limit=${pageSize}&before=${before}`)
    store.set({ messages: mergeMessages(page.messages, store.state.messages), hasMore: page.hasMore })
  }

  /** The next conversation is another one. */
  reset(): void {
    this.since = 0
    this.#typing.show(null)
  }

  /** Applies a frame other than `resync`. */
  receive(frame: SocketFrame): void {
    if ('seq' in frame) this.since = Math.max(this.since, frame.seq)
    if (frame.type === 'message') this.#receiveMessage(frame.data)
    else if (frame.type === 'conversation') this.#parts.store.set({ conversation: frame.data })
    else if (frame.type === 'visitor') this.#parts.store.set({ visitor: frame.data })
    else if (frame.type === 'typing') this.#typing.show(frame.data.isTyping ? frame.data : null)
  }

  #receiveMessage(message: Message): void {
    const { store, bridge } = this.#parts
    const isNew = !store.state.messages.some(({ id }) => id === message.id)
    this.#show([message])
    if (!isNew || !isInbound(message)) return
    this.#typing.show(null)
    const author = message.author.kind as 'agent' | 'bot'
    bridge.post({ type: 'message', data: { id: message.id, author } })
  }

  #show(changed: Message[]): void {
    const { store, outbox, acknowledgements } = this.#parts
    outbox.confirm(changed)
    store.set({ messages: mergeMessages(store.state.messages, changed) })
    acknowledgements.send()
  }

  #reportUnread(): void {
    const { store, bridge } = this.#parts
    const { messages, language } = store.state
    const count = countUnread(messages)
    const label = count > 0 ? language.texts.unread(count) : ''
    if (label === this.#unreadLabel) return
    this.#unreadLabel = label
    bridge.post({ type: 'unread', data: { count }, label })
  }
}

/**
 * Messages that the visitor has sent and the service has not shown yet. They are kept in storage, so a reload sends them
 * again; the service recognises a repetition by its `clientMessageId`.
 */
import { ApiError } from './api.ts'
import type { Storage } from './storage.ts'
import type { Message, OutgoingContent } from './types.ts'

export interface PendingMessage {
  clientMessageId: string
  createdAt: string
  content: OutgoingContent
  replyTo?: string
  page?: string
  /** `accepted`: the service has stored it and will show it; `failed`: the service has refused it. */
  state: 'waiting' | 'accepted' | 'failed'
}

const maxDelayMs = 30_000
/** Each message has an item of its own, so that tabs do not overwrite each other's. */
const prefix = 'out:'

const listStored = (storage: Storage) => storage.list(prefix).map(item => JSON.parse(item) as PendingMessage)

export class Outbox {
  readonly #storage: Storage
  readonly #send: (message: PendingMessage) => Promise<void>
  readonly #onChange: (pending: PendingMessage[]) => void
  #pending: PendingMessage[]
  #isSending = false
  #sending = Promise.resolve()
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    storage: Storage,
    send: (message: PendingMessage) => Promise<void>,
    onChange: (pending: PendingMessage[]) => void,
  ) {
    this.#storage = storage
    this.#send = send
    this.#onChange = onChange
    const stored = listStored(storage)
    // Messages that the service has accepted are in the list of messages now.
    for (const { clientMessageId } of stored.filter(({ state }) => state === 'accepted'))
      storage.set(prefix + clientMessageId, null)
    this.#pending = stored
      .filter(({ state }) => state !== 'accepted')
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
  }

  get pending(): PendingMessage[] {
    return this.#pending
  }

  add(message: Omit<PendingMessage, 'clientMessageId' | 'createdAt' | 'state'>): void {
    const clientMessageId = createId()
    this.#put({ ...message, clientMessageId, createdAt: new Date().toISOString(), state: 'waiting' })
    this.flush()
  }

  discard(clientMessageId: string): void {
    this.#remove(new Set([clientMessageId]))
  }

  retry(clientMessageId: string): void {
    const message = this.#pending.find(item => item.clientMessageId === clientMessageId)
    if (message) this.#put({ ...message, state: 'waiting' })
    this.flush()
  }

  /** Removes messages that the service shows. */
  confirm(messages: readonly Message[]): void {
    const shown = new Set(messages.flatMap(({ clientMessageId }) => clientMessageId ?? []))
    if (this.#pending.some(({ clientMessageId }) => shown.has(clientMessageId))) this.#remove(shown)
  }

  /** Sends the waiting messages one after the other: the service receives them in this order. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isSending) this.#sending = this.#sendWaiting()
    return this.#sending
  }

  /** Forgets all messages, also those of other tabs. */
  clear(): void {
    const all = [...listStored(this.#storage), ...this.#pending]
    this.#remove(new Set(all.map(({ clientMessageId }) => clientMessageId)))
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true
    let next: PendingMessage | undefined
    do {
      next = this.#pending.find(({ state }) => state === 'waiting')
    } while (next && (await this.#try(next)))
    this.#isSending = false
    if (!next) return
    const delayMs = Math.min(maxDelayMs, 500 * 2 ** this.#failures++) * (0.75 + Math.random() / 2)
    this.#timer = setTimeout(() => this.flush(), delayMs)
  }

  /** Returns false if the message should be sent again later. */
  async #try(message: PendingMessage): Promise<boolean> {
    let state: PendingMessage['state'] = 'accepted'
    try {
      await this.#send(message)
    } catch (error) {
      if (!(error instanceof ApiError) || error.isTemporary) return false
      state = 'failed'
    }
    this.#failures = 0
    // It may have been shown or discarded meanwhile.
    if (this.#pending.some(item => item.clientMessageId === message.clientMessageId))
      this.#put({ ...message, state })
    return true
  }

  #put(message: PendingMessage): void {
    this.#storage.set(prefix + message.clientMessageId, JSON.stringify(message))
    const others = this.#pending.filter(item => item.clientMessageId !== message.clientMessageId)
    this.#pending = [...others, message].sort((a, b) => a.createdAt.localeCompare(b.createdAt))
    this.#onChange(this.#pending)
  }

  #remove(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#storage.set(prefix + id, null)
    this.#pending = this.#pending.filter(({ clientMessageId }) => !ids.has(clientMessageId))
    this.#onChange(this.#pending)
  }
}

/** `crypto.randomUUID` needs a secure context. */
function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

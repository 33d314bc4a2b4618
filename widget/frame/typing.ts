/** Typing indicators: the visitor's, reported to the service, and the other side's, shown in the chat. */
import type { Store } from './store.ts'

const repeatMs = 3_000
const endMs = 4_000
/** The frame that ends it may be lost. */
const shownMs = 8_000

/** Reports that the visitor types: at most every three seconds, until nothing is typed for four. */
export class TypingSignal {
  readonly #send: (isTyping: boolean) => void
  #sentAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: (isTyping: boolean) => void) {
    this.#send = send
  }

  touch(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.stop(), endMs)
    if (Date.now() - this.#sentAt < repeatMs) return
    this.#sentAt = Date.now()
    this.#send(true)
  }

  stop(): void {
    clearTimeout(this.#timer)
    if (this.#sentAt > 0) this.#send(false)
    this.#sentAt = 0
  }
}

export class TypingDisplay {
  readonly #store: Store
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(store: Store) {
    this.#store = store
  }

  show(typing: { name: string | null } | null): void {
    clearTimeout(this.#timer)
    this.#store.set({ typing })
    if (typing) this.#timer = setTimeout(() => this.#store.set({ typing: null }), shownMs)
  }
}

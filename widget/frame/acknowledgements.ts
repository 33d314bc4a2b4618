/** Reports which messages have arrived and which the visitor has seen. */
import { type Api, ApiError } from './api.ts'
import { isInbound, type Store } from './store.ts'

const retryMs = 5_000

export class Acknowledgements {
  readonly #store: Store
  readonly #api: Api
  #reported = ''
  /** The service does not know what the chat shows. */
  #hasFailed = false

  constructor(store: Store, api: Api) {
    this.#store = store
    this.#api = api
  }

  /** Reports the newest message; earlier ones are included. */
  send(): void {
    const { messages, isOpen } = this.#store.state
    const newest = messages.findLast(isInbound)
    if (!newest) return
    const isSeen = newest.status === 'read' || (isOpen && document.visibilityState === 'visible')
    const state = isSeen ? 'read' : 'delivered'
    if (newest.status === state && !this.#hasFailed) return
    if (this.#reported === `${newest.id} read` || this.#reported === `${newest.id} ${state}`) return
    this.#reported = `${newest.id} ${state}`
    this.#hasFailed = false
    if (isSeen) this.#markRead()
    this.#api.request('POST', 'read', { messageId: newest.id, state }).catch(error => {
      this.#reported = ''
      if (!(error instanceof ApiError) || !error.isTemporary) return
      this.#hasFailed = true
      setTimeout(() => this.send(), retryMs)
    })
  }

  #markRead(): void {
    const messages = this.#store.state.messages.map(message =>
      isInbound(message) ? { ...message, status: 'read' as const } : message,
    )
    this.#store.set({ messages })
  }
}

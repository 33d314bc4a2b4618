/** Reports which messages have arrived and which the visitor has seen. */
import type { Api } from './api.ts'
import { isInbound, type Store } from './store.ts'

export class Acknowledgements {
  readonly #store: Store
  readonly #api: Api
  #reported = ''

  constructor(store: Store, api: Api) {
    this.#store = store
    this.#api = api
  }

  /** Reports the newest message; earlier ones are included. */
  send(): void {
    const { messages, isOpen } = this.#store.state
    const state = isOpen && document.visibilityState === 'visible' ? 'read' : 'delivered'
    const newest = messages.findLast(isInbound)
    if (!newest || newest.status === 'read' || newest.status === state) return
    if (this.#reported === `${newest.id} read` || this.#reported === `${newest.id} ${state}`) return
    this.#reported = `${newest.id} ${state}`
    if (state === 'read') this.#markRead()
    this.#api.request('POST', 'read', { messageId: newest.id, state }).catch(() => {
      this.#reported = ''
    })
  }

  #markRead(): void {
    const messages = this.#store.state.messages.map(message =>
      isInbound(message) ? { ...message, status: 'read' as const } : message,
    )
    this.#store.set({ messages })
  }
}

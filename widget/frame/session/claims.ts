/** What the page and the form before the chat say about the visitor. */
import type { ContactClaims } from '../../protocol.ts'
import type { Store } from '../store.ts'
import type { Visitor } from '../types.ts'
import { type Api, ApiError } from './api.ts'

export class Claims {
  readonly #store: Store
  readonly #api: Api
  #waiting: ContactClaims = {}

  constructor(store: Store, api: Api) {
    this.#store = store
    this.#api = api
  }

  /** The claims of the page that the service does not have. */
  get waiting(): ContactClaims {
    return this.#waiting
  }

  add(claims: ContactClaims): void {
    this.#waiting = { ...this.#waiting, ...claims }
  }

  clear(): void {
    this.#waiting = {}
  }

  /** What the page says is kept until the service has an answer; a claim that is not valid is dropped. */
  async sendWaiting(): Promise<void> {
    const claims = this.#waiting
    this.#waiting = {}
    try {
      await this.send(claims)
    } catch (error) {
      if (error instanceof ApiError && error.isTemporary) this.#waiting = { ...claims, ...this.#waiting }
    }
  }

  async send(claims: ContactClaims): Promise<void> {
    if (Object.keys(claims).length === 0) return
    const { visitor } = await this.#api.request<{ visitor: Visitor }>('PATCH', 'visitor', claims)
    this.#store.set({ visitor })
  }
}

/** The claims of the page about the visitor, such as the name. They are kept until the service has answered. */
import type { ContactClaims } from '../protocol.ts'
import { type Api, ApiError } from './api.ts'
import type { Store } from './store.ts'
import type { Visitor } from './types.ts'

export class Claims {
  readonly #store: Store
  readonly #api: Api
  #ofPage: ContactClaims = {}

  constructor(store: Store, api: Api) {
    this.#store = store
    this.#api = api
  }

  /** The claims of the page that are not sent. */
  get ofPage(): ContactClaims {
    return this.#ofPage
  }

  add(claims: ContactClaims): void {
    this.#ofPage = { ...this.#ofPage, ...claims }
  }

  clear(): void {
    this.#ofPage = {}
  }

  /** Sends the claims of the page. An invalid claim is dropped. */
  async flush(): Promise<void> {
    const claims = this.#ofPage
    this.#ofPage = {}
    try {
      await this.send(claims)
    } catch (error) {
      if (error instanceof ApiError && error.isTemporary) this.#ofPage = { ...claims, ...this.#ofPage }
    }
  }

  async send(claims: ContactClaims): Promise<void> {
    if (Object.keys(claims).length === 0) return
    const { visitor } = await this.#api.request<{ visitor: Visitor }>('PATCH', 'visitor', claims)
    this.#store.set({ visitor })
  }
}

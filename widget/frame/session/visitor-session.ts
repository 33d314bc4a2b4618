/**
 * The session of the visitor with its connection: opened when it is first needed, and as a new visitor when the service no
 * longer accepts the token.
 */
import type { ContactClaims } from '../../protocol.ts'
import type { Acknowledgements } from '../acknowledgements.ts'
import type { Bridge } from '../bridge.ts'
import type { Feed } from '../feed.ts'
import type { Outbox } from '../outbox.ts'
import { isBlocked, type Store } from '../store.ts'
import type { Session, SocketFrame } from '../types.ts'
import { type Api, ApiError } from './api.ts'
import type { Claims } from './claims.ts'
import { Connection } from './connection.ts'

interface SessionParts {
  store: Store
  api: Api
  bridge: Bridge
  claims: Claims
  feed: Feed
  outbox: Outbox
  acknowledgements: Acknowledgements
}

export class VisitorSession {
  readonly #parts: SessionParts
  #connection: Connection | undefined
  #session: Promise<void> | undefined

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** Sends a frame if the visitor is connected. */
  send(frame: object): void {
    this.#connection?.send(frame)
  }

  reconnect(): void {
    this.#connection?.reconnect()
  }

  /** Becomes a visitor, once. `form`: the entries of the form before the chat. */
  async ensure(form?: ContactClaims): Promise<void> {
    // The request of a message, which is refused without the form, may be on its way.
    if (form) await this.#session?.catch(() => {})
    if (!this.#session) {
      const session = this.#open(form).catch(error => {
        if (this.#session === session) this.#session = undefined
        throw error
      })
      this.#session = session
    }
    await this.#session
    if (form) await this.#parts.claims.send(form)
  }

  /** Sends the claims of the page if there is a visitor; otherwise they are sent when there is one. */
  sendClaims(): void {
    this.#session?.then(() => this.#parts.claims.sendWaiting()).catch(() => {})
  }

  /** Calls the API as the visitor; if the token is no longer valid, as a new one. */
  async call<T>(task: () => Promise<T>): Promise<T> {
    await this.ensure()
    try {
      return await task()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      await this.#restart()
      return task()
    }
  }

  /** Forgets the visitor. */
  end(): void {
    const { store, api } = this.#parts
    this.#connection?.stop()
    this.#connection = undefined
    this.#session = undefined
    api.dropToken()
    store.set({ messages: [], conversation: null, visitor: null, isConnected: true })
  }

  async #open(form: ContactClaims | undefined): Promise<void> {
    const { store, api, bridge, claims, feed } = this.#parts
    const session = await this.#create(form)
    const { visitor, config, conversation } = session
    store.set({ visitor, config, conversation, demandedFields: [] })
    await claims.sendWaiting()
    await feed.load()
    if (conversation) bridge.post({ type: 'conversation' })
    this.#connection ??= new Connection({
      getTicket: async () =>
        (await this.call(() => api.request<{ ticket: string }>('POST', 'realtime/tickets'))).ticket,
      getSince: () => feed.since,
      onFrame: frame => this.#receive(frame),
      onState: isConnected => this.#showConnection(isConnected),
      onRefused: () => this.#restart().catch(() => {}),
    })
  }

  /** A busy inbox admits visitors who say who they are. */
  async #create(form: ContactClaims | undefined): Promise<Session> {
    const { store, api, claims } = this.#parts
    try {
      return await api.openSession(form && { ...claims.waiting, ...form })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'pre_chat_required')
        store.set({ demandedFields: ['name', 'email'] })
      throw error
    }
  }

  async #restart(): Promise<void> {
    this.end()
    if (this.#parts.outbox.pending.length > 0) await this.ensure()
  }

  /** Reads everything about the visitor again. */
  #reopen(): Promise<void> {
    this.#session = undefined
    return this.ensure()
  }

  /** What waits for the service is sent as soon as it can be reached. */
  #showConnection(isConnected: boolean): void {
    const { store, outbox, acknowledgements } = this.#parts
    store.set({ isConnected })
    if (!isConnected) return
    outbox.flush()
    acknowledgements.send()
    // The frame that ends a block may have been missed.
    if (isBlocked(store.state)) this.#reopen().catch(() => {})
  }

  #receive(frame: SocketFrame): void {
    const { feed } = this.#parts
    if (frame.type !== 'resync') feed.receive(frame)
    else feed.load().catch(() => this.#connection?.reconnect())
  }
}

/**
 * The chat of a visitor. A visitor exists from the first message on: until then only the public configuration is read.
 * Everything that the visitor does is shown immediately and sent in order.
 */
import type { ContactClaims, PageState, ToFrame } from '../protocol.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { Api, ApiError } from './api.ts'
import { Bridge } from './bridge.ts'
import { Connection } from './connection.ts'
import { Feed } from './feed.ts'
import { loadLanguage } from './i18n/i18n.ts'
import { Outbox, type PendingMessage } from './outbox.ts'
import { Storage } from './storage.ts'
import { canWrite, isBlocked, Store } from './store.ts'
import type { Identity, OutgoingContent, Session, SocketFrame, Visitor } from './types.ts'
import { TypingSignal } from './typing.ts'
import { Uploads } from './uploads.ts'
import { describeVisit } from './visit.ts'

const retryMs = 5_000
/** How long the messages of a user who has signed out may take. */
const lastSendMs = 3_000

export class Chat {
  readonly store = new Store()
  readonly storage: Storage
  readonly uploads: Uploads
  readonly typing = new TypingSignal(isTyping =>
    this.#connection?.send({ type: 'typing', data: { isTyping } }),
  )
  readonly #api: Api
  readonly #bridge: Bridge
  readonly #outbox: Outbox
  readonly #acknowledgements: Acknowledgements
  readonly #feed: Feed
  #connection: Connection | undefined
  #session: Promise<void> | undefined
  #isStarted = false
  /** The theme that the page has set; otherwise that of the inbox is shown. */
  #theme: PageState['theme']
  /** The language that is shown or on its way. */
  #locale = ''
  #loadingLanguage: Promise<void> = Promise.resolve()
  #claims: ContactClaims = {}
  #identifying: Promise<void> = Promise.resolve()
  /** Ends when the files that were chosen so far are sent. */
  #files: Promise<void> = Promise.resolve()

  constructor(inboxKey: string, origin: string) {
    this.storage = new Storage(inboxKey)
    this.#api = new Api(inboxKey, this.storage, code => this.#showRefusal(code))
    this.#outbox = new Outbox(
      this.storage,
      message => this.#send(message),
      pending => this.store.set({ pending }),
    )
    this.uploads = new Uploads(this.store, this.#api, () => this.#ensureSession())
    this.#acknowledgements = new Acknowledgements(this.store, this.#api)
    this.store.set({ pending: this.#outbox.pending })
    this.#bridge = new Bridge(inboxKey, origin, message => this.#handle(message))
    this.#feed = new Feed({
      store: this.store,
      api: this.#api,
      outbox: this.#outbox,
      bridge: this.#bridge,
      acknowledgements: this.#acknowledgements,
    })
    this.#bridge.post({ type: 'ready' })
    document.addEventListener('visibilitychange', () => this.#acknowledgements.send())
    addEventListener('online', () => this.#outbox.flush())
    addEventListener('storage', ({ key, newValue }) => {
      if (key === this.storage.toKey('') && newValue !== this.#api.token) this.#follow(newValue)
    })
  }

  close(): void {
    this.#bridge.post({ type: 'close' })
  }

  send(content: OutgoingContent, replyTo?: string): void {
    if (!canWrite(this.store.state)) return
    this.typing.stop()
    const { page } = this.#api.visit
    this.#outbox.add({ content, ...(replyTo && { replyTo }), ...(page && { page }) })
  }

  retry(clientMessageId: string): void {
    this.#outbox.retry(clientMessageId)
  }

  discard(clientMessageId: string): void {
    this.#outbox.discard(clientMessageId)
  }

  /** Files are sent in the order in which they were chosen, whichever is uploaded first. */
  sendFile(file: File): void {
    if (canWrite(this.store.state)) this.#files = this.#sendAfter(this.#files, this.uploads.upload(file))
  }

  /** Submits the form before the chat. Throws an `ApiError` if a value is refused. */
  async startWith(claims: ContactClaims): Promise<void> {
    await this.#ensureSession(claims)
    this.store.set({ isPreChatDone: true })
    this.#outbox.flush()
  }

  async rate(rating: number, comment: string): Promise<void> {
    await this.#api.request('POST', 'rating', { rating, ...(comment && { comment }) })
    const { conversation } = this.store.state
    if (conversation) this.store.set({ conversation: { ...conversation, rating, canRate: false } })
  }

  loadTranscript(): Promise<Blob> {
    return this.#api.loadTranscript()
  }

  loadEarlier(): Promise<void> {
    return this.#feed.loadEarlier()
  }

  /** Loads the chat again after a failure. */
  async load(): Promise<void> {
    try {
      if (this.#api.token) await this.#ensureSession()
      else this.store.set({ config: await this.#api.loadConfig() })
      this.#showTheme()
      this.store.set({ phase: 'ready' })
      this.#outbox.flush()
    } catch {
      this.store.set({ phase: 'failed' })
      setTimeout(() => this.store.state.phase === 'failed' && this.load(), retryMs)
    }
  }

  async #sendAfter(earlier: Promise<void>, upload: Promise<string | undefined>): Promise<void> {
    const { person } = this.store.state
    const mediaId = await upload
    await earlier
    // Not as another person who has signed in meanwhile.
    if (mediaId && person === this.store.state.person) this.send({ type: 'media', media: { mediaId } })
  }

  #handle(message: ToFrame): void {
    if (message.type === 'state') this.#applyPage(message.data)
    else if (message.type === 'identify') {
      // One after the other: the last token decides who the visitor is.
      this.#identifying = this.#identifying.then(() => this.#identify(message.data.jwt))
    } else this.#setClaims(message.data)
  }

  async #applyPage(state: PageState): Promise<void> {
    const { isOpen, locale, theme } = state
    this.#api.visit = describeVisit(state)
    this.#theme = theme
    this.store.set({ isOpen })
    this.#showTheme()
    this.#acknowledgements.send()
    await this.#setLanguage(locale)
    if (this.#isStarted) return
    this.#isStarted = true
    await this.load()
  }

  #showTheme(): void {
    const { config } = this.store.state
    this.store.set({ theme: this.#theme ?? config?.appearance.theme ?? 'auto' })
  }

  #setLanguage(locale: string): Promise<void> {
    if (locale !== this.#locale) {
      this.#locale = locale
      this.#loadingLanguage = this.#loadLanguage(locale)
    }
    return this.#loadingLanguage
  }

  /** The texts may be a file that cannot be loaded: the chat then keeps its language, until the page says it again. */
  async #loadLanguage(locale: string): Promise<void> {
    try {
      const language = await loadLanguage(locale)
      // The page may have chosen another one meanwhile.
      if (locale === this.#locale) this.store.set({ language })
    } catch {
      if (locale === this.#locale) this.#locale = ''
    }
  }

  async #identify(jwt: string): Promise<void> {
    try {
      await this.#ensureSession()
      const { visitor, conversation } = await this.#requestIdentity(jwt)
      this.store.set({ visitor, conversation })
      await this.#feed.load()
      this.#connection?.reconnect()
      this.#bridge.post({ type: 'identified', data: { isVerified: true, code: null } })
    } catch (error) {
      const code = (error instanceof ApiError && error.code) || 'failed'
      this.#bridge.post({ type: 'identified', data: { isVerified: false, code } })
    }
  }

  async #requestIdentity(jwt: string): Promise<Identity> {
    const request = () => this.#api.request<Identity>('POST', 'identify', { jwt })
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'identity_differs') throw error
      await this.#changePerson()
      return request()
    }
  }

  /** Another user of the site has signed in: the chat of the previous one stays with that one. */
  async #changePerson(): Promise<void> {
    this.store.set({ phase: 'loading' })
    await Promise.race([this.#outbox.flush(), new Promise(resolve => setTimeout(resolve, lastSendMs))])
    this.#leave()
    await this.#ensureSession().finally(() => this.store.set({ phase: 'ready' }))
  }

  /** Another tab has become a visitor, or its user is another one. */
  #follow(token: string | null): void {
    if (this.store.state.visitor?.isVerified) this.#leave()
    else if (this.#api.token) this.#end()
    if (token) this.#ensureSession().catch(() => {})
  }

  /** Forgets the visitor, who is not the next one: nothing that was written here may be seen or sent by that one. */
  #leave(): void {
    this.#end()
    this.#outbox.clear()
    this.#claims = {}
    for (const name of ['draft', 'form']) this.storage.set(name, null)
    for (const { id } of this.store.state.uploads) this.uploads.remove(id)
    this.#feed.reset()
    this.store.set({ hasMore: false, isPreChatDone: false, person: this.store.state.person + 1 })
  }

  #setClaims(claims: ContactClaims): void {
    this.#claims = { ...this.#claims, ...claims }
    this.#session?.then(() => this.#sendPageClaims()).catch(() => {})
  }

  /** Claims of the page are kept until the service has answered; an invalid claim is dropped. */
  async #sendPageClaims(): Promise<void> {
    const claims = this.#claims
    this.#claims = {}
    try {
      await this.#sendClaims(claims)
    } catch (error) {
      if (error instanceof ApiError && error.isTemporary) this.#claims = { ...claims, ...this.#claims }
    }
  }

  async #sendClaims(claims: ContactClaims): Promise<void> {
    if (Object.keys(claims).length === 0) return
    const { visitor } = await this.#api.request<{ visitor: Visitor }>('PATCH', 'visitor', claims)
    this.store.set({ visitor })
  }

  /** Becomes a visitor, once. `form`: the entries of the form before the chat. */
  async #ensureSession(form?: ContactClaims): Promise<void> {
    // The request of a message, which is refused without the form, may be on its way.
    if (form) await this.#session?.catch(() => {})
    if (!this.#session) {
      const session = this.#openSession(form).catch(error => {
        if (this.#session === session) this.#session = undefined
        throw error
      })
      this.#session = session
    }
    await this.#session
    if (form) await this.#sendClaims(form)
  }

  async #openSession(form: ContactClaims | undefined): Promise<void> {
    const session = await this.#createSession(form)
    const { visitor, config, conversation } = session
    this.store.set({ visitor, config, conversation, demandedFields: [] })
    await this.#sendPageClaims()
    await this.#feed.load()
    if (conversation) this.#bridge.post({ type: 'conversation' })
    this.#connection ??= new Connection({
      getTicket: async () =>
        (await this.#call(() => this.#api.request<{ ticket: string }>('POST', 'realtime/tickets'))).ticket,
      getSince: () => this.#feed.since,
      onFrame: frame => this.#receive(frame),
      onState: isConnected => this.#showConnection(isConnected),
      onRefused: () => this.#restart().catch(() => {}),
    })
  }

  /** A busy inbox admits visitors who say who they are. */
  async #createSession(form: ContactClaims | undefined): Promise<Session> {
    try {
      return await this.#api.openSession(form && { ...this.#claims, ...form })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'pre_chat_required')
        this.store.set({ demandedFields: ['name', 'email'] })
      throw error
    }
  }

  /** Calls the API as the visitor; if the token is no longer valid, as a new one. */
  async #call<T>(task: () => Promise<T>): Promise<T> {
    await this.#ensureSession()
    try {
      return await task()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      await this.#restart()
      return task()
    }
  }

  async #restart(): Promise<void> {
    this.#end()
    if (this.#outbox.pending.length > 0) await this.#ensureSession()
  }

  /** Reads everything about the visitor again. */
  #reopen(): Promise<void> {
    this.#session = undefined
    return this.#ensureSession()
  }

  /** Forgets the visitor. */
  #end(): void {
    this.#connection?.stop()
    this.#connection = undefined
    this.#session = undefined
    this.#api.dropToken()
    this.store.set({ messages: [], conversation: null, visitor: null, isConnected: true })
  }

  async #send({ clientMessageId, content, replyTo, page }: PendingMessage): Promise<void> {
    const body = { clientMessageId, content, ...(replyTo && { replyTo }), ...(page && { page }) }
    await this.#call(() => this.#api.request('POST', 'messages', body))
    this.#bridge.post({ type: 'conversation' })
  }

  /** Sends waiting requests as soon as the service can be reached. */
  #showConnection(isConnected: boolean): void {
    this.store.set({ isConnected })
    if (!isConnected) return
    this.#outbox.flush()
    this.#acknowledgements.send()
    // The frame that ends a block may have been missed.
    if (isBlocked(this.store.state)) this.#reopen().catch(() => {})
  }

  /** An agent has blocked the visitor, and the frame that says so may be late; or the inbox has changed. */
  #showRefusal(code: string): void {
    const { visitor, config } = this.store.state
    if (code === 'visitor_blocked' && visitor) this.store.set({ visitor: { ...visitor, isBlocked: true } })
    if (code === 'identity_required' && config)
      this.store.set({ config: { ...config, isIdentityRequired: true } })
  }

  #receive(frame: SocketFrame): void {
    if (frame.type !== 'resync') this.#feed.receive(frame)
    else this.#feed.load().catch(() => this.#connection?.reconnect())
  }
}

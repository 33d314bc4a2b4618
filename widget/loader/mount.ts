/**
 * Puts the chat of an inbox on the page. The page pays for a small request at idle time and a button; the frame is loaded
 * at the first sign of interest, or immediately for a visitor who has a conversation. Both are tried again when they fail.
 * `destroy` leaves nothing behind.
 */
import type { ContactClaims, Envelope, PageState, Theme, ToFrame, ToPage } from '../protocol.ts'
import { type Appearance, createLauncher, type Launcher } from './launcher.ts'
import { retryUntil } from './retry.ts'

export interface Options {
  inboxKey: string
  locale?: string | undefined
  theme?: Theme | undefined
}

interface Events {
  open: undefined
  close: undefined
  unread: { count: number }
  message: { id: string; author: 'agent' | 'bot' }
  identified: { isVerified: boolean; code: string | null }
}

export interface Chat {
  /** Its place among the chats of the page, from 0. */
  readonly n: number
  open(): void
  close(): void
  toggle(): void
  /** Proves who the visitor is, with a token that the server of the site has signed. */
  identify(identity: { jwt: string }): void
  /** Sets what the site believes about the visitor, without proof. */
  setContact(claims: ContactClaims): void
  setLocale(locale: string): void
  setTheme(theme: Theme): void
  /** Calls the listener whenever the event occurs; returns a function that ends this. */
  on<K extends keyof Events>(type: K, listener: (data: Events[K]) => void): () => void
  destroy(): void
}

const defaults: Appearance = { accent: '#2b59c3', position: 'right' }

/** A busy page is never idle: it gets the button after two seconds. */
const whenIdle: (task: () => void, options: object) => void = window.requestIdleCallback ?? setTimeout

/**
 * Returns whether the visitor has a conversation, after remembering (true) or forgetting (false) it on the page. Storage
 * may be forbidden.
 */
function hasConversation(key: string, value?: boolean): boolean {
  const name = `parley-chat:${key}`
  try {
    if (value) localStorage[name] = 1
    if (value === false) delete localStorage[name]
    return name in localStorage
  } catch {
    return false
  }
}

/** `onDestroy` is called when the chat is removed. */
export class EmbeddedChat implements Chat {
  readonly n: number
  readonly #host: string
  readonly #inboxKey: string
  readonly #onDestroy: () => void
  readonly #ended = new AbortController()
  readonly #listeners = new Set<(type: string, data: unknown) => void>()
  // Frameworks replace the body, and some the whole document, when the visitor goes to another page.
  readonly #observer = new MutationObserver(() => this.#attach())
  readonly #state: Pick<PageState, 'isOpen' | 'locale' | 'theme'>
  #launcher: Launcher | undefined
  #frame: HTMLIFrameElement | undefined
  #isReady = false
  #unread = 0
  #unreadLabel = ''
  #waiting: ToFrame[] = []

  constructor(host: string, { inboxKey, locale, theme }: Options, n: number, onDestroy: () => void) {
    this.#host = host
    this.#inboxKey = inboxKey
    this.n = n
    this.#onDestroy = onDestroy
    const language = locale || document.documentElement.lang || navigator.language
    this.#state = { isOpen: false, locale: language, theme }
    const { signal } = this.#ended
    addEventListener('message', this.#receive, { signal })
    // `pushState` has no event of its own in older browsers: they report the page with the next change of the state.
    const target: EventTarget = window.navigation ?? window
    for (const type of ['currententrychange', 'popstate'])
      target.addEventListener(type, this.#sendState, { signal })
    // With a policy without connect-src for this host, the frame still works.
    document.addEventListener(
      'securitypolicyviolation',
      ({ blockedURI, disposition }) =>
        disposition === 'enforce' && blockedURI.startsWith(host) && this.#start(),
      { signal },
    )
    whenIdle(() => retryUntil(() => this.#launcher, this.#request, signal), { timeout: 2_000 })
  }

  open = () => this.#setOpen(true)
  close = () => this.#setOpen(false)
  toggle = () => this.#setOpen(!this.#state.isOpen)

  identify = (data: { jwt: string }) => this.#send({ type: 'identify', data })
  setContact = (data: ContactClaims) => this.#send({ type: 'contact', data })

  setLocale = (locale: string) => {
    this.#state.locale = locale
    this.#sendState()
  }

  setTheme = (theme: Theme) => {
    this.#state.theme = theme
    this.#sendState()
  }

  on = <K extends keyof Events>(type: K, listener: (data: Events[K]) => void) => {
    const receive = (emitted: string, data: unknown) => emitted === type && listener(data as Events[K])
    this.#listeners.add(receive)
    return () => {
      this.#listeners.delete(receive)
    }
  }

  destroy = () => {
    this.#ended.abort()
    this.#observer.disconnect()
    this.#launcher?.host.remove()
    this.#listeners.clear()
    hasConversation(this.#inboxKey, false)
    this.#onDestroy()
  }

  /** Reads the appearance. A page that the inbox does not allow gets no answer. */
  #request = async () => {
    try {
      const { signal } = this.#ended
      const response = await fetch(`${this.#host}/v1/widget/config?inboxKey=${this.#inboxKey}`, { signal })
      if (response.ok) this.#start((await response.json()).appearance)
    } catch {}
  }

  #start(appearance = defaults): void {
    if (this.#launcher || this.#ended.signal.aborted) return
    this.#launcher = createLauncher(appearance)
    const { button } = this.#launcher
    for (const type of ['pointerenter', 'focus']) button.addEventListener(type, this.#load)
    button.addEventListener('click', this.toggle)
    button.addEventListener('keydown', ({ key }) => key === 'Escape' && this.close())
    this.#show()
    this.#attach()
    if (this.#state.isOpen || this.#waiting[0] || hasConversation(this.#inboxKey)) this.#load()
  }

  #attach(): void {
    const root = document.documentElement
    if (!this.#launcher!.host.isConnected) {
      // The frame loads again when it is moved.
      this.#isReady = false
      root.append(this.#launcher!.host)
    }
    for (const target of [document, root]) this.#observer.observe(target, { childList: true })
  }

  #show(): void {
    this.#launcher?.update(this.#state.isOpen, this.#unread, this.#unreadLabel, this.n)
  }

  #load = () => {
    if (this.#frame || !this.#launcher) return
    const query = `inboxKey=${this.#inboxKey}&origin=${location.origin}`
    const add = () => {
      this.#frame = this.#launcher!.addFrame(`${this.#host}/widget/frame?${query}`)
      this.#show()
    }
    retryUntil(() => this.#isReady, add, this.#ended.signal)
  }

  #setOpen(isOpen: boolean): void {
    if (this.#state.isOpen === isOpen) return
    const { activeElement } = document
    this.#state.isOpen = isOpen
    this.#show()
    if (isOpen) {
      this.#load()
      this.#frame?.focus()
    } else if (activeElement === this.#launcher?.host) this.#launcher?.button.focus()
    this.#sendState()
    this.#emit(isOpen ? 'open' : 'close')
  }

  #emit(type: string, data?: unknown): void {
    for (const receive of this.#listeners) receive(type, data)
  }

  #send(message: ToFrame): void {
    this.#post(message)
    this.#load()
  }

  #post(message: ToFrame): void {
    if (this.#isReady)
      this.#frame!.contentWindow?.postMessage({ parley: this.#inboxKey, ...message }, this.#host)
    else if (message.type !== 'state') this.#waiting.push(message)
  }

  #sendState = () => {
    const page = location.origin + location.pathname
    this.#post({ type: 'state', data: { ...this.#state, page, referrer: document.referrer.split('?')[0]! } })
  }

  #receive = ({ source, origin, data }: MessageEvent<Envelope<ToPage>>) => {
    const isOurs = origin === this.#host && source === this.#frame?.contentWindow
    if (isOurs && data?.parley === this.#inboxKey) this.#handle(data)
  }

  #handle(message: ToPage): void {
    const { type } = message
    if (type === 'ready') {
      this.#isReady = true
      // A frame that was loaded again counts again.
      this.#unread = 0
      this.#show()
      this.#sendState()
      for (const waiting of this.#waiting.splice(0)) this.#post(waiting)
      if (this.#state.isOpen) this.#frame!.focus()
    } else if (type === 'close') this.close()
    else if (type === 'conversation') hasConversation(this.#inboxKey, true)
    else {
      if (type === 'unread') {
        this.#unread = message.data.count
        this.#unreadLabel = message.label
        this.#show()
      }
      this.#emit(type, message.data)
    }
  }
}

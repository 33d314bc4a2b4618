/**
 * Puts the chat of an inbox on the page. The page pays for a small request at idle time and a button; the frame is loaded
 * at the first sign of interest, or at once for a visitor who has a conversation. `destroy` leaves nothing behind.
 */
import type { ContactClaims, Envelope, PageState, Theme, ToFrame, ToPage } from '../protocol.ts'
import { type Appearance, createLauncher, type Launcher } from './launcher.ts'

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

/** Labels the count on the button. */
const unreadWords: Record<string, string> = { de: 'ungelesen', ar: 'غير مقروءة' }

/** Reads the appearance. Undefined: the inbox does not allow this page, or there is no such inbox. */
async function loadAppearance(
  host: string,
  key: string,
  signal: AbortSignal,
): Promise<Appearance | undefined> {
  const blocked = new Promise<Appearance>(resolve =>
    document.addEventListener(
      'securitypolicyviolation',
      ({ blockedURI }) => blockedURI.startsWith(host) && resolve(defaults),
      { signal },
    ),
  )
  try {
    const response = await fetch(`${host}/v1/widget/config?inboxKey=${key}`, { signal })
    return response.ok ? { ...defaults, ...(await response.json()).appearance } : undefined
  } catch {
    // A policy without connect-src for this host: the frame still works. The event may follow the failure.
    return Promise.race([blocked, new Promise<undefined>(resolve => setTimeout(resolve, 1_000))])
  }
}

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
  readonly #listeners = new Map<string, Set<(data: never) => void>>()
  // Frameworks replace the body, and some the whole document, when the visitor goes to another page.
  readonly #observer = new MutationObserver(() => this.#attach())
  readonly #state: { isOpen: boolean; locale: string; theme: Theme | null }
  #launcher: Launcher | undefined
  #frame: HTMLIFrameElement | undefined
  #isReady = false
  #unread = 0
  #waiting: ToFrame[] = []

  constructor(host: string, { inboxKey, locale, theme }: Options, n: number, onDestroy: () => void) {
    this.#host = host
    this.#inboxKey = inboxKey
    this.n = n
    this.#onDestroy = onDestroy
    const language = locale || document.documentElement.lang || navigator.language
    this.#state = { isOpen: false, locale: language, theme: theme ?? null }
    const { signal } = this.#ended
    addEventListener('message', this.#receive, { signal })
    // `pushState` has no event of its own in older browsers: they report the page with the next change of the state.
    const target: EventTarget = window.navigation ?? window
    for (const type of ['currententrychange', 'popstate'])
      target.addEventListener(type, this.#sendState, { signal })
    whenIdle(() => this.#start(signal), { timeout: 2_000 })
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
    const known = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, known.add(listener))
    return () => {
      known.delete(listener)
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

  async #start(signal: AbortSignal): Promise<void> {
    const appearance = signal.aborted ? undefined : await loadAppearance(this.#host, this.#inboxKey, signal)
    if (!appearance || signal.aborted) return
    const unread = unreadWords[this.#state.locale.slice(0, 2)] ?? 'unread'
    this.#launcher = createLauncher(appearance, unread)
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
    this.#launcher?.update(this.#state.isOpen, this.#unread, this.n)
  }

  #load = () => {
    if (this.#frame || !this.#launcher) return
    const query = `inboxKey=${this.#inboxKey}&origin=${encodeURIComponent(location.origin)}`
    this.#frame = this.#launcher.addFrame(`${this.#host}/widget/frame?${query}`)
    this.#show()
  }

  #setOpen(isOpen: boolean): void {
    if (this.#state.isOpen === isOpen) return
    const hadFocus = this.#launcher?.host.shadowRoot?.activeElement === this.#frame
    this.#state.isOpen = isOpen
    if (isOpen) this.#load()
    this.#show()
    this.#sendState()
    if (isOpen) this.#frame?.focus()
    else if (hadFocus) this.#launcher?.button.focus()
    this.#emit(isOpen ? 'open' : 'close')
  }

  #emit(type: string, data?: unknown): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(data as never)
  }

  #send(message: ToFrame): void {
    this.#post(message)
    this.#load()
  }

  #post(message: ToFrame): void {
    const target = this.#frame?.contentWindow
    if (this.#isReady) target?.postMessage({ parley: this.#inboxKey, ...message }, this.#host)
    else if (message.type !== 'state') this.#waiting.push(message)
  }

  #sendState = () => {
    const page = location.origin + location.pathname
    const data: PageState = { ...this.#state, page, referrer: document.referrer.split('?')[0]! }
    this.#post({ type: 'state', data })
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
        this.#show()
      }
      this.#emit(type, message.data)
    }
  }
}

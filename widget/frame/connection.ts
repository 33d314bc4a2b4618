/**
 * The socket of the visitor: reconnects with growing delays, resumes where it stopped, and rests while the tab is hidden
 * for long. Browsers do not show heartbeats to scripts, so a tab that wakes up connects again.
 */
import type { SocketFrame } from './types.ts'

const maxDelayMs = 30_000
/** A hidden tab keeps its connection this long. */
const restAfterMs = 5 * 60_000
/** After this time without running, the connection is probably dead. */
const sleptMs = 30_000
const watchMs = 10_000

export interface ConnectionOptions {
  getTicket(): Promise<string>
  getSince(): number
  onFrame(frame: SocketFrame): void
  onState(isConnected: boolean): void
  /** The service does not accept the visitor. */
  onRefused(): void
}

export class Connection {
  readonly #options: ConnectionOptions
  readonly #ended = new AbortController()
  #socket: WebSocket | undefined
  #attempt = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #restTimer: ReturnType<typeof setTimeout> | undefined
  #hiddenAt = 0
  #ranAt = Date.now()

  constructor(options: ConnectionOptions) {
    this.#options = options
    const { signal } = this.#ended
    addEventListener('online', () => this.reconnect(), { signal })
    addEventListener('offline', () => options.onState(false), { signal })
    document.addEventListener('visibilitychange', () => this.#follow(), { signal })
    const watch = setInterval(() => this.#noticeSleep(), watchMs)
    signal.addEventListener('abort', () => clearInterval(watch))
    this.reconnect()
  }

  send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  /** Connects now. */
  reconnect(): void {
    this.#ranAt = Date.now()
    this.#failures = 0
    this.#connect()
  }

  stop(): void {
    this.#ended.abort()
    clearTimeout(this.#restTimer)
    this.#close()
  }

  #follow(): void {
    clearTimeout(this.#restTimer)
    if (document.hidden) {
      this.#hiddenAt = Date.now()
      this.#restTimer = setTimeout(() => this.#close(), restAfterMs)
    } else if (!this.#socket || Date.now() - this.#hiddenAt > sleptMs) this.reconnect()
  }

  /** A device that slept with the tab in front changes no visibility. Timers of hidden tabs are slow and say nothing. */
  #noticeSleep(): void {
    const now = Date.now()
    if (!document.hidden && now - this.#ranAt > sleptMs) this.reconnect()
    this.#ranAt = now
  }

  #close(): void {
    this.#attempt++
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = undefined
    // Browsers report a connection that is closed while it connects as an error on the page.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
    else socket?.close()
  }

  async #connect(): Promise<void> {
    this.#close()
    const attempt = this.#attempt
    const isCurrent = () => attempt === this.#attempt
    try {
      const ticket = await this.#options.getTicket()
      if (isCurrent()) this.#open(ticket, isCurrent)
    } catch {
      if (isCurrent()) this.#retry()
    }
  }

  #open(ticket: string, isCurrent: () => boolean): void {
    const address = new URL('/v1/widget/realtime', location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    address.search = String(new URLSearchParams({ ticket, since: String(this.#options.getSince()) }))
    const socket = new WebSocket(address)
    this.#socket = socket
    socket.onmessage = ({ data }) => {
      if (!isCurrent()) return
      const frame = JSON.parse(data) as SocketFrame
      if (frame.type === 'hello') {
        this.#failures = 0
        this.#options.onState(true)
      }
      this.#options.onFrame(frame)
    }
    socket.onclose = ({ code }) => {
      if (!isCurrent()) return
      if (code === 4401 || code === 4403) this.#options.onRefused()
      else this.#retry()
    }
  }

  #retry(): void {
    this.#socket = undefined
    // A restart of the service is over before a visitor notices it.
    if (this.#failures > 0) this.#options.onState(false)
    const delayMs = Math.min(maxDelayMs, 500 * 2 ** this.#failures++) * (0.5 + Math.random())
    this.#timer = setTimeout(() => this.#connect(), delayMs)
  }
}

/** Talks to the loader on the page. Only the page that embeds the frame and names its own origin is heeded. */
import type { Envelope, ToFrame, ToPage } from '../protocol.ts'

export class Bridge {
  readonly #inboxKey: string
  readonly #origin: string

  constructor(inboxKey: string, origin: string, onMessage: (message: ToFrame) => void) {
    this.#inboxKey = inboxKey
    this.#origin = origin
    addEventListener('message', ({ source, origin: sender, data }: MessageEvent<Envelope<ToFrame>>) => {
      if (source === parent && sender === origin && data?.parley === inboxKey) onMessage(data)
    })
  }

  /** The browser delivers the message only if the page has the origin. */
  post(message: ToPage): void {
    if (parent !== window) parent.postMessage({ parley: this.#inboxKey, ...message }, this.#origin)
  }
}

/** The last calls the providers received, refused ones included, for whoever asks what really arrived. Memory only. */
import type { HttpRequest, HttpResponse } from './server.ts'

export interface ReceivedRequest {
  receivedAt: string
  method: string
  path: string
  body: string
  status: number
  ending?: string
}

const kept = 1000
const bodyBytes = 4096

export class RequestLog {
  readonly #ring: ReceivedRequest[] = []
  #next = 0

  add(incoming: HttpRequest, answer: HttpResponse, at: number): void {
    this.#ring[this.#next] = {
      receivedAt: new Date(at).toISOString(),
      method: incoming.method,
      path: incoming.url,
      body: incoming.body.toString('utf8', 0, Math.min(incoming.body.length, bodyBytes)),
      status: answer.status,
      ...(answer.ending ? { ending: answer.ending } : {}),
    }
    this.#next = (this.#next + 1) % kept
  }

  /** Oldest first. */
  list(): ReceivedRequest[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
  }

  clear(): void {
    this.#ring.length = 0
    this.#next = 0
  }
}

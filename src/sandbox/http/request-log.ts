/** Keeps the last requests in memory, including rejected ones. */
import type { HttpRequest, HttpResponse } from './server.ts'

export interface ReceivedRequest {
  receivedAt: string
  method: string
  path: string
  body: string
  status: number
  ending?: string
}

const maxRequests = 1000
const maxBodyBytes = 4096

export class RequestLog {
  readonly #ring: ReceivedRequest[] = []
  #next = 0

  add(request: HttpRequest, response: HttpResponse, at: number): void {
    this.#ring[this.#next] = {
      receivedAt: new Date(at).toISOString(),
      method: request.method,
      path: request.url,
      body: request.body.toString('utf8', 0, Math.min(request.body.length, maxBodyBytes)),
      status: response.status,
      ...(response.ending ? { ending: response.ending } : {}),
    }
    this.#next = (this.#next + 1) % maxRequests
  }

  /** Lists requests, oldest first. */
  list(): ReceivedRequest[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
  }

  clear(): void {
    this.#ring.length = 0
    this.#next = 0
  }
}
